#include "model/lockstep_bindings.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ashlar/schema/scalar.h"

namespace ashlar::model {

void Bindings::Rename(Entity from, Entity to) {
  for (auto& [label, entity] : entities_) {
    if (entity == from) entity = to;
  }
}

const BoundQuery* Bindings::Find(oplang::QueryLabel label) const {
  for (const BoundQuery& query : queries_) {
    if (query.label == label) return &query;
  }
  return nullptr;
}

void Bindings::Bind(BoundQuery query) {
  Unbind(query.label);
  queries_.push_back(std::move(query));
}

void Bindings::Unbind(oplang::QueryLabel label) {
  std::erase_if(queries_, [label](const BoundQuery& query) { return query.label == label; });
}

std::string Bindings::TextOf(Entity entity) const {
  std::optional<oplang::Label> least;
  for (const auto& [label, bound] : entities_) {
    if (bound == entity && (!least.has_value() || label < *least)) least = label;
  }
  const std::string id = ScalarText(Scalar::EntityValue(entity));
  return least.has_value() ? absl::StrCat("e", *least, " ", id) : id;
}

}  // namespace ashlar::model
