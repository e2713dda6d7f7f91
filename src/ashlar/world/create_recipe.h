// CreateRecipe: what the last Create found out about its list, for the next one with the same list.
//
// Most entities are made in runs: the same components, in the same order. Then nothing of the list
// has to be looked at again but whether it is the same, and where values go is known.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "ashlar/schema/component_registry.h"
#include "ashlar/storage/archetype.h"
#include "ashlar/world/component_value.h"

namespace ashlar::inline v0 {

class CreateRecipe {
 public:
  // Keeps the list, where it is short and every component is its bytes, packed and without rules.
  // REQUIRES: Create has just made an entity of this list in that archetype.
  void Keep(const ComponentRegistry& registry, Archetype* archetype,
            std::span<const ComponentValue> values) noexcept {
    archetype_ = nullptr;
    if (values.size() > kItemsMax) return;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const ComponentRegistry::Brief& brief = registry.brief(values[i].component());
      const Column column = archetype->ColumnOf(values[i].component());
      if (brief.is_checked || column.is_split()) return;
      items_[i] = {brief.type_key, column};
      items_[i].column.component = values[i].component();
    }
    count_ = values.size();
    archetype_ = archetype;
  }

  // The archetype that a list like the one that was kept goes to; null for another.
  Archetype* Find(std::span<const ComponentValue> values) const {
    if (archetype_ == nullptr || values.size() != count_) return nullptr;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const ComponentValue& value = values[i];
      const Item& item = items_[i];
      const bool is_right = value.component() == item.column.component &&
                            (value.type_key() == nullptr || value.type_key() == item.type_key);
      const bool is_tag = item.column.size_bytes == 0;
      const bool is_there =
          is_tag ? value.form() == ComponentValue::Form::kZero
                 : value.form() == ComponentValue::Form::kBytes && value.bytes() != nullptr;
      if (!is_right || !is_there) return nullptr;
    }
    return archetype_;
  }

  // Writes the values to a row. REQUIRES: Find(values).
  void Write(std::span<const ComponentValue> values, std::byte* chunk,
             RowIndex row) const noexcept {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Column& column = items_[i].column;
      if (column.size_bytes == 0) continue;
      CopyValue(column.At(chunk, row.value()), static_cast<const std::byte*>(values[i].bytes()),
                column.size_bytes);
    }
  }

 private:
  static constexpr std::size_t kItemsMax = 8;

  struct Item {
    TypeKey type_key;
    Column column;
  };

  Archetype* archetype_ = nullptr;  // Null: nothing is kept.
  std::size_t count_ = 0;
  std::array<Item, kItemsMax> items_{};
};

}  // namespace ashlar::inline v0
