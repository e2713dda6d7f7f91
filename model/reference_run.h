// A program's operations on the reference world: labels are bound, operands looked up, outcomes
// told.
//
// The generator asks it what a program has made so far, so that it can aim; tests of the model use
// it without any kernel.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "ashlar/core/entity.h"
#include "ashlar/oplang/operation.h"
#include "ashlar/schema/component_descriptor.h"
#include "model/reference_commands.h"
#include "model/reference_world.h"

namespace ashlar::model {

class ReferenceRun {
 public:
  using Terms = ReferenceTerms;

  // The descriptors must outlive the run.
  ReferenceRun(const oplang::Options& options, std::span<const ComponentDescriptor> components)
      : ReferenceRun(options, ModelSchema{components, {}}) {}
  ReferenceRun(const oplang::Options& options, const ModelSchema& schema)
      : world_(options, schema), components_(schema.descriptors) {}

  // Runs one operation. An `expect` is OK without being looked at, what is armed never fails, and
  // what is sorted counts as no new version.
  // Cost: that of the call on the reference world, and O(labels) for place_generation.
  oplang::Outcome Apply(const oplang::Action& action);

  const ReferenceWorld& world() const { return world_; }
  std::span<const ComponentDescriptor> components() const { return components_; }

  // What a name stands for now: null and nothing where it is not bound.
  Entity EntityOf(oplang::Label label) const;
  Entity EntityOf(const oplang::EntityRef& ref) const;
  const std::optional<Terms>& QueryOf(oplang::QueryLabel label) const { return queries_[label]; }

  // What is recorded; and the labels of entities that it will make, with which of its creates does.
  const ReferenceCommands& commands() const { return commands_; }
  const std::map<oplang::Label, std::size_t>& pending() const { return pending_; }

  // Which create makes what the operand names; nothing where that is not pending.
  std::optional<std::size_t> PendingOf(const oplang::EntityRef& ref) const;

 private:
  struct Visitor;

  void Bind(oplang::Label label, Entity entity);
  NamedValue Resolve(const oplang::ComponentArg& arg) const;
  std::vector<NamedValue> Resolve(std::span<const oplang::ComponentArg> args) const;
  oplang::Outcome Record(const oplang::RecordOp& op);
  oplang::Outcome ApplyCommands(bool skip_dead);

  ReferenceWorld world_;
  ReferenceCommands commands_;
  std::span<const ComponentDescriptor> components_;
  std::vector<Entity> labels_;                    // As long as the largest label bound so far.
  std::map<oplang::Label, std::size_t> pending_;  // Null in labels_.
  std::array<std::optional<Terms>, 256> queries_;
};

}  // namespace ashlar::model
