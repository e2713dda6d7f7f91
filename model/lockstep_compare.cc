#include "model/lockstep_compare.h"

#include <algorithm>
#include <cstring>
#include <ranges>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ashlar/query/chunk_view.h"
#include "ashlar/world/iteration_scope.h"

namespace ashlar::model {
namespace {

// A stored number as the bits of a fitted scalar: signed integers keep their sign in 64 bits.
template <typename T>
bool SameRun(const std::byte* stored, const Scalar* fitted, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, stored + i * sizeof(T), sizeof(T));
    if (static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) != fitted[i].bits)
      return false;
  }
  return true;
}

bool SameEntityRun(const std::byte* stored, const Scalar* fitted, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    Entity value;
    std::memcpy(&value, stored + i * sizeof(Entity), sizeof(Entity));
    if (value.ToBits() != fitted[i].bits) return false;
  }
  return true;
}

bool SameBoolRun(const std::byte* stored, const Scalar* fitted, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if ((stored[i] != std::byte{0}) != (fitted[i].bits != 0)) return false;
  }
  return true;
}

bool SameField(const FieldType& type, const std::byte* stored, const Scalar* fitted) {
  switch (type.scalar) {
    case ScalarType::kF32:
    case ScalarType::kU32:
      return SameRun<std::uint32_t>(stored, fitted, type.count);
    case ScalarType::kF64:
    case ScalarType::kU64:
      return SameRun<std::uint64_t>(stored, fitted, type.count);
    case ScalarType::kI8:
      return SameRun<std::int8_t>(stored, fitted, type.count);
    case ScalarType::kI16:
      return SameRun<std::int16_t>(stored, fitted, type.count);
    case ScalarType::kI32:
      return SameRun<std::int32_t>(stored, fitted, type.count);
    case ScalarType::kI64:
      return SameRun<std::int64_t>(stored, fitted, type.count);
    case ScalarType::kU8:
      return SameRun<std::uint8_t>(stored, fitted, type.count);
    case ScalarType::kU16:
      return SameRun<std::uint16_t>(stored, fitted, type.count);
    case ScalarType::kBool:
      return SameBoolRun(stored, fitted, type.count);
    case ScalarType::kEntity:
      return SameEntityRun(stored, fitted, type.count);
  }
  return false;
}

}  // namespace

bool HoldsBits(const ComponentDescriptor& descriptor, const std::byte* stored,
               std::span<const Scalar> fitted) {
  if (fitted.size() != descriptor.scalars().size()) return false;
  if (descriptor.lifecycle() != nullptr) {
    Value scalars(descriptor.scalars().size());
    descriptor.UnpackTo(stored, scalars);
    return std::ranges::equal(scalars, fitted);
  }
  const Scalar* next = fitted.data();
  for (const Field& field : descriptor.fields()) {
    if (!SameField(field.type, stored + field.offset_bytes, next)) return false;
    next += field.type.count;
  }
  return true;
}

StateComparer::StateComparer(World* world, const ReferenceWorld* model, const Schema* schema,
                             const Bindings* bindings, QueryId all_rows)
    : world_(world), model_(model), schema_(schema), bindings_(bindings), all_rows_(all_rows) {}

bool StateComparer::Differ(std::string text) {
  difference_ = std::move(text);
  return false;
}

bool StateComparer::SameState() {
  return SameByLookUp() && SameByIteration() && SameQueries() && SameSingletons() && SameVersion();
}

bool StateComparer::SameVersion() {
  if (world_->version() == model_->version()) return true;
  return Differ(absl::StrCat("the world's version is ", world_->version(), ", the model's ",
                             model_->version()));
}

bool StateComparer::SameByLookUp() {
  if (world_->entity_count() != model_->entities().size()) {
    return Differ(absl::StrCat("the world counts ", world_->entity_count(),
                               " live entities, the model ", model_->entities().size()));
  }
  rows_with_.assign(schema_->size(), 0);
  for (const auto& [entity, components] : model_->entities()) {
    if (!SameLiveEntity(entity, components)) return false;
    for (const auto& [component, value] : components) ++rows_with_[component];
  }
  return true;
}

bool StateComparer::SameEntity(Entity entity) {
  const auto found = model_->entities().find(entity);
  if (found != model_->entities().end()) return SameLiveEntity(entity, found->second);
  if (!world_->IsAlive(entity)) return true;
  return Differ(absl::StrCat(bindings_->TextOf(entity), ": alive in the world, not in the model"));
}

