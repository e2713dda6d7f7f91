// Draws one operation of a given kind, aimed at what the program has made so far: the model runs
// along, so that an operation mostly names an entity that lives and components that it has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ashlar/oplang/operation.h"
#include "ashlar/schema/component_descriptor.h"
#include "model/generator.h"
#include "model/generator_values.h"
#include "model/reference_run.h"

namespace ashlar::model {

class OperationDrawer {
 public:
  // All of them must outlive the drawer; so must the descriptors of the components, in order.
  OperationDrawer(std::span<const oplang::ComponentDeclaration> components,
                  std::span<const ComponentDescriptor> descriptors, const Profile& profile,
                  const Weights& weights, Random* random);

  // An operation of that kind, as if everything drawn before had been run. An expect is never
  // drawn: a nop stands for it.
  oplang::Action Draw(oplang::OpCode code);

  // The model after everything drawn so far.
  const ReferenceWorld& world() const { return run_.world(); }

  // Whether any query label in use is bound.
  bool has_query() const;

 private:
  // Whether the components of a list should be on the entity.
  enum class Wish : std::uint8_t { kPresent, kAbsent };

  void DrawFavourites(bool moves);
  void DrawTemplates();
  oplang::Action DrawAction(oplang::OpCode code);

  oplang::Action DrawCreate();
  oplang::Action DrawExchange(const oplang::EntityRef& entity);
  oplang::Action DrawPut(const oplang::EntityRef& entity);
  oplang::Action DrawSetField(const oplang::EntityRef& entity);
  oplang::Action DrawFill();
  oplang::Action DrawMove();
  oplang::Action DrawPlaceGeneration(const oplang::EntityRef& entity);
  std::vector<oplang::QueryTerm> DrawTerms();

  // A label whose entity lives (or does not), where there is one.
  oplang::Label DrawLabel(bool lives);
  oplang::EntityRef DrawEntity();
  oplang::QueryLabel DrawQueryLabel();

  // The components of the entity; null for one that does not live.
  const Components* RowOf(const oplang::EntityRef& entity) const;

  oplang::ComponentRef DrawComponent();
  oplang::ComponentRef DrawComponent(const Components* row, Wish wish);
  std::vector<oplang::ComponentRef> DrawComponents(const Components* row, Wish wish);
  oplang::ComponentArg DrawArg(oplang::ComponentRef component);
  std::vector<oplang::ComponentArg> DrawArgs(std::span<const oplang::ComponentRef> components);
  ValueAim DrawAim(const TypeSpec& type);

  std::span<const oplang::ComponentDeclaration> components_;
  const Profile& profile_;
  Random& random_;
  ReferenceRun run_;

  // Most components of a program come from a few, and most of its entities are made alike, so that
  // archetypes are met again and fill more than one chunk.
  std::vector<oplang::ComponentRef> favourites_;
  std::vector<std::vector<oplang::ComponentRef>> templates_;
};

}  // namespace ashlar::model
