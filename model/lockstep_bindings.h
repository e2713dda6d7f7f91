// Bindings: what the labels of a running program stand for.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "ashlar/core/entity.h"
#include "ashlar/core/ids.h"
#include "ashlar/oplang/operation.h"

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

class Bindings {
 public:
  // The entity that an operand names; null for a label that is not bound.
  Entity Resolve(const oplang::EntityRef& ref) const {
    return ref.is_label ? Resolve(ref.label) : ref.literal;
  }
  Entity Resolve(oplang::Label label) const {
    const auto found = entities_.find(label);
    return found == entities_.end() ? Entity() : found->second;
  }

  void Bind(oplang::Label label, Entity entity) { entities_[label] = entity; }

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
  std::vector<BoundQuery> queries_;
};

}  // namespace ashlar::model
