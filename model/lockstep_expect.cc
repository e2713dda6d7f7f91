#include "model/lockstep_expect.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ashlar/query/chunk_view.h"
#include "ashlar/world/iteration_scope.h"
#include "model/lockstep_dangling.h"
#include "model/lockstep_stored.h"

namespace ashlar::model {
namespace {

using Kind = oplang::ExpectOp::Kind;

// The value as the component stores it, labels resolved; nothing where it does not fit.
std::optional<Value> Fit(const ComponentDescriptor& descriptor, std::span<const Scalar> value,
                         const Bindings& bindings) {
  if (value.size() != descriptor.scalars().size()) return std::nullopt;
  Value fitted;
  for (std::size_t i = 0; i < value.size(); ++i) {
    Scalar scalar = value[i];
    if (scalar.kind == Scalar::Kind::kLabel) {
      const auto label = static_cast<oplang::Label>(scalar.bits);
      scalar = Scalar::EntityValue(bindings.Resolve(label));
    }
    const std::optional<Scalar> fit = FitScalar(descriptor.scalars()[i].type, scalar);
    if (!fit.has_value()) return std::nullopt;
    fitted.push_back(*fit);
  }
  return fitted;
}

std::string CheckNumber(std::string_view what, std::uint64_t wanted, std::uint64_t in_model,
                        std::uint64_t in_world) {
  const auto text = [&](std::string_view who, std::uint64_t number) {
    return absl::StrCat(absl::string_view(who.data(), who.size()), ": the ",
                        absl::string_view(what.data(), what.size()), " is ", number);
  };
  if (in_model != wanted) return text("model", in_model);
  return in_world == wanted ? "" : text("world", in_world);
}

}  // namespace

std::string ExpectChecker::Check(const oplang::ExpectOp& expect) {
  switch (expect.kind) {
    case Kind::kHolds:
    case Kind::kOnly:
    case Kind::kWithout:
    case Kind::kRow:
    case Kind::kOn:
    case Kind::kOff:
      return CheckEntity(expect, bindings_->Resolve(expect.entity));
    case Kind::kDead:
      return CheckDead(bindings_->Resolve(expect.entity));
    case Kind::kId:
      return CheckId(expect, bindings_->Resolve(expect.entity));
    case Kind::kMatches:
    case Kind::kCount:
    case Kind::kOrder:
    case Kind::kChunks:
      return CheckQuery(expect);
    case Kind::kLive:
      return CheckLive(expect);
    case Kind::kChanged:
    case Kind::kAdded:
      return CheckSince(expect);
    case Kind::kVersion:
      return CheckNumber("version", expect.count, model_->version(), world_->version());
    case Kind::kDangling: {
      const auto found = FindDanglingReferences(*world_);
      if (!found.ok()) return absl::StrCat("world: ", found.status().ToString());
      return CheckNumber("number of dangling references", expect.count,
                         DanglingInModel(*model_, schema_->ForModel()).size(), found->size());
    }
  }
  return "an expect statement of an unknown kind";
}

// The statements about an entity that must be alive.
std::string ExpectChecker::CheckEntity(const oplang::ExpectOp& expect, Entity entity) {
  const auto found = model_->entities().find(entity);
  if (found == model_->entities().end()) return "model: not alive";
  if (!world_->IsAlive(entity)) return "world: not alive";
  if (expect.kind == Kind::kRow) return CheckRow(expect, entity);
  if (expect.kind == Kind::kWithout) return CheckWithout(expect, entity, found->second);
  if (expect.kind == Kind::kOn || expect.kind == Kind::kOff) return CheckEnabled(expect, entity);
  return CheckComponents(expect, entity, found->second);
}

std::string ExpectChecker::CheckComponents(const oplang::ExpectOp& expect, Entity entity,
                                           const Components& components) {
  for (const oplang::ComponentArg& arg : expect.values) {
    if (std::string text = CheckComponent(arg, entity, components); !text.empty()) return text;
  }
  return expect.kind == Kind::kOnly ? CheckNothingElse(expect, entity, components) : "";
}

std::string ExpectChecker::CheckComponent(const oplang::ComponentArg& arg, Entity entity,
                                          const Components& components) {
  if (!IsComponent(arg.component)) return absl::StrCat("#", arg.component, " is not declared");
  const ComponentDescriptor& descriptor = (*schema_)[arg.component];
  const auto expected = components.find(arg.component);
  if (expected == components.end()) return absl::StrCat("model: has no ", NameOf(descriptor));
  StoredReader reader;
  const auto stored = reader.Get(*world_, descriptor, entity, ComponentId(arg.component));
  if (!stored.ok()) return absl::StrCat("world: ", stored.status().ToString());
  if (arg.value.empty()) return "";

  const std::optional<Value> wanted = Fit(descriptor, arg.value, *bindings_);
  if (!wanted.has_value()) return absl::StrCat("the value does not fit ", NameOf(descriptor));
  if (expected->second != *wanted) {
    return absl::StrCat("model: ", NameOf(descriptor), " is ",
                        ValueText(descriptor, expected->second), ", not ",
                        ValueText(descriptor, *wanted));
  }
  if (!HoldsBits(descriptor, *stored, *wanted)) {
    return absl::StrCat("world: ", NameOf(descriptor), " is ", descriptor.Print(*stored), ", not ",
                        ValueText(descriptor, *wanted));
  }
  return "";
}

std::string ExpectChecker::CheckNothingElse(const oplang::ExpectOp& expect, Entity entity,
                                            const Components& components) {
  for (std::size_t i = 0; i < schema_->size(); ++i) {
    const auto component = static_cast<oplang::ComponentRef>(i);
    const bool is_named = std::ranges::any_of(
        expect.values, [&](const auto& arg) { return arg.component == component; });
    if (is_named) continue;
    if (components.contains(component)) {
      return absl::StrCat("model: has ", NameOf((*schema_)[i]), " too");
    }
    if (world_->Has(entity, ComponentId(component)).value_or(false)) {
      return absl::StrCat("world: has ", NameOf((*schema_)[i]), " too");
    }
  }
  return "";
}

std::string ExpectChecker::CheckWithout(const oplang::ExpectOp& expect, Entity entity,
                                        const Components& components) {
  for (oplang::ComponentRef component : expect.components) {
    if (!IsComponent(component)) return absl::StrCat("#", component, " is not declared");
    if (components.contains(component)) {
      return absl::StrCat("model: has ", NameOf((*schema_)[component]));
    }
    const auto has = world_->Has(entity, ComponentId(component));
    if (!has.ok()) return absl::StrCat("world: ", has.status().ToString());
    if (*has) return absl::StrCat("world: has ", NameOf((*schema_)[component]));
  }
  return "";
}

std::string ExpectChecker::CheckEnabled(const oplang::ExpectOp& expect, Entity entity) {
  const bool wanted = expect.kind == Kind::kOn;
  for (oplang::ComponentRef component : expect.components) {
    bool enabled = false;
    const oplang::Outcome outcome = model_->IsEnabled(entity, component, &enabled);
    if (outcome.code != absl::StatusCode::kOk) {
      return absl::StrCat("model: ", oplang::OutcomeText(outcome));
    }
    const std::string name = NameOf((*schema_)[component]);
    if (enabled != wanted) return absl::StrCat("model: ", name, wanted ? " is off" : " is on");
    const auto got = world_->IsEnabled(entity, ComponentId(component));
    if (!got.ok()) return absl::StrCat("world: ", got.status().ToString());
    if (*got != wanted) return absl::StrCat("world: ", name, wanted ? " is off" : " is on");
  }
  return "";
}

std::string ExpectChecker::CheckDead(Entity entity) {
  if (model_->entities().contains(entity)) return "model: alive";
  return world_->IsAlive(entity) ? "world: alive" : "";
}

std::string ExpectChecker::CheckId(const oplang::ExpectOp& expect, Entity entity) {
  if (expect.entities.empty()) return "an expect statement without an id";
  const Entity wanted = expect.entities.front().literal;
  if (entity == wanted) return "";
  return absl::StrCat("the id is ", ScalarText(Scalar::EntityValue(entity)), ", not ",
                      ScalarText(Scalar::EntityValue(wanted)));
}

std::string ExpectChecker::CheckRow(const oplang::ExpectOp& expect, Entity entity) {
  const absl::StatusOr<Location> location = world_->Locate(entity);
  if (!location.ok()) return absl::StrCat("world: ", location.status().ToString());
  if (location->chunk.value() == expect.chunk && location->row.value() == expect.count) return "";
  return absl::StrCat("world: it is in chunk ", location->chunk.value(), " row ",
                      location->row.value());
}

// The statements about a query: in the world what its scope visits, in the model what it matches.
std::string ExpectChecker::CheckQuery(const oplang::ExpectOp& expect) {
  const BoundQuery* query = bindings_->Find(expect.query);
  if (query == nullptr) return absl::StrCat("q", expect.query, " is not bound");
  const absl::StatusOr<IterationScope> scope = world_->OpenScope(query->read);
  if (!scope.ok()) return absl::StrCat("world: ", scope.status().ToString());
  std::vector<Entity> visited;
  std::uint64_t chunk_count = 0;
  for (const ChunkView& view : *scope) {
    visited.insert(visited.end(), view.entities().begin(), view.entities().end());
    ++chunk_count;
  }
  if (expect.kind == Kind::kChunks) {
    return chunk_count == expect.count ? ""
                                       : absl::StrCat("world: visits ", chunk_count, " chunks");
  }
  const std::vector<Entity> matched = model_->Match(query->terms);
  if (expect.kind == Kind::kCount) {
    if (matched.size() != expect.count) return absl::StrCat("model: matches ", matched.size());
    return visited.size() == expect.count ? "" : absl::StrCat("world: visits ", visited.size());
  }
  std::vector<Entity> wanted;
  for (const oplang::EntityRef& ref : expect.entities) wanted.push_back(bindings_->Resolve(ref));
  if (expect.kind == Kind::kMatches) {
    std::ranges::sort(wanted);
    std::ranges::sort(visited);
  }
  if (visited != wanted) return absl::StrCat("world: visits ", ListText(visited));
  std::ranges::sort(wanted);
  return matched == wanted ? "" : absl::StrCat("model: matches ", ListText(matched));
}

// What the chunks hold that a scope visits for the mark; the model says only what must be there.
std::string ExpectChecker::CheckSince(const oplang::ExpectOp& expect) {
  const BoundQuery* query = bindings_->Find(expect.query);
  if (query == nullptr) return absl::StrCat("q", expect.query, " is not bound");
  if (expect.components.empty()) return "an expect statement without a component";
  const absl::StatusOr<IterationScope> scope = world_->OpenScope(query->read);
  if (!scope.ok()) return absl::StrCat("world: ", scope.status().ToString());
  std::vector<Entity> visited = mark_->Visit(
      *scope, expect.components.front(),
      expect.kind == Kind::kAdded ? ChangeMark::Kind::kAdded : ChangeMark::Kind::kChanged);
  std::vector<Entity> wanted;
  for (const oplang::EntityRef& ref : expect.entities) wanted.push_back(bindings_->Resolve(ref));
  std::ranges::sort(wanted);
  std::ranges::sort(visited);
  return visited == wanted ? "" : absl::StrCat("world: visits ", ListText(visited));
}

std::string ExpectChecker::CheckLive(const oplang::ExpectOp& expect) {
  if (model_->entities().size() != expect.count) {
    return absl::StrCat("model: ", model_->entities().size(), " are alive");
  }
  if (world_->entity_count() != expect.count) {
    return absl::StrCat("world: ", world_->entity_count(), " are alive");
  }
  return "";
}

std::string ExpectChecker::ListText(std::span<const Entity> entities) const {
  if (entities.empty()) return "nothing";
  return absl::StrJoin(entities, ", ", [this](std::string* out, Entity entity) {
    out->append(bindings_->TextOf(entity));
  });
}

}  // namespace ashlar::model
