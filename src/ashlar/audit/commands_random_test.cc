// A command buffer equals its commands, run one by one, or it changes nothing: random buffers over
// random worlds, held against a twin in which everything is done call by call.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ashlar/audit/commands_fixture.h"
#include "ashlar/audit/digest.h"
#include "ashlar/audit/integrity.h"
#include "ashlar/core/poison.h"

namespace ashlar {
namespace {

using namespace commands_testing;

constexpr std::uint64_t kIndexLimit = 9;  // Few, so that ids run out.

class CommandsRandomTest : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(CommandsRandomTest, ABufferEqualsItsCommandsOrChangesNothing) {
  const int seeds = ASHLAR_ASAN ? 25 : 120;
  std::size_t applied = 0;
  std::size_t refused = 0;
  std::size_t skipped = 0;
  std::size_t reasons[kReasonCount] = {};
  for (int seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Draw draw(static_cast<std::uint64_t>(seed) * 1000 + GetParam());
    Side side(GetParam(), kIndexLimit);
    auto twin = std::make_unique<Side>(GetParam(), kIndexLimit);
    std::vector<Round> history;
    std::vector<Entity> known;
    CommandBuffer buffer(*side.world);
    for (int number = 0; number < 40; ++number) {
      SCOPED_TRACE("round " + std::to_string(number));
      Round round;
      round.skips = draw.Chance(4);
      for (std::size_t i = draw.Below(4); i > 0 && !known.empty(); --i) {
        constexpr std::size_t kEnableable[] = {0, 2, 3};
        round.toggles.push_back(
            {known[draw.Below(known.size())], kEnableable[draw.Below(3)], draw.Chance(3)});
      }
      std::size_t placeholders = 0;
      for (std::size_t i = 1 + draw.Below(10); i > 0; --i) {
        round.steps.push_back(DrawStep(draw, known, &placeholders));
      }
      for (const Toggle& toggle : round.toggles) {
        (void)side.world->SetEnabled(toggle.entity, side.Id(toggle.component), toggle.enabled);
      }
      std::vector<Placeholder> made;
      buffer.Clear();
      for (const Step& step : round.steps) {
        ASSERT_TRUE(side.Record(step, buffer, &made).ok());
      }
      const std::uint64_t digest = Digest(*side.world);
      const std::uint64_t version = side.world->version();
      const std::vector<ArchetypeRows> rows = RowsOf(*side.world);
      const auto report =
          Apply(*side.world, buffer, round.skips ? DeadTargets::kSkip : DeadTargets::kRefuse);
      twin->order_before = OrderOf(rows);
      const Outcome expected = PlayOneByOne(*twin, round);
      ASSERT_EQ(report.status().code(), expected.status.code())
          << report.status() << " but " << expected.status;
      ASSERT_EQ(ReasonOf(report.status()), ReasonOf(expected.status))
          << report.status() << " but " << expected.status;
      ASSERT_TRUE(CheckIntegrity(*side.world).ok()) << CheckIntegrity(*side.world);
      ++reasons[static_cast<int>(ReasonOf(report.status()))];
      if (!report.ok()) {
        ++refused;
        ASSERT_EQ(Digest(*side.world), digest);
        ASSERT_EQ(side.world->version(), version);
        ASSERT_EQ(RowsOf(*side.world), rows);
        ASSERT_FALSE(buffer.is_applied());
        const bool names_one = report.status().code() != absl::StatusCode::kResourceExhausted;
        ASSERT_EQ(RefusedCommand(report.status()).has_value(), names_one);
        if (names_one) {
          ASSERT_EQ(RefusedCommand(report.status())->command, expected.refused_step);
        }
        // Only the toggles of this round have happened.
        round.steps.clear();
        history.push_back(round);
        twin = std::make_unique<Side>(GetParam(), kIndexLimit);
        for (const Round& past : history) (void)PlayOneByOne(*twin, past);
      } else {
        ++applied;
        skipped += report->skipped;
        ASSERT_EQ(report->skipped, expected.skipped);
        ASSERT_LE(side.world->version(), version + 1);
        history.push_back(round);
        ASSERT_EQ(made.size(), twin->made.size());
        for (std::size_t i = 0; i < made.size(); ++i) {
          ASSERT_EQ(*buffer.Resolve(made[i]), twin->made[i]);
          known.push_back(twin->made[i]);
        }
      }
      ASSERT_EQ(Digest(*side.world), Digest(*twin->world));
      if (report.ok()) {
        ASSERT_EQ(RowsOf(*side.world), PredictRows(rows, twin->named, *twin->world));
      }
      if (!report.ok()) buffer.Clear();
      // And the two that the sides make their values of.
      ASSERT_EQ(static_cast<std::size_t>(Plain::live),
                2 + *side.world->registry().ObjectCounter(side.watched.id()) +
                    *twin->world->registry().ObjectCounter(side.watched.id()));
      if (known.size() > 60) known.erase(known.begin(), known.begin() + 20);
    }
  }
  // It is of use only where all of this happens.
  EXPECT_GT(applied, static_cast<std::size_t>(seeds) * 5);
  EXPECT_GT(refused, static_cast<std::size_t>(seeds) * 5);
  EXPECT_GT(skipped, static_cast<std::size_t>(seeds) / 2);
  for (const Reason reason :
       {Reason::kEntityNotAlive, Reason::kComponentPresent, Reason::kComponentAbsent,
        Reason::kRowTooLarge, Reason::kIdsExhausted}) {
    EXPECT_GT(reasons[static_cast<int>(reason)], 0u) << ReasonName(reason);
  }
}

INSTANTIATE_TEST_SUITE_P(Capacities, CommandsRandomTest, ::testing::Values(0u, 1u, 2u, 4u));

}  // namespace
}  // namespace ashlar
