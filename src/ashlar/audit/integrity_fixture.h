// For the tests of the integrity check: a world with something of everything, and the way behind
// its public API.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "ashlar/audit/integrity.h"
#include "ashlar/audit/storage_test_peer.h"
#include "ashlar/world/world_fixture.h"

namespace ashlar {

class IntegrityTest : public WorldFixture {
 protected:
  IntegrityTest() {
    WorldOptions options;
    options.rows_per_chunk_max = 2;
    Reset(options);
    query_ = *world_->MakeQuery(QuerySpec().Read(position_));
    for (int i = 0; i < 5; ++i) entities_[i] = *world_->Create({P({}), H({i})});
    tagged_ = *world_->Create({P({}), D()});
    for (int i = 0; i < 3; ++i) spare_[i] = *world_->Create();
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(world_->Destroy(spare_[i]).ok());
    EXPECT_TRUE(CheckIntegrity(*world_).ok()) << CheckIntegrity(*world_);
  }

  Archetype& ArchetypeOf(Entity entity) {
    return WorldTestPeer::Archetypes(*world_)[world_->Locate(entity)->archetype];
  }
  EntityDirectory& Directory() { return WorldTestPeer::Directory(*world_); }

  // The invariant that the check names now.
  int Broken() {
    const absl::Status status = CheckIntegrity(*world_);
    EXPECT_EQ(status.code(), absl::StatusCode::kInternal) << status;
    return BrokenInvariant(status);
  }

  // How many slots the free list shows to whoever looks at all of them.
  std::size_t FreeVisits() {
    std::size_t visits = 0;
    Directory().ForEachFree([&](std::uint32_t) {
      ++visits;
      return true;
    });
    return visits;
  }

  QueryId query_;
  Entity entities_[5];
  Entity tagged_;
  Entity spare_[3];
};

}  // namespace ashlar
