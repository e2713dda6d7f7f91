// For the tests of DestroyMany: its rule about rows, followed slowly, and every call held against
// it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

#include "ashlar/audit/world_objects_fixture.h"

namespace ashlar {

class DestroyManyTest : public ObjectsTest {
 protected:
  // What the rows of one archetype must be: the rule, read aloud one row at a time.
  struct Expected {
    std::vector<Entity> rows;
    std::set<std::uint32_t> lost;    // Chunks that are left and that a row left,
    std::set<std::uint32_t> gained;  // and those that a row came to.
  };
  static Expected Reference(std::vector<Entity> rows, const std::set<Entity>& gone,
                            std::uint32_t capacity) {
    Expected expected;
    const auto is_gone = [&](std::size_t row) { return gone.contains(rows[row]); };
    std::size_t left = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) left += is_gone(row) ? 0 : 1;
    std::size_t next = left;
    for (std::size_t row = 0; row < left; ++row) {
      if (!is_gone(row)) {
        expected.rows.push_back(rows[row]);
        continue;
      }
      while (is_gone(next)) ++next;
      expected.rows.push_back(rows[next++]);
      expected.gained.insert(static_cast<std::uint32_t>(row / capacity));
    }
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const auto chunk = static_cast<std::uint32_t>(row / capacity);
      if ((row >= left || is_gone(row)) && chunk * capacity < left) expected.lost.insert(chunk);
    }
    return expected;
  }

  static std::vector<Entity> RowsOf(const Archetype& archetype) {
    std::vector<Entity> rows;
    for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
      for (std::uint32_t row = 0; row < archetype.RowsInChunk(ChunkIndex(chunk)); ++row) {
        rows.push_back(archetype.EntityAt(ChunkIndex(chunk), RowIndex(row)));
      }
    }
    return rows;
  }

  // Calls DestroyMany and holds rows, versions and the integrity check against the reference.
  void DestroyAndCompare(const std::vector<Entity>& list) {
    const std::set<Entity> gone(list.begin(), list.end());
    const std::uint64_t before = world_->version();
    const std::uint64_t version = list.empty() ? before : before + 1;
    std::vector<Expected> expected;
    std::vector<std::vector<std::uint64_t>> orders;
    std::vector<std::vector<std::uint64_t>> arrivals;
    for (const Archetype* archetype : world_->archetypes().numbered()) {
      expected.push_back(Reference(RowsOf(*archetype), gone, archetype->capacity()));
      orders.emplace_back();
      arrivals.emplace_back();
      for (std::uint32_t chunk = 0; chunk < archetype->chunk_count(); ++chunk) {
        orders.back().push_back(archetype->versions().order(ChunkIndex(chunk)));
        arrivals.back().push_back(archetype->versions().arrival(ChunkIndex(chunk)));
      }
    }
    ASSERT_TRUE(world_->DestroyMany(list).ok());
    CheckWorld();
    ASSERT_EQ(world_->version(), version);
    std::size_t i = 0;
    for (const Archetype* archetype : world_->archetypes().numbered()) {
      ASSERT_EQ(RowsOf(*archetype), expected[i].rows);
      for (std::uint32_t chunk = 0; chunk < archetype->chunk_count(); ++chunk) {
        const bool gained = expected[i].gained.contains(chunk);
        const bool lost = expected[i].lost.contains(chunk);
        ASSERT_EQ(archetype->versions().arrival(ChunkIndex(chunk)),
                  gained ? version : arrivals[i][chunk]);
        ASSERT_EQ(archetype->versions().order(ChunkIndex(chunk)),
                  gained || lost ? version : orders[i][chunk]);
      }
      ++i;
    }
    for (const Entity entity : list) ASSERT_FALSE(world_->IsAlive(entity));
  }
};

}  // namespace ashlar
