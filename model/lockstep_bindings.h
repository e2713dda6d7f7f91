// Bindings: what the labels of a running program stand for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "ashlar/core/entity.h"
#include "ashlar/core/ids.h"
#include "ashlar/oplang/operation.h"
#include "ashlar/world/command_buffer.h"

namespace ashlar::model {

// A query label that a `query` operation has bound. The world has it twice: `read` asks to read all
// its terms, `write` to write the all-terms (the same query where there are none; no query where
// the program fills none).
struct BoundQuery {
  oplang::QueryLabel label = 0;
  std::vector<oplang::QueryTerm> terms;
  QueryId read;
  QueryId write;
};

// What a label is bound to while its entity is recorded and not yet made.
struct PendingEntity {
  Placeholder placeholder;
  std::size_t number = 0;  // Which create of all that are recorded.
  std::uint8_t buffer = 0;
};

class Bindings {
 public:
  // The entity that an operand names; null for a label that is not bound, or pending.
  Entity Resolve(const oplang::EntityRef& ref) const {
    return ref.is_label ? Resolve(ref.label) : ref.literal;
  }
  Entity Resolve(oplang::Label label) const {
    const auto found = entities_.find(label);
    return found == entities_.end() ? Entity() : found->second;
  }

  void Bind(oplang::Label label, Entity entity) {
    entities_[label] = entity;
    pending_.erase(label);
  }
  void Bind(oplang::Label label, const PendingEntity& pending) {
    entities_[label] = Entity();
    pending_[label] = pending;
  }

  // Null where what the operand names is not pending.
  const PendingEntity* FindPending(const oplang::EntityRef& ref) const {
    const auto found = ref.is_label ? pending_.find(ref.label) : pending_.end();
    return found == pending_.end() ? nullptr : &found->second;
  }

  // All that are pending, by label; none are any more.
  std::map<oplang::Label, PendingEntity> TakePending() { return std::exchange(pending_, {}); }

  // Every label bound to `from` is bound to `to` from now on. Cost: O(labels).
  void Rename(Entity from, Entity to);

  // The query of that label; null where it is not bound. References to queries live until the next
  // Bind or Unbind of one.
  const BoundQuery* Find(oplang::QueryLabel label) const;
  std::span<const BoundQuery> queries() const { return queries_; }
  void Bind(BoundQuery query);
  void Unbind(oplang::QueryLabel label);

  // "e1 0v1", or "0v1" for an entity that no label names: for messages. Of several labels the
  // smallest. Cost: O(labels).
  std::string TextOf(Entity entity) const;

 private:
  absl::flat_hash_map<oplang::Label, Entity> entities_;
  std::map<oplang::Label, PendingEntity> pending_;
  std::vector<BoundQuery> queries_;
};

}  // namespace ashlar::model
