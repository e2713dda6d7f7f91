// For the tests of storage, query and audit: a registry with the components of the README's chunk.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory_resource>
#include <string_view>

#include "ashlar/schema/component_registry.h"
#include "ashlar/storage/archetype_table.h"
#include "ashlar/storage/chunk_pool.h"

namespace ashlar {

// position f32[3] = 0, velocity f32[3] = 1, health i32 = 2, disabled tag = 3.
class StorageFixture : public ::testing::Test {
 protected:
  StorageFixture() {
    for (auto [name, text] : {std::pair<std::string_view, std::string_view>{"position", "f32[3]"},
                              {"velocity", "f32[3]"},
                              {"health", "i32"},
                              {"disabled", "tag"}}) {
      TypeSpec spec;
      EXPECT_FALSE(ParseType(text, &spec).has_value());
      EXPECT_TRUE(registry_.Register(*ComponentDescriptor::FromSpec(name, spec)).ok());
    }
  }

  static Signature Of(std::initializer_list<ComponentId> ids) {
    Signature signature;
    for (ComponentId id : ids) signature.Insert(id);
    return signature;
  }

  static constexpr ComponentId kPosition{0};
  static constexpr ComponentId kVelocity{1};
  static constexpr ComponentId kHealth{2};
  static constexpr ComponentId kDisabled{3};

  std::pmr::memory_resource* memory_ = std::pmr::get_default_resource();
  ComponentRegistry registry_{memory_};
  ChunkPool pool_{memory_, 4096};
};

}  // namespace ashlar
