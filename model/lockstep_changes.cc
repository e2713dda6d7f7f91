#include "model/lockstep_changes.h"

#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ashlar/query/chunk_view.h"
#include "ashlar/schema/scalar.h"
#include "ashlar/world/iteration_scope.h"

namespace ashlar::model {
namespace {

std::string PlaceText(const Location& location) {
  return absl::StrCat("chunk ", location.chunk.value(), " row ", location.row.value());
}

}  // namespace

ChangeLog::Rows ChangeLog::Take() {
  Rows rows;
  const absl::StatusOr<IterationScope> scope = world_->OpenScope(all_rows_);
  if (!scope.ok()) return rows;
  const ComponentRegistry& registry = world_->registry();
  for (const ChunkView& view : *scope) {
    for (std::size_t row = 0; row < view.row_count(); ++row) {
      Row& taken = rows[view.entities()[row]];
      taken.location = {view.archetype(), view.chunk(),
                        RowIndex(view.first_row() + static_cast<std::uint32_t>(row))};
      for (std::size_t i = 0; i < registry.size(); ++i) {
        const ComponentId component(static_cast<ComponentId::Rep>(i));
        if (!view.Has(component)) continue;
        const ComponentDescriptor& descriptor = registry[component];
        std::string& text = taken.values[component];
        if (!descriptor.is_tag())
          text = descriptor.Print(reader_.Read(view, descriptor, component, row));
        if (!view.IsEnabled(component, row)) text += " (off)";
      }
    }
  }
  return rows;
}

std::vector<std::string> ChangeLog::Update(const Bindings& bindings) {
  Rows now = Take();
  std::vector<std::string> lines;
  Describe(bindings, now, &lines);
  rows_ = std::move(now);
  return lines;
}

void ChangeLog::Describe(const Bindings& bindings, const Rows& now,
                         std::vector<std::string>* lines) const {
  // A row that is where it was, under another generation of its index, was renamed, not replaced:
  // no operation destroys and creates.
  std::map<std::uint32_t, Entity> gone;
  for (const auto& [entity, row] : rows_) {
    if (!now.contains(entity)) gone.emplace(entity.index(), entity);
  }
  for (const auto& [entity, row] : now) {
    const auto before = rows_.find(entity);
    if (before != rows_.end()) {
      const std::string text = Changed(before->second, row);
      if (!text.empty()) lines->push_back(absl::StrCat(bindings.TextOf(entity), ": ", text));
    } else if (const auto renamed = gone.find(entity.index()); renamed != gone.end()) {
      lines->push_back(absl::StrCat(bindings.TextOf(entity), ": was ",
                                    ScalarText(Scalar::EntityValue(renamed->second))));
      gone.erase(renamed);
    } else {
      lines->push_back(absl::StrCat(bindings.TextOf(entity), ": ", Created(row)));
    }
  }
  for (const auto& [index, entity] : gone) {
    lines->push_back(absl::StrCat(bindings.TextOf(entity), ": destroyed"));
  }
}

std::string ChangeLog::Created(const Row& row) const {
  std::vector<std::string> parts;
  parts.reserve(row.values.size());
  for (const auto& [component, text] : row.values) parts.push_back(ValueOf(component, text));
  return absl::StrCat("created in ", PlaceText(row.location), parts.empty() ? "" : ": ",
                      absl::StrJoin(parts, " "));
}

std::string ChangeLog::Changed(const Row& before, const Row& after) const {
  std::vector<std::string> parts;
  for (const auto& [component, text] : before.values) {
    if (!after.values.contains(component)) parts.push_back(absl::StrCat("- ", NameOf(component)));
  }
  for (const auto& [component, text] : after.values) {
    const auto found = before.values.find(component);
    if (found == before.values.end()) {
      parts.push_back(absl::StrCat("+ ", ValueOf(component, text)));
    } else if (found->second != text) {
      parts.push_back(absl::StrCat(ValueOf(component, text), " (was ", found->second, ")"));
    }
  }
  if (before.location != after.location) {
    parts.push_back(absl::StrCat("moved to ", PlaceText(after.location)));
  }
  return absl::StrJoin(parts, ", ");
}

std::string ChangeLog::NameOf(ComponentId component) const {
  return std::string(world_->registry()[component].name());
}

std::string ChangeLog::ValueOf(ComponentId component, const std::string& text) const {
  return text.empty() ? NameOf(component) : absl::StrCat(NameOf(component), "=", text);
}

}  // namespace ashlar::model
