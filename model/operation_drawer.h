// Draws one operation of a given kind, aimed at what the program has made so far: the model runs
// along, so that an operation mostly names an entity that lives and components that it has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ashlar/oplang/operation.h"
#include "ashlar/schema/component_descriptor.h"
#include "model/component_drawer.h"
#include "model/generator.h"
#include "model/reference_run.h"

namespace ashlar::model {

class OperationDrawer {
 public:
  // All of them must outlive the drawer; so must the descriptors of the components, in order.
  OperationDrawer(std::span<const oplang::ComponentDeclaration> components,
                  const ModelSchema& schema, const Profile& profile, const Weights& weights,
                  Random* random);

  // An operation of that kind, as if everything drawn before had been run. An expect is never
  // drawn: a nop stands for it.
  oplang::Action Draw(oplang::OpCode code);

  // The model after everything drawn so far.
  const ReferenceWorld& world() const { return run_.world(); }

  // The rows that there are, and those that commands are to make.
  std::size_t live_rows() const { return world().entities().size() + run_.commands().made_count(); }

  // Whether any query label in use is bound.
  bool has_query() const;

 private:
  bool Chance(const Odds& odds) { return random_.Chance(odds.numerator, odds.denominator); }

  oplang::Action DrawAction(oplang::OpCode code);

  oplang::Action DrawCreate();
  oplang::Action DrawExchange(const oplang::EntityRef& entity);
  oplang::Action DrawPut(const oplang::EntityRef& entity);
  oplang::Action DrawSetField(const oplang::EntityRef& entity);
  oplang::Action DrawOfQueries(oplang::OpCode code, const Components* row);
  oplang::Action DrawFill();
  oplang::ComponentRef DrawSeen(const Components* row);
  oplang::ComponentRef DrawEnableable(const Components* row);
  oplang::Action DrawCreateMany();
  oplang::Action DrawOfBits(oplang::OpCode code, const oplang::EntityRef& entity,
                            const Components* row);
  oplang::Action DrawFlip(const Components* row);
  oplang::Action DrawMove();

  // Numbers near their ends, and what is to fail (failure_drawer.cc).
  oplang::Action DrawOfFailures(oplang::OpCode code, const oplang::EntityRef& entity);
  oplang::Action DrawPlaceGeneration(const oplang::EntityRef& entity);
  oplang::Action DrawPlaceIndex();
  oplang::Action DrawPlaceVersion();
  std::uint32_t DrawOrdinal();
  oplang::Action DrawFailAllocation();

  // Commands, and changes of many entities (command_drawer.cc). What is recorded is aimed at the
  // state that the program would have if the buffer were applied now.
  using Rows = std::vector<const Components*>;
  oplang::Action DrawOfCommands(oplang::OpCode code);
  oplang::Action DrawRecord();
  oplang::Action DrawApply();
  oplang::Action DrawByQuery();
  oplang::Action DrawMany();
  ReferenceRun RunAfterApply() const;
  oplang::EntityRef DrawTarget(const ReferenceRun& after);
  template <typename Op>
  void DrawChange(const Rows& rows, Op* op);
  std::vector<oplang::ComponentArg> DrawGiven(oplang::CommandVerb verb, const Components* row);

  // The order of rows, singletons and hooks (world_drawer.cc).
  oplang::Action DrawOfTheWorld(oplang::OpCode code);
  oplang::Action DrawSort();
  oplang::ComponentRef DrawSingle();

  std::vector<oplang::QueryTerm> DrawTerms();

  // A label whose entity lives (or does not), where there is one.
  oplang::Label DrawLabel(bool lives);
  oplang::EntityRef DrawEntity();
  oplang::QueryLabel DrawQueryLabel();

  // The components of the entity; null for one that does not live.
  const Components* RowOf(const oplang::EntityRef& entity) const;

  std::span<const oplang::ComponentDeclaration> components_;
  const Profile& profile_;
  Random& random_;
  ReferenceRun run_;
  bool is_stuck_ = false;  // The last apply was refused, and would be again.
  ComponentDrawer drawer_;
};

}  // namespace ashlar::model
