#include "ashlar/world/storage_report.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ashlar/world/world_fixture.h"

namespace ashlar {
namespace {

class StorageReportTest : public WorldFixture {
 protected:
  StorageFigures Report() { return *world_->StorageReport(); }
};

TEST_F(StorageReportTest, AnEmptyWorld) {
  const StorageFigures figures = Report();
  EXPECT_TRUE(figures.archetypes.empty());
  EXPECT_EQ(figures.rows, 0u);
  EXPECT_EQ(figures.pool_bytes, 0u);
  EXPECT_EQ(figures.occupancy(), 0.0);
  EXPECT_EQ(StorageReportText(figures),
            "total: no rows, 0 chunks, 0 bytes\n"
            "pool: 0 chunks in 0 slabs, 0 free, 0 bytes; Trim would give back 0\n");
}

// 123 rows of position and velocity open a second chunk; with health, 112 fill one to the last
// byte.
TEST_F(StorageReportTest, AKnownWorld) {
  for (int i = 0; i < 123; ++i) ASSERT_TRUE(world_->Create({P({}), V({})}).ok());
  for (int i = 0; i < 112; ++i) ASSERT_TRUE(world_->Create({V({}), H({}), P({})}).ok());
  const Entity tagged = *world_->Create({D()});
  ASSERT_TRUE(world_->Destroy(tagged).ok());
  const StorageFigures figures = Report();

  ASSERT_EQ(figures.archetypes.size(), 3u);
  const ArchetypeFigures& pv = figures.archetypes[0];
  EXPECT_EQ(pv.number, ArchetypeNumber(0));
  EXPECT_EQ(pv.id, ArchetypeId(0));
  EXPECT_EQ(pv.components, (std::vector<std::string>{"position", "velocity"}));
  EXPECT_EQ(pv.rows, 123u);
  EXPECT_EQ(pv.rows_per_chunk, 122u);
  EXPECT_EQ(pv.chunks, 2u);
  EXPECT_EQ(pv.capacity, 244u);
  EXPECT_EQ(pv.bytes, 8320u);
  EXPECT_DOUBLE_EQ(pv.occupancy(), 123.0 / 244.0);
  const ArchetypeFigures& pvh = figures.archetypes[1];
  EXPECT_EQ(pvh.components, (std::vector<std::string>{"position", "velocity", "health"}));
  EXPECT_EQ(pvh.rows, 112u);
  EXPECT_EQ(pvh.capacity, 112u);
  EXPECT_EQ(pvh.bytes, 4160u);
  EXPECT_EQ(pvh.occupancy(), 1.0);
  const ArchetypeFigures& empty = figures.archetypes[2];
  EXPECT_EQ(empty.components, (std::vector<std::string>{"disabled"}));
  EXPECT_EQ(empty.rows, 0u);
  EXPECT_EQ(empty.chunks, 0u);
  EXPECT_EQ(empty.occupancy(), 0.0);

  EXPECT_EQ(figures.rows, 235u);
  EXPECT_EQ(figures.chunks, 3u);
  EXPECT_EQ(figures.capacity, 356u);
  EXPECT_EQ(figures.bytes, 12480u);
  EXPECT_EQ(figures.slabs, 1u);
  EXPECT_EQ(figures.chunks_free, 1u);
  EXPECT_EQ(figures.pool_bytes, 16640u);
  EXPECT_EQ(figures.slabs_unused, 0u);
  EXPECT_EQ(figures.bytes_unused, 0u);

  EXPECT_EQ(
      StorageReportText(figures),
      "archetype 0 [position velocity]: 123 of 244 rows, 50.4 % full, 2 chunks of 122, 8320 bytes\n"
      "archetype 1 [position velocity health]: 112 of 112 rows, 100.0 % full, 1 chunk of 112, "
      "4160 bytes\n"
      "archetype 2 [disabled]: no rows, 0 chunks of 504, 0 bytes\n"
      "total: 235 of 356 rows, 66.0 % full, 3 chunks, 12480 bytes\n"
      "pool: 4 chunks in 1 slab, 1 free, 16640 bytes; Trim would give back 0\n");
}

TEST_F(StorageReportTest, SaysWhatTrimGivesBack) {
  std::vector<Entity> entities;
  for (int i = 0; i < 5 * 122; ++i) entities.push_back(*world_->Create({P({}), V({})}));
  EXPECT_EQ(Report().slabs, 2u);
  EXPECT_EQ(Report().slabs_unused, 0u);
  for (int i = 0; i < 122; ++i) ASSERT_TRUE(world_->Destroy(entities[i]).ok());
  const StorageFigures figures = Report();
  EXPECT_EQ(figures.chunks, 4u);
  EXPECT_EQ(figures.chunks_free, 4u);
  EXPECT_EQ(figures.slabs_unused, 1u);
  EXPECT_EQ(figures.bytes_unused, 16640u);
  EXPECT_EQ(figures.pool_bytes, figures.bytes + figures.chunks_free * 4160u);
  EXPECT_EQ(*world_->Trim(), figures.bytes_unused);
  EXPECT_EQ(Report().slabs, 1u);
  EXPECT_EQ(Report().pool_bytes, 16640u);
}

TEST_F(StorageReportTest, SparesAreNotReported) {
  // A refused row leaves an archetype that has no number; nobody sees it.
  TypeSpec spec;
  ASSERT_FALSE(ParseType("u8[3000]", &spec).has_value());
  const auto big = *world_->Register(*ComponentDescriptor::FromSpec("big", spec));
  const auto bigger = *world_->Register(*ComponentDescriptor::FromSpec("bigger", spec));
  const Entity entity = *world_->Create({ComponentValue(big)});
  EXPECT_FALSE(world_->Add(entity, {ComponentValue(bigger)}).ok());
  EXPECT_EQ(Report().archetypes.size(), 1u);
}

}  // namespace
}  // namespace ashlar