// Every component of the model can be got, and the row has no more than those. (That Has says no
// for the others too is seen where the rows are visited: views ask the same signature.)
bool StateComparer::SameLiveEntity(Entity entity, const Components& components) {
  const absl::StatusOr<Location> location = world_->Locate(entity);
  if (!world_->IsAlive(entity) || !location.ok()) {
    return Differ(
        absl::StrCat(bindings_->TextOf(entity), ": alive in the model, not in the world"));
  }
  for (const auto& [component, value] : components) {
    const ComponentId id(component);
    const absl::StatusOr<bool> has = world_->Has(entity, id);
    const absl::StatusOr<const std::byte*> stored =
        component < schema_->size() ? reader_.Get(*world_, (*schema_)[component], entity, id)
                                    : world_->Get(entity, id);
    if (!has.ok() || !*has || !stored.ok()) {
      return DifferInComponent(entity, component, has, stored.status());
    }
    if (!SameValue(entity, component, *stored, value)) return false;
    if (!(*schema_)[component].is_enableable()) continue;
    const bool enabled = world_->IsEnabled(entity, id).value_or(false);
    if (!SameEnabled(entity, component, enabled)) return false;
  }
  const std::size_t count = world_->archetypes()[location->archetype].signature().size();
  return count == components.size() ||
         Differ(absl::StrCat(bindings_->TextOf(entity), ": has ", count,
                             " components in the world, ", components.size(), " in the model"));
}

bool StateComparer::DifferInComponent(Entity entity, std::uint16_t component,
                                      const absl::StatusOr<bool>& has, const absl::Status& get) {
  return Differ(absl::StrCat(bindings_->TextOf(entity), ": has ", NameOf((*schema_)[component]),
                             " in the model; in the world Has is ",
                             has.ok() ? (*has ? "true" : "false") : has.status().ToString(),
                             " and Get ", get.ToString()));
}

bool StateComparer::SameValue(Entity entity, std::uint16_t component, const std::byte* stored,
                              const Value& expected) {
  return HoldsBits((*schema_)[component], stored, expected) ||
         DifferInValue(entity, component, stored, expected);
}

bool StateComparer::DifferInValue(Entity entity, std::uint16_t component, const std::byte* stored,
                                  const Value& expected) {
  const ComponentDescriptor& descriptor = (*schema_)[component];
  return Differ(absl::StrCat(bindings_->TextOf(entity), ": ", NameOf(descriptor), " is ",
                             descriptor.Print(stored), " in the world, ",
                             ValueText(descriptor, expected), " in the model"));
}

bool StateComparer::SameEnabled(Entity entity, std::uint16_t component, bool enabled) {
  return enabled != model_->DisabledOf(entity).contains(component) ||
         DifferInEnabled(entity, component, enabled);
}

bool StateComparer::DifferInEnabled(Entity entity, std::uint16_t component, bool enabled) {
  return Differ(absl::StrCat(bindings_->TextOf(entity), ": ", NameOf((*schema_)[component]), " is ",
                             enabled ? "enabled" : "disabled", " in the world, ",
                             enabled ? "disabled" : "enabled", " in the model"));
}

bool StateComparer::SameByIteration() {
  const absl::StatusOr<IterationScope> scope = world_->OpenScope(all_rows_);
  if (!scope.ok()) return Differ(absl::StrCat("no scope opens: ", scope.status().ToString()));
  visited_.clear();
  columns_of_ = ArchetypeId();
  for (const ChunkView& view : *scope) {
    ListColumns(view);
    const std::span<const Entity> entities = view.entities();
    for (std::size_t row = 0; row < entities.size(); ++row) {
      const auto found = model_->entities().find(entities[row]);
      if (found == model_->entities().end()) {
        return Differ(absl::StrCat(bindings_->TextOf(entities[row]), ": a row in chunk ",
                                   view.chunk().value(), " row ", row,
                                   " of the world, not alive in the model"));
      }
      if (!SameRow(view, entities[row], row, found->second)) return false;
      for (const ViewColumn& column : columns_) {
        const bool enabled = view.IsEnabled(ComponentId(column.component), row);
        if (!SameEnabled(entities[row], column.component, enabled)) return false;
      }
      visited_.push_back(entities[row]);
    }
  }
  rows_compared_ += visited_.size();
  return VisitsExactlyModel();
}

// Views of one archetype have the same columns, in other places.
void StateComparer::ListColumns(const ChunkView& view) {
  if (view.archetype() == columns_of_) {
    for (ViewColumn& column : columns_) column = ColumnIn(view, column.component);
    return;
  }
  columns_of_ = view.archetype();
  columns_.clear();
  for (std::size_t i = 0; i < schema_->size(); ++i) {
    const auto component = static_cast<std::uint16_t>(i);
    if (view.Has(ComponentId(component))) columns_.push_back(ColumnIn(view, component));
  }
}

// Of a split component there is no one place where its values begin.
StateComparer::ViewColumn StateComparer::ColumnIn(const ChunkView& view,
                                                  std::uint16_t component) const {
  const ComponentDescriptor& descriptor = (*schema_)[component];
  return {component, descriptor.size_bytes(),
          descriptor.is_split() ? nullptr : view.ReadBytes(ComponentId(component))};
}

