// Singletons in lockstep: the operations, and comparing all of them.
#include <span>

#include "absl/strings/str_cat.h"
#include "ashlar/world/singletons.h"
#include "model/lockstep_answers.h"
#include "model/lockstep_compare.h"
#include "model/lockstep_runner.h"

namespace ashlar::model {

bool StateComparer::SameSingletons() {
  for (std::size_t i = 0; i < schema_->size(); ++i) {
    const auto component = static_cast<std::uint16_t>(i);
    const bool is_there = world_->singletons().Has(ComponentId(component));
    // Mostly there is none on either side.
    if (!is_there && !model_->singletons().contains(component)) continue;
    if (!SameSingleton(component)) return false;
  }
  // So the calls are asked of one more, of each in its turn.
  if (schema_->size() == 0) return true;
  singleton_asked_ = (singleton_asked_ + 1) % schema_->size();
  return SameSingleton(static_cast<std::uint16_t>(singleton_asked_));
}

// That the world refuses to give what it has not is asked by the operation: a refusal is text.
bool StateComparer::SameSingleton(std::uint16_t component) {
  const ComponentId id(component);
  const auto expected = model_->singletons().find(component);
  const absl::StatusOr<bool> has = HasSingleton(*world_, id);
  const absl::StatusOr<std::uint64_t> version = SingletonVersion(*world_, id);
  if (!has.ok() || !version.ok()) return DifferInSingleton(component);
  if (expected == model_->singletons().end()) {
    return (!*has && *version == 0) || DifferInSingleton(component);
  }
  if (!*has || *version != expected->second.version) return DifferInSingleton(component);
  const absl::StatusOr<const std::byte*> stored = GetSingleton(*world_, id);
  return (stored.ok() && HoldsBits((*schema_)[component], *stored, expected->second.value)) ||
         DifferInSingleton(component);
}

// "no health", "health 80 of version 3", of both sides alike.
bool StateComparer::DifferInSingleton(std::uint16_t component) {
  const ComponentId id(component);
  const ComponentDescriptor& descriptor = (*schema_)[component];
  const auto none = [&](std::uint64_t version) {
    return absl::StrCat("no ", NameOf(descriptor),
                        version == 0 ? "" : absl::StrCat(" of version ", version));
  };
  const auto text = [&](const std::string& value, std::uint64_t version) {
    return absl::StrCat(NameOf(descriptor), " ", descriptor.is_tag() ? "as a tag" : value,
                        " of version ", version);
  };
  const auto stored = GetSingleton(*world_, id);
  const std::uint64_t version = SingletonVersion(*world_, id).value_or(0);
  const auto expected = model_->singletons().find(component);
  const bool is_wanted = expected != model_->singletons().end();
  return Differ(absl::StrCat(
      "the world has, for itself, ",
      stored.ok() ? text(descriptor.is_tag() ? "" : descriptor.Print(*stored), version)
                  : none(version),
      ", the model ",
      is_wanted ? text(ValueText(descriptor, expected->second.value), expected->second.version)
                : none(0)));
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
