// Odds first, each with what 20,000 programs from GenerateFromSeed (2.9 million operations, 389 of
// the programs large) reach with it and without it.

#include "model/component_drawer.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace ashlar::model {
namespace {

using oplang::ComponentArg;
using oplang::ComponentRef;

// That a component is the other way round from what the operation needs (there for an add, not
// there for a set). At even odds 30 % of adds and 31 % of sets succeed.
constexpr Odds kWishTurned{1, 12};

// So that every list of every operation meets a component that is not registered, and one that is
// named twice, more than 100 times in two million operations.
constexpr Odds kUnregistered{1, 64};
constexpr Odds kRepeated{1, 26};

// That a component is of the few that a program prefers. Queries then meet what entities have: 75 %
// of iterates find rows; with any component 50 %.
constexpr Odds kFavourite{15, 16};

// That an entity is made like others of its program: 72 % of programs have five rows of one
// signature, without this 47 %; of the 389 large ones 257 more than 122, without this none.
constexpr Odds kTemplate{3, 4};

// That a program prefers the wide components, all of them: 2.3 % of creates are rows too large for
// a chunk. Taking them as any other makes it 0.6 %; more of them make comparing slow.
constexpr Odds kWideFavourite{1, 8};

// That a value breaks a rule where there is one: at the odds of a value that does not fit (1 in
// 40), a fill would be refused by a rule 168 times, now 658.
constexpr Odds kBreaksRule{1, 10};
constexpr Odds kDoesNotFit{1, 40};

// A component from this size on is wide: two of them may not fit one chunk.
constexpr std::size_t kWideBytes = 1024;

// Draws until one is as wished; then the last is taken.
constexpr int kTriesMax = 8;

bool Contains(const std::vector<ComponentRef>& list, ComponentRef component) {
  return std::ranges::find(list, component) != list.end();
}

bool Has(const Components* row, ComponentRef component) {
  return row != nullptr && row->contains(component);
}

}  // namespace

ComponentDrawer::ComponentDrawer(std::span<const oplang::ComponentDeclaration> components,
                                 std::span<const ComponentDescriptor> descriptors,
                                 const Profile& profile, const Weights& weights, Random* random)
    : components_(components),
      descriptors_(descriptors),
      label_count_(profile.label_count),
      random_(*random) {
  DrawFavourites(weights[static_cast<std::size_t>(oplang::OpCode::kMove)] > 0);
  DrawTemplates(profile.live_rows_max > kSmallRowsMax);
}

bool ComponentDrawer::IsWide(std::size_t component) const {
  return descriptors_[component].size_bytes() >= kWideBytes;
}

// Two to six components; position and velocity among them where movement is on. Wide components
// are slow, so few programs have them, and then both.
void ComponentDrawer::DrawFavourites(bool moves) {
  const bool wide = Chance(kWideFavourite);
  const std::size_t count = 2 + random_.Below(5);
  for (std::size_t i = 0; i < components_.size(); ++i) {
    const auto component = static_cast<ComponentRef>(i);
    const bool is_moved = components_[i].name == "position" || components_[i].name == "velocity";
    if ((moves && is_moved) || (wide && IsWide(i))) favourites_.push_back(component);
  }
  for (int i = 0; i < 64 && favourites_.size() < count; ++i) {
    const auto component = static_cast<ComponentRef>(random_.Below(components_.size()));
    if (!IsWide(component) && !Contains(favourites_, component)) favourites_.push_back(component);
  }
  // All may be wide.
  if (favourites_.empty()) {
    favourites_.push_back(static_cast<ComponentRef>(random_.Below(components_.size())));
  }
}

// The kinds of entities that a program makes: one to three, in a large program one, so that its
// archetype grows.
void ComponentDrawer::DrawTemplates(bool is_large) {
  const std::size_t count = is_large ? 1 : 1 + random_.Below(3);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<ComponentRef> list;
    for (ComponentRef component : favourites_) {
      if (random_.Chance(1, 2)) list.push_back(component);
    }
    if (list.empty() && random_.Chance(7, 8)) list.push_back(favourites_.front());
    templates_.push_back(list);
  }
}

// Any that is registered.
ComponentRef ComponentDrawer::DrawAny() {
  if (Chance(kFavourite)) return favourites_[random_.Below(favourites_.size())];
  return static_cast<ComponentRef>(random_.Below(components_.size()));
}

// One that the row has or has not, as wished; now and then the other way round, or not registered.
ComponentRef ComponentDrawer::DrawOne(const Components* row, Wish wish) {
  if (Chance(kUnregistered)) {
    return static_cast<ComponentRef>(components_.size() + random_.Below(3));
  }
  const bool turned = Chance(kWishTurned);
  const bool wanted = (wish == Wish::kPresent) != turned;
  if (wanted && row != nullptr && !row->empty()) {
    return std::next(row->begin(), static_cast<std::ptrdiff_t>(random_.Below(row->size())))->first;
  }
  ComponentRef component = DrawAny();
  for (int i = 0; i < kTriesMax && Has(row, component) != wanted; ++i) {
    component = i < kTriesMax / 2 ? DrawAny()
                                  : static_cast<ComponentRef>(random_.Below(components_.size()));
  }
  return component;
}

// None to four; mostly one or two, mostly different ones. One that comes again by chance ends the
// list.
std::vector<ComponentRef> ComponentDrawer::DrawList(const Components* row, Wish wish) {
  static constexpr std::size_t kCounts[] = {0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4};
  const std::size_t count = kCounts[random_.Below(std::size(kCounts))];
  std::vector<ComponentRef> list;
  for (std::size_t i = 0; i < count; ++i) {
    if (!list.empty() && Chance(kRepeated)) {
      list.push_back(list[random_.Below(list.size())]);
      continue;
    }
    const ComponentRef component = DrawOne(row, wish);
    if (Contains(list, component)) break;
    list.push_back(component);
  }
  return list;
}

// Rules are few, so where there is one it is broken more often than values are made not to fit.
ValueAim ComponentDrawer::DrawAim(const TypeSpec& type) {
  const bool has_rule =
      std::ranges::any_of(type.fields, [](const FieldSpec& field) { return !field.rule.empty(); });
  if (has_rule && Chance(kBreaksRule)) return ValueAim::kBreaksRule;
  return Chance(kDoesNotFit) ? ValueAim::kDoesNotFit : ValueAim::kFits;
}

// A component that is not registered has no value that could be written.
ComponentArg ComponentDrawer::DrawArg(ComponentRef component) {
  ComponentArg arg{component, {}};
  if (component < components_.size()) {
    const TypeSpec& type = components_[component].type;
    arg.value = DrawValue(type, DrawAim(type), label_count_, &random_);
  }
  return arg;
}

std::vector<ComponentArg> ComponentDrawer::DrawArgs(std::span<const ComponentRef> components) {
  std::vector<ComponentArg> args;
  for (ComponentRef component : components) args.push_back(DrawArg(component));
  return args;
}

// What a new entity is made with.
std::vector<ComponentRef> ComponentDrawer::DrawNewRow() {
  if (Chance(kTemplate)) return templates_[random_.Below(templates_.size())];
  return DrawList(nullptr, Wish::kAbsent);
}

}  // namespace ashlar::model
