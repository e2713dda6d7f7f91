// Singletons in lockstep: the operations, and comparing all of them.
#include <span>

#include "absl/strings/str_cat.h"
#include "ashlar/world/singletons.h"
#include "model/lockstep_answers.h"
#include "model/lockstep_compare.h"
#include "model/lockstep_runner.h"

namespace ashlar::model {

// "no health", "health 80", of both sides alike.
std::string StateComparer::SingletonText(std::uint16_t component, const std::byte* stored,
                                         bool is_there) const {
  const ComponentDescriptor& descriptor = (*schema_)[component];
  if (!is_there) return absl::StrCat("no ", NameOf(descriptor));
  return absl::StrCat(NameOf(descriptor), " ",
                      descriptor.is_tag() ? std::string("as a tag") : descriptor.Print(stored));
}

bool StateComparer::SameSingletons() {
  for (std::size_t i = 0; i < schema_->size(); ++i) {
    if (!SameSingleton(static_cast<std::uint16_t>(i))) return false;
  }
  return true;
}

// That the world refuses to give what it has not is asked by the operation: a refusal is text, and
// this is asked of every component after every operation.
bool StateComparer::SameSingleton(std::uint16_t component) {
  const ComponentId id(component);
  const auto expected = model_->singletons().find(component);
  const bool wanted = expected != model_->singletons().end();
  const absl::StatusOr<bool> has = HasSingleton(*world_, id);
  const bool is_there = has.ok() && *has;
  absl::StatusOr<const std::byte*> stored = nullptr;
  if (is_there) stored = GetSingleton(*world_, id);
  const bool is_same =
      has.ok() && stored.ok() && is_there == wanted &&
      (!wanted || HoldsBits((*schema_)[component], *stored, expected->second.value));
  if (!is_same) {
    return Differ(absl::StrCat(
        "the world has, for itself, ",
        SingletonText(component, stored.value_or(nullptr), is_there && stored.ok()), ", the model ",
        wanted ? ValueText((*schema_)[component], expected->second.value) : std::string("none")));
  }
  const std::uint64_t version = SingletonVersion(*world_, id).value_or(0);
  const std::uint64_t expected_version = wanted ? expected->second.version : 0;
  if (version == expected_version) return true;
  return Differ(absl::StrCat("the world's own ", NameOf((*schema_)[component]), " is of version ",
                             version, " in the world, ", expected_version, " in the model"));
}

void Runner::PutSingle(const oplang::ComponentArg& arg) {
  // Something that stays when other operations are cut decides the value's form.
  const std::uint64_t salt = arg.value.empty() ? 0 : arg.value.front().bits;
  operands_.ResolveValues(std::span(&arg, 1), static_cast<std::uint32_t>(salt));
  Both(model_.PutSingle(operands_.named().front()),
       [&](World& world) { return PutSingleton(world, operands_.values().front()); });
}

void Runner::RemoveSingle(oplang::ComponentRef component) {
  Both(model_.RemoveSingle(component),
       [&](World& world) { return RemoveSingleton(world, ComponentId(component)); });
}

// What both have is compared with all the others.
void Runner::GetSingle(oplang::ComponentRef component) {
  const Value* expected = nullptr;
  Both(model_.GetSingle(component, &expected),
       [&](World& world) { return GetSingleton(world, ComponentId(component)).status(); });
  if (both_ok() && !comparer_.SameSingleton(component)) {
    result_.difference = comparer_.difference();
  }
}

}  // namespace ashlar::model
