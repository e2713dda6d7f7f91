// Commands, and changes of many entities at once, for the reference world.
//
// A recorded command is kept as data. Applied, commands are run one by one on a copy of the world,
// those that are not late first, buffer by buffer, each buffer's as they were recorded;
// the copy takes the world's place when all of them have succeeded, and is dropped at the first
// that has not. A change by query is the same change for each entity that matches, one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ashlar/core/entity.h"
#include "ashlar/oplang/operation.h"
#include "model/reference_world.h"

namespace ashlar::model {

// What is done to an entity.
struct ReferenceChange {
  oplang::CommandVerb verb = oplang::CommandVerb::kCreate;
  std::vector<std::uint16_t> removed;
  std::vector<NamedValue> values;
};

using ReferenceTerms = std::vector<oplang::QueryTerm>;

// A command is about one of these: what matches a query; the entity of an earlier create; an
// entity.
struct ReferenceCommand {
  ReferenceChange change;
  bool by_query = false;
  std::optional<ReferenceTerms> terms;  // Of the query; nothing where there is no such query.
  std::optional<std::size_t> made;      // Which of the creates that were recorded before it.
  Entity entity;
  std::uint8_t buffer = 0;
  bool is_late = false;
};

struct ReferenceReport {
  std::optional<std::size_t> refused;  // The command that is refused, as they were recorded.
  std::size_t skipped = 0;             // Commands whose entity was not alive.
  std::vector<Entity> made;            // By create, as they were recorded.
};

// What a hook records that has heard of it. REQUIRES: the reaction is not kNone.
ReferenceCommand ReactionCommand(const HeardEvent& event, oplang::HookReaction reaction);

class ReferenceCommands {
 public:
  // Errors: what does not depend on entities. Then nothing is recorded.
  oplang::Outcome Record(const ModelSchema& schema, const ReferenceCommand& command);

  // Runs the commands, and forgets them; or is refused, and then they and the world are as before.
  // What there is too little of names no command.
  oplang::Outcome Apply(ReferenceWorld* world, bool skip_dead, ReferenceReport* report);

  void Clear() { *this = {}; }

  std::size_t size() const { return commands_.size(); }
  std::size_t made_count() const { return made_in_.size(); }
  std::size_t SizeOf(std::uint8_t buffer) const;

  // The buffer that a create was recorded in. REQUIRES: made < made_count().
  std::uint8_t BufferOf(std::size_t made) const { return made_in_[made]; }

  // The number, of all that are recorded, of a buffer's nth command. Nothing if it has none.
  std::optional<std::size_t> NumberOf(std::size_t buffer, std::size_t nth) const;

  // How many values of the component are recorded.
  std::size_t CountValues(std::uint16_t component) const;

 private:
  struct Recorded {
    ReferenceCommand command;
    std::size_t made = 0;  // Of a create: which one it is.
  };

  std::vector<std::size_t> Order() const;

  std::vector<Recorded> commands_;
  std::vector<std::uint8_t> made_in_;  // By create: its buffer.
};

// Each does what the functions of bulk.h do that have its verb, and DestroyMany; `count`, which is
// set only when the outcome is OK, is how many entities have matched. No terms: no such query.
oplang::Outcome ChangeByQuery(ReferenceWorld* world, const std::optional<ReferenceTerms>& terms,
                              const ReferenceChange& change, std::size_t* count);
oplang::Outcome ChangeMany(ReferenceWorld* world, std::span<const Entity> entities,
                           const ReferenceChange& change);

}  // namespace ashlar::model
