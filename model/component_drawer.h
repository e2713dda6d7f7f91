// Draws components and their values for the operations of one program: mostly of a few that the
// program prefers, and mostly present or absent as the operation needs them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ashlar/oplang/operation.h"
#include "ashlar/schema/component_descriptor.h"
#include "model/generator.h"
#include "model/generator_values.h"
#include "model/reference_world.h"

namespace ashlar::model {

class ComponentDrawer {
 public:
  // Whether a component should be on the entity.
  enum class Wish : std::uint8_t { kPresent, kAbsent };

  // The components, their descriptors and `random` must outlive the drawer.
  ComponentDrawer(std::span<const oplang::ComponentDeclaration> components,
                  std::span<const ComponentDescriptor> descriptors, const Profile& profile,
                  const Weights& weights, Random* random);

  // A component that the row has or has not. `row` is null for an entity that does not live.
  oplang::ComponentRef DrawOne(const Components* row, Wish wish);

  // None to four of them.
  std::vector<oplang::ComponentRef> DrawList(const Components* row, Wish wish);
  std::vector<oplang::ComponentRef> DrawNewRow();

  // With values: mostly such that fit and keep the rules.
  oplang::ComponentArg DrawArg(oplang::ComponentRef component);
  std::vector<oplang::ComponentArg> DrawArgs(std::span<const oplang::ComponentRef> components);
  ValueAim DrawAim(const TypeSpec& type);

 private:
  bool Chance(const Odds& odds) { return random_.Chance(odds.numerator, odds.denominator); }
  bool IsWide(std::size_t component) const;
  void DrawFavourites(bool moves);
  void DrawTemplates(bool is_large);
  oplang::ComponentRef DrawAny();

  std::span<const oplang::ComponentDeclaration> components_;
  std::span<const ComponentDescriptor> descriptors_;
  const std::uint32_t label_count_;
  Random& random_;

  // Most components of a program come from a few, and most of its entities are made alike, so that
  // archetypes are met again and fill more than one chunk.
  std::vector<oplang::ComponentRef> favourites_;
  std::vector<std::vector<oplang::ComponentRef>> templates_;
};

}  // namespace ashlar::model
