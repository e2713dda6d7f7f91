// What an operation changed in the world, as text, for verbose replay.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ashlar/world/world.h"
#include "model/lockstep_bindings.h"
#include "model/lockstep_stored.h"

namespace ashlar::model {

// Keeps the text of every row to find what changed since. Slow: for people who follow a replay.
class ChangeLog {
 public:
  // `all_rows` is a query of the world without terms. Both must outlive the log.
  ChangeLog(World* world, QueryId all_rows) : world_(world), all_rows_(all_rows) {}

  // The changes since the last call (since the world was empty, at first), in order of ids:
  //   "e1 0v1: created in chunk 0 row 0: health=80"
  //   "e1 0v1: - mana, health=79 (was 80)"
  //   "e1 0v1: + health=80, moved to chunk 0 row 0"
  //   "e1 0v4294967295: was 0v1"
  //   "0v1: destroyed"
  std::vector<std::string> Update(const Bindings& bindings);

 private:
  struct Row {
    Location location;
    std::map<ComponentId, std::string> values;
  };
  using Rows = std::map<Entity, Row>;

  Rows Take();
  void Describe(const Bindings& bindings, const Rows& now, std::vector<std::string>* lines) const;
  std::string Created(const Row& row) const;
  std::string Changed(const Row& before, const Row& after) const;
  std::string NameOf(ComponentId component) const;
  std::string ValueOf(ComponentId component, const std::string& text) const;

  World* world_;
  QueryId all_rows_;
  StoredReader reader_;
  Rows rows_;
};

}  // namespace ashlar::model