const std::byte* StateComparer::StoredIn(const ChunkView& view, const ViewColumn& column,
                                         std::size_t row) {
  if (column.begin != nullptr) return column.begin + row * column.stride_bytes;
  return reader_.Read(view, (*schema_)[column.component], ComponentId(column.component), row);
}

bool StateComparer::SameRow(const ChunkView& view, Entity entity, std::size_t row,
                            const Components& components) {
  auto expected = components.begin();
  for (const ViewColumn& column : columns_) {
    if (expected == components.end() || expected->first != column.component) {
      return Differ(absl::StrCat(bindings_->TextOf(entity), ": its row has ",
                                 NameOf((*schema_)[column.component]),
                                 " where the model has another component or none"));
    }
    const std::byte* stored = StoredIn(view, column, row);
    if (!SameValue(entity, column.component, stored, expected->second)) return false;
    ++expected;
  }
  if (expected == components.end()) return true;
  return Differ(absl::StrCat(bindings_->TextOf(entity), ": its row lacks ",
                             NameOf((*schema_)[expected->first])));
}

// Every visited row is an entity of the model by now; what is left is that none comes twice and
// none is missing.
bool StateComparer::VisitsExactlyModel() {
  std::ranges::sort(visited_);
  const auto keys = model_->entities() | std::views::keys;
  if (std::ranges::equal(visited_, keys)) return true;
  return Differ(absl::StrCat("iteration visits ", ListText(visited_), "; the model has ",
                             ListText(std::vector<Entity>(keys.begin(), keys.end()))));
}

bool StateComparer::SameQueries() {
  for (const BoundQuery& query : bindings_->queries()) {
    const absl::StatusOr<IterationScope> scope = world_->OpenScope(query.read);
    if (!scope.ok()) {
      return Differ(
          absl::StrCat("q", query.label, ": no scope opens: ", scope.status().ToString()));
    }
    visited_.clear();
    for (const ChunkView& view : *scope) {
      visited_.insert(visited_.end(), view.entities().begin(), view.entities().end());
    }
    matches_.clear();
    model_->Match(query.terms, &matches_);
    if (!VisitsExactly(query, matches_)) return false;
    const absl::StatusOr<std::size_t> count = world_->CountRows(query.read);
    if (!count.ok() || *count != matches_.size()) {
      return Differ(absl::StrCat("q", query.label, ": CountRows is ",
                                 count.ok() ? absl::StrCat(*count) : count.status().ToString(),
                                 ", the model matches ", matches_.size()));
    }
  }
  return true;
}

bool StateComparer::VisitsExactly(const BoundQuery& query, std::span<const Entity> expected) {
  std::ranges::sort(visited_);
  if (std::ranges::equal(visited_, expected)) return true;
  return Differ(absl::StrCat("q", query.label, " visits ", ListText(visited_),
                             " in the world, matches ", ListText(expected), " in the model"));
}

bool StateComparer::SameVisit(const BoundQuery& query, const IterationScope& scope) {
  visited_.clear();
  for (const ChunkView& view : scope) {
    ListTermColumns(query, view);
    const std::span<const Entity> entities = view.entities();
    for (std::size_t row = 0; row < entities.size(); ++row) {
      visited_.push_back(entities[row]);
      const auto found = model_->entities().find(entities[row]);
      if (found == model_->entities().end()) continue;  // VisitsExactly reports it.
      for (const ViewColumn& column : columns_) {
        const auto expected = found->second.find(column.component);
        if (expected == found->second.end()) continue;
        const std::byte* stored = StoredIn(view, column, row);
        if (!SameValue(entities[row], column.component, stored, expected->second)) return false;
      }
    }
  }
  return VisitsExactly(query, model_->Match(query.terms));
}

void StateComparer::ListTermColumns(const BoundQuery& query, const ChunkView& view) {
  columns_.clear();
  for (const oplang::QueryTerm& term : query.terms) {
    const ComponentId component(term.component);
    if (term.kind == oplang::TermKind::kNone || !view.Has(component)) continue;
    const ComponentDescriptor& descriptor = (*schema_)[term.component];
    if (descriptor.is_tag()) continue;
    columns_.push_back(ColumnIn(view, term.component));
  }
}

std::string StateComparer::ListText(std::span<const Entity> entities) const {
  constexpr std::size_t kListedMax = 16;
  if (entities.empty()) return "nothing";
  const auto listed = entities.first(std::min(entities.size(), kListedMax));
  std::string text = absl::StrJoin(listed, ", ", [this](std::string* out, Entity entity) {
    out->append(bindings_->TextOf(entity));
  });
  if (entities.size() > kListedMax) {
    absl::StrAppend(&text, " and ", entities.size() - kListedMax, " more");
  }
  return text;
}

}  // namespace ashlar::model
