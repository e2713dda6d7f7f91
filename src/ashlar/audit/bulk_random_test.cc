// Bulk changes, path against path: by query run by run, by query entity by entity, and call by
// call; and by ids. The first two agree about rows, chunks and versions too.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ashlar/audit/commands_fixture.h"
#include "ashlar/audit/digest.h"
#include "ashlar/audit/integrity.h"
#include "ashlar/core/poison.h"
#include "ashlar/world/bulk.h"

namespace ashlar {
namespace {

using namespace commands_testing;

// When each chunk's columns were written and its rows changed, in the order of RowsOf.
std::vector<std::uint64_t> VersionsOf(const World& world) {
  std::vector<std::uint64_t> versions{world.version()};
  for (const Archetype* archetype : world.archetypes().numbered()) {
    for (std::uint32_t i = 0; i < archetype->chunk_count(); ++i) {
      versions.push_back(archetype->versions().order(ChunkIndex(i)));
      archetype->signature().ForEach([&](ComponentId component) {
        versions.push_back(archetype->WrittenVersion(ChunkIndex(i), component));
      });
    }
  }
  return versions;
}

// By the functions of bulk.h.
absl::StatusOr<std::size_t> CallBulk(Side& side, const Step& step) {
  const QueryId query = side.queries[step.query];
  const std::vector<ComponentValue> values = side.Values(step);
  switch (step.verb) {
    case Step::Verb::kDestroy:
      return DestroyByQuery(*side.world, query);
    case Step::Verb::kAdd:
      return AddByQuery(*side.world, query, values);
    case Step::Verb::kRemove:
      return RemoveByQuery(*side.world, query, side.Ids(step.removed));
    case Step::Verb::kSet:
      return SetByQuery(*side.world, query, values);
    default:
      return PutByQuery(*side.world, query, values);
  }
}

class BulkRandomTest : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(BulkRandomTest, ByQueryEveryPathAgrees) {
  const int seeds = ASHLAR_ASAN ? 20 : 60;
  std::size_t changed = 0;
  std::size_t refused = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Draw draw(static_cast<std::uint64_t>(seed) * 1000 + 500 + GetParam());
    Side runs(GetParam(), 200);  // Run by run.
    Side entries(GetParam(), 200);
    auto calls = std::make_unique<Side>(GetParam(), 200);
    std::vector<Round> history;
    std::vector<Entity> known;
    for (int number = 0; number < 25; ++number) {
      SCOPED_TRACE("round " + std::to_string(number));
      // Some entities one by one, on every side; then one change by query.
      Round round;
      for (std::size_t i = draw.Below(12); i > 0; --i) {
        Step step;
        step.value = draw.Below(50);
        step.given = DrawComponents(draw, 4);
        // Mostly without objects, so that the runs are used.
        if (!draw.Chance(8)) std::erase(step.given, std::size_t{2});
        round.steps.push_back(step);
      }
      for (Side* side : {&runs, &entries, calls.get()}) {
        const Outcome outcome = PlayOneByOne(*side, round);
        ASSERT_TRUE(outcome.status.ok() ||
                    outcome.status.code() == absl::StatusCode::kResourceExhausted ||
                    ReasonOf(outcome.status) == Reason::kRowTooLarge);
      }
      history.push_back(round);
      known.insert(known.end(), calls->made.begin(), calls->made.end());
      Round bulk;
      for (std::size_t i = draw.Below(6); i > 0 && !known.empty(); --i) {
        constexpr std::size_t kEnableable[] = {0, 2, 3};
        bulk.toggles.push_back(
            {known[draw.Below(known.size())], kEnableable[draw.Below(3)], draw.Chance(3)});
      }
      Step step = DrawBulkStep(draw);
      step.target = Step::Target::kQuery;
      step.query = draw.Below(kQueryCount);
      if (step.verb == Step::Verb::kDestroy && !draw.Chance(4)) step.verb = Step::Verb::kPut;
      if (!draw.Chance(6)) std::erase(step.given, std::size_t{2});
      bulk.steps.push_back(step);

      const std::vector<ArchetypeRows> rows = RowsOf(*runs.world);
      ASSERT_EQ(RowsOf(*entries.world), rows);
      for (Side* side : {&runs, &entries}) {
        for (const Toggle& toggle : bulk.toggles) {
          (void)side->world->SetEnabled(toggle.entity, side->Id(toggle.component), toggle.enabled);
        }
      }
      calls->order_before = OrderOf(rows);
      const std::uint64_t digest = Digest(*runs.world);
      const auto count = CallBulk(runs, step);
      CommandBuffer buffer(*entries.world);
      std::vector<Placeholder> none;
      ASSERT_TRUE(entries.Record(step, buffer, &none).ok());
      const auto report = Apply(*entries.world, buffer);
      const Outcome expected = PlayOneByOne(*calls, bulk);
      ASSERT_EQ(ReasonOf(count.status()), ReasonOf(expected.status))
          << count.status() << " but " << expected.status;
      ASSERT_EQ(ReasonOf(report.status()), ReasonOf(expected.status))
          << report.status() << " but " << expected.status;
      ASSERT_TRUE(CheckIntegrity(*runs.world).ok()) << CheckIntegrity(*runs.world);
      ASSERT_EQ(RowsOf(*runs.world), RowsOf(*entries.world));
      ASSERT_EQ(VersionsOf(*runs.world), VersionsOf(*entries.world));
      if (count.ok()) {
        changed += *count;
        ASSERT_EQ(RowsOf(*runs.world), PredictRows(rows, calls->named, *calls->world));
        history.push_back(bulk);
      } else {
        ++refused;
        ASSERT_EQ(Digest(*runs.world), digest);
        ASSERT_EQ(RowsOf(*runs.world), rows);
        bulk.steps.clear();
        history.push_back(bulk);
        calls = std::make_unique<Side>(GetParam(), 200);
        for (const Round& past : history) (void)PlayOneByOne(*calls, past);
      }
      ASSERT_EQ(Digest(*runs.world), Digest(*calls->world));
      ASSERT_EQ(Digest(*entries.world), Digest(*calls->world));
    }
  }
  EXPECT_GT(changed, static_cast<std::size_t>(seeds) * 50);
  EXPECT_GT(refused, static_cast<std::size_t>(seeds) / 4);
}

// By ids: values one for each entity, or the same for all.
absl::Status CallByIds(Side& side, const Step& step, const std::vector<Entity>& entities,
                       std::uint32_t first_value) {
  std::vector<Point> points;
  std::vector<Points> counts;
  std::vector<Plain> watched;
  for (std::size_t i = 0; i < entities.size(); ++i) {
    const auto value = static_cast<std::int32_t>(first_value + i);
    points.push_back({static_cast<float>(value), 0, 1});
    counts.push_back({value});
    watched.emplace_back(value);
  }
  const std::vector<ComponentValue> same = side.Values(step);
  std::vector<ComponentSpan> spans;
  for (std::size_t i = 0; i < step.given.size(); ++i) {
    switch (step.given[i]) {
      case 0:
        spans.emplace_back(side.point, points);
        break;
      case 1:
        spans.emplace_back(side.points, counts);
        break;
      case 2:
        spans.emplace_back(side.watched, watched);
        break;
      default:
        spans.push_back(ComponentSpan::Same(same[i]));
    }
  }
  switch (step.verb) {
    case Step::Verb::kDestroy:
      return side.world->DestroyMany(entities);
    case Step::Verb::kAdd:
      return AddMany(*side.world, entities, spans);
    case Step::Verb::kRemove:
      return RemoveMany(*side.world, entities, side.Ids(step.removed));
    case Step::Verb::kSet:
      return SetMany(*side.world, entities, spans);
    default:
      return PutMany(*side.world, entities, spans);
  }
}

// One entity after the other, with a span of one each.
absl::Status CallOneByOne(Side& side, const Step& step, const std::vector<Entity>& entities,
                          std::uint32_t first_value) {
  for (std::size_t i = 0; i < entities.size(); ++i) {
    if (side.world->IsAlive(entities[i])) side.Name({entities[i]});
    const auto value = first_value + static_cast<std::uint32_t>(i);
    const absl::Status done = CallByIds(side, step, {entities[i]}, value);
    if (!done.ok()) return done;
  }
  return absl::OkStatus();
}

TEST_P(BulkRandomTest, ByIdsEqualsOneByOne) {
  const int seeds = ASHLAR_ASAN ? 30 : 100;
  std::size_t changed = 0;
  std::size_t refused = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Draw draw(static_cast<std::uint64_t>(seed) * 1000 + 700 + GetParam());
    Side side(GetParam(), 200);
    Side twin(GetParam(), 200);
    std::vector<Entity> known;
    for (int number = 0; number < 15; ++number) {
      SCOPED_TRACE("round " + std::to_string(number));
      const Round round = DrawCreates(draw, 9, 3);
      for (Side* one : {&side, &twin}) (void)PlayOneByOne(*one, round);
      known.insert(known.end(), twin.made.begin(), twin.made.end());
      Step step = DrawBulkStep(draw);
      std::vector<Entity> entities;
      for (std::size_t i = draw.Below(8); i > 0 && !known.empty(); --i) {
        const Entity entity = known[draw.Below(known.size())];
        if (draw.Chance(20) || std::ranges::find(entities, entity) == entities.end()) {
          entities.push_back(entity);
        }
      }
      const std::vector<ArchetypeRows> rows = RowsOf(*side.world);
      const std::uint64_t digest = Digest(*side.world);
      const std::uint64_t version = side.world->version();
      twin.order_before = OrderOf(rows);
      twin.named.clear();
      const absl::Status done = CallByIds(side, step, entities, 1000);
      ASSERT_TRUE(CheckIntegrity(*side.world).ok()) << CheckIntegrity(*side.world);
      if (!done.ok()) {
        ++refused;
        ASSERT_EQ(Digest(*side.world), digest);
        ASSERT_EQ(RowsOf(*side.world), rows);
        ASSERT_EQ(side.world->version(), version);
        if (ReasonOf(done) == Reason::kEntityRepeated) continue;  // One by one it is no error.
        ASSERT_EQ(ReasonOf(CallOneByOne(twin, step, entities, 1000)), ReasonOf(done)) << done;
        break;  // The twin has done a part of it.
      }
      ASSERT_LE(side.world->version(), version + 1);
      const absl::Status expected = CallOneByOne(twin, step, entities, 1000);
      ASSERT_TRUE(expected.ok()) << expected;
      changed += entities.size();
      ASSERT_EQ(Digest(*side.world), Digest(*twin.world));
      ASSERT_EQ(RowsOf(*side.world), PredictRows(rows, twin.named, *twin.world));
    }
  }
  EXPECT_GT(changed, static_cast<std::size_t>(seeds) * 2);
  EXPECT_GT(refused, static_cast<std::size_t>(seeds) / 4);
}

INSTANTIATE_TEST_SUITE_P(Capacities, BulkRandomTest, ::testing::Values(0u, 1u, 2u, 4u));

}  // namespace
}  // namespace ashlar
