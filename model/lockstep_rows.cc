// What the runner does with the world's rows that has no call of its own there: making queries from
// terms, filling a column, switching rows over, and visiting what has changed.
#include "absl/strings/str_cat.h"
#include "ashlar/query/chunk_view.h"
#include "ashlar/world/iteration_scope.h"
#include "ashlar/world/value_store.h"
#include "model/lockstep_runner.h"

namespace ashlar::model {
namespace {

QueryTermKind KernelKind(oplang::TermKind kind) {
  switch (kind) {
    case oplang::TermKind::kAll:
      return QueryTermKind::kAll;
    case oplang::TermKind::kAny:
      return QueryTermKind::kAny;
    case oplang::TermKind::kNone:
      return QueryTermKind::kNone;
    case oplang::TermKind::kOptional:
      return QueryTermKind::kOptional;
  }
  return QueryTermKind::kAll;
}

QuerySpec SpecOf(std::span<const oplang::QueryTerm> terms, Access access_to_all) {
  QuerySpec spec;
  for (const oplang::QueryTerm& term : terms) {
    const bool is_all = term.kind == oplang::TermKind::kAll;
    spec.Push(KernelKind(term.kind), ComponentId(term.component),
              is_all ? access_to_all : Access::kRead);
    if (term.with_disabled) spec.WithDisabled();
  }
  return spec;
}

}  // namespace

// A label has two queries in the world, that differ in access only; one, where none will be filled.
absl::Status Runner::MakeQueries(std::span<const oplang::QueryTerm> terms, BoundQuery* query) {
  const absl::StatusOr<QueryId> read = world_->MakeQuery(SpecOf(terms, Access::kRead));
  if (!read.ok()) return read.status();
  query->read = *read;
  if (!options_.has_fills) return absl::OkStatus();
  const absl::StatusOr<QueryId> write = world_->MakeQuery(SpecOf(terms, Access::kWrite));
  if (!write.ok()) return write.status();
  query->write = *write;
  return absl::OkStatus();
}

absl::StatusOr<const std::byte*> Runner::Get(const World& world, Entity entity,
                                             oplang::ComponentRef component) {
  const ComponentId id(component);
  if (component >= schema_->size()) return world.Get(entity, id);
  return reader_.Get(world, (*schema_)[component], entity, id);
}

absl::Status Runner::FlipRows(const BoundQuery* query, oplang::ComponentRef component) {
  if (query == nullptr) return world_->OpenScope(QueryId::None()).status();
  const ComponentId id(component);
  if (!world_->registry().Contains(id)) {
    return MakeError(absl::StatusCode::kInvalidArgument, Reason::kComponentUnknown, "flip");
  }
  if (!world_->registry()[id].is_enableable()) {
    return MakeError(absl::StatusCode::kInvalidArgument, Reason::kComponentNotEnableable, "flip");
  }
  if (!oplang::Requires(query->terms, component)) {
    return MakeError(absl::StatusCode::kNotFound, Reason::kComponentAbsent, "flip");
  }
  const absl::StatusOr<IterationScope> scope = world_->OpenScope(query->write);
  if (!scope.ok()) return scope.status();
  for (const ChunkView& view : *scope) {
    for (std::size_t row = 0; row < view.row_count(); ++row) {
      view.SetEnabled(id, row, !view.IsEnabled(id, row));
    }
  }
  return absl::OkStatus();
}

absl::Status Runner::FillRows(const BoundQuery* query, const NamedValue& value) {
  // Let the world itself refuse a query that it does not have.
  if (query == nullptr) return world_->OpenScope(QueryId::None()).status();
  const ComponentId component(value.component);
  if (!world_->registry().Contains(component)) {
    return MakeError(absl::StatusCode::kInvalidArgument, Reason::kComponentUnknown, "fill");
  }
  if (!oplang::Requires(query->terms, value.component)) {
    return MakeError(absl::StatusCode::kNotFound, Reason::kComponentAbsent, "fill");
  }
  const ComponentDescriptor& descriptor = world_->registry()[component];
  ASHLAR_RETURN_IF_ERROR(descriptor.CheckFit(value.value));
  if (descriptor.lifecycle() != nullptr) return FillObjects(*query, value);
  // One byte more, so that data() is never null; a vector's memory is aligned for every scalar.
  std::vector<std::byte> packed(descriptor.size_bytes() + 1);
  descriptor.Pack(value.value, packed.data());
  ASHLAR_RETURN_IF_ERROR(descriptor.Validate(packed.data()));

  const absl::StatusOr<IterationScope> scope = world_->OpenScope(query->write);
  if (!scope.ok()) return scope.status();
  for (const ChunkView& view : *scope) {
    for (std::size_t row = 0; row < view.row_count(); ++row) {
      view.StoreValue(component, row, packed.data());
    }
  }
  return absl::OkStatus();
}

// Every entity that the model says must be in the chunks that were changed since the mark.
absl::Status Runner::VisitSince(const BoundQuery* query, oplang::ComponentRef component,
                                ChangeMark::Kind kind) {
  const auto scope = world_->OpenScope(query != nullptr ? query->read : QueryId::None());
  if (!scope.ok()) return scope.status();
  if (!world_->registry().Contains(ComponentId(component))) {
    return MakeError(absl::StatusCode::kInvalidArgument, Reason::kComponentUnknown, "changed");
  }
  const Entity left_out = mark_.FindLeftOut(model_, query->terms, component, kind,
                                            mark_.Visit(*scope, component, kind));
  if (left_out.is_null()) return absl::OkStatus();
  result_.difference =
      absl::StrCat(bindings_.TextOf(left_out), " has changed since the mark, and is not visited");
  return absl::OkStatus();
}

// Row by row, since no bytes can be copied there. What is armed is for calls that are all or
// nothing, and a fill is as many calls as there are rows.
absl::Status Runner::FillObjects(const BoundQuery& query, const NamedValue& value) {
  injection_.End();
  const ComponentValue given(ComponentId(value.component), std::span<const Scalar>(value.value));
  absl::Status status = CheckValue("fill", world_->registry()[given.component()], given,
                                   std::pmr::get_default_resource());
  if (!status.ok()) return status;
  const absl::StatusOr<IterationScope> scope = world_->OpenScope(query.write);
  if (!scope.ok()) return scope.status();
  is_filling_ = true;
  for (const ChunkView& view : *scope) {
    for (const Entity entity : view.entities()) {
      if (status.ok()) status = world_->Set(entity, std::span(&given, 1));
    }
  }
  is_filling_ = false;
  return status;
}

// As many objects live as rows of the model hold one, commands are to give one and the world has
// one for itself, component by component.
std::string Runner::CountObjects() {
  operands_.EndObjects();
  for (const std::uint16_t component : schema_->tracked_components()) {
    const TrackedType* type = schema_->Tracked(component);
    const std::size_t rows = comparer_.rows_with(component);
    const std::size_t recorded = commands_.CountValues(component);
    const std::size_t single = model_.singletons().contains(component) ? 1 : 0;
    if (type->live_count() == static_cast<std::int64_t>(rows + recorded + single)) continue;
    return absl::StrCat(type->live_count(), " objects of ", NameOf((*schema_)[component]),
                        " live, ", rows, " rows hold one, ", recorded, " are recorded and ", single,
                        " is the world's own");
  }
  return "";
}

}  // namespace ashlar::model
