// The small types of core: entities, indices, statuses and their reasons, probes, vector levels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "ashlar/core/check.h"
#include "ashlar/core/cpu.h"
#include "ashlar/core/entity.h"
#include "ashlar/core/ids.h"
#include "ashlar/core/probe.h"
#include "ashlar/core/status.h"

namespace ashlar {
namespace {

using ::testing::IsEmpty;

TEST(EntityTest, GoesThrough64Bits) {
  EXPECT_EQ(Entity(4, 2).ToBits(), 0x0000000200000004u);
  EXPECT_EQ(Entity::FromBits(0x0000000200000004u), Entity(4, 2));
  for (const std::uint64_t bits :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0xFFFFFFFFu}, std::uint64_t{1} << 32,
        ~std::uint64_t{0}, std::uint64_t{0x8000000080000000u}}) {
    EXPECT_EQ(Entity::FromBits(bits).ToBits(), bits);
  }
}

TEST(EntityTest, OnlyAllZeroIsNull) {
  EXPECT_TRUE(Entity().is_null());
  EXPECT_TRUE(Entity::FromBits(0).is_null());
  EXPECT_FALSE(Entity(0, 1).is_null());
  EXPECT_FALSE(Entity(1, 0).is_null());
}

TEST(EntityTest, OrderIsByGenerationThenIndex) {
  EXPECT_LT(Entity(9, 1), Entity(0, 2));
  EXPECT_LT(Entity(0, 2), Entity(1, 2));
  EXPECT_NE(std::hash<Entity>()(Entity(1, 1)), std::hash<Entity>()(Entity(2, 1)));
}

TEST(StrongIndexTest, TheLargestValueMeansNone) {
  EXPECT_TRUE(ComponentId().is_none());
  EXPECT_EQ(ComponentId().value(), 65535);
  EXPECT_TRUE(ComponentId(65535).is_none());
  EXPECT_FALSE(ComponentId(65534).is_none());
  EXPECT_EQ(ArchetypeId::None().value(), 4294967295u);
}

TEST(StatusTest, EveryReasonHasItsOwnNameAndIsReadBack) {
  std::set<std::string> names;
  for (int i = 0; i < kReasonCount; ++i) {
    const auto reason = static_cast<Reason>(i);
    EXPECT_TRUE(names.insert(std::string(ReasonName(reason))).second) << ReasonName(reason);
    EXPECT_EQ(ParseReason(ReasonName(reason)), reason);
  }
  EXPECT_EQ(ReasonName(static_cast<Reason>(kReasonCount)), "unknown");
  EXPECT_EQ(ReasonName(Reason::kFileUnreadable), "file_unreadable");
  EXPECT_EQ(ParseReason("no such reason"), std::nullopt);
  EXPECT_EQ(ParseReason(""), std::nullopt);
}

TEST(StatusTest, AnErrorCarriesItsReason) {
  const absl::Status status = MakeError(absl::StatusCode::kNotFound, Reason::kEntityNotAlive, "x");
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(status.message(), "x");
  EXPECT_EQ(ReasonOf(status), Reason::kEntityNotAlive);
}

TEST(StatusTest, OtherStatusesHaveNoReason) {
  EXPECT_EQ(ReasonOf(absl::OkStatus()), Reason::kNone);
  EXPECT_EQ(ReasonOf(absl::NotFoundError("of somebody else")), Reason::kNone);
  absl::Status foreign = absl::NotFoundError("with a payload of ours that we never wrote");
  foreign.SetPayload("ashlar/reason", absl::Cord("a later version's reason"));
  EXPECT_EQ(ReasonOf(foreign), Reason::kNone);
}

TEST(StatusTest, OutOfMemoryIsACodeAlone) {
  EXPECT_EQ(OutOfMemory().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(OutOfMemory().message(), "");
  EXPECT_EQ(ReasonOf(OutOfMemory()), Reason::kNone);
}

TEST(StatusTest, CodesAreReadBack) {
  for (int i = 0; i <= 16; ++i) {
    const auto code = static_cast<absl::StatusCode>(i);
    const std::string_view name = StatusCodeName(code);
    if (name == "UNKNOWN") {
      EXPECT_EQ(ParseStatusCode(name), std::nullopt);
    } else {
      EXPECT_EQ(ParseStatusCode(name), code) << name;
    }
  }
  EXPECT_EQ(StatusCodeName(absl::StatusCode::kResourceExhausted), "RESOURCE_EXHAUSTED");
}

TEST(StatusTest, EntitiesInMessages) {
  EXPECT_EQ(EntityText(Entity(4, 2)), "entity 4v2");
  EXPECT_EQ(EntityText(Entity()), "the null entity");
}

TEST(StatusTest, ReturnIfErrorLeavesWithTheStatus) {
  int calls = 0;
  const auto run = [&](const absl::Status& status) -> absl::Status {
    ASHLAR_RETURN_IF_ERROR(status);
    ++calls;
    return absl::OkStatus();
  };
  EXPECT_TRUE(run(absl::OkStatus()).ok());
  EXPECT_EQ(ReasonOf(run(MakeError(absl::StatusCode::kInternal, Reason::kInvariantBroken, "I1"))),
            Reason::kInvariantBroken);
  EXPECT_EQ(calls, 1);
}

TEST(CpuTest, LevelsAreReadBack) {
  for (SimdLevel level : kSimdLevels) {
    EXPECT_EQ(ParseSimdLevel(SimdLevelName(level)), level);
  }
  EXPECT_EQ(SimdLevelName(SimdLevel::kAvx512), "avx512");
  EXPECT_TRUE(std::ranges::is_sorted(kSimdLevels));
  EXPECT_EQ(ParseSimdLevel("AVX2"), std::nullopt);
  EXPECT_EQ(ParseSimdLevel(""), std::nullopt);
  EXPECT_EQ(BestSimdLevel(), BestSimdLevel());
}

void Reach(bool condition) { ASHLAR_EVER(condition, "core_test: reached"); }

TEST(ProbeTest, CountsWhereTheConditionHolds) {
  ResetProbes();
  EXPECT_EQ(ProbeHits("core_test: reached"), 0u);
  Reach(false);
  EXPECT_THAT(HitProbes(), IsEmpty());
  Reach(true);
  Reach(true);
  EXPECT_EQ(ProbeHits("core_test: reached"), 2u);
  ASSERT_EQ(HitProbes().size(), 1u);
  EXPECT_EQ(HitProbes()[0].name, "core_test: reached");
  ResetProbes();
  Reach(true);
  EXPECT_EQ(HitProbes()[0].count, 1u);
  ResetProbes();
  EXPECT_THAT(HitProbes(), IsEmpty()) << "what was hit before does not count";
}

TEST(ProbeTest, PlacesOfOneNameAreOneState) {
  ResetProbes();
  Reach(true);
  ASHLAR_EVER(true, "core_test: reached");
  ASHLAR_EVER(true, "core_test: another");
  ASSERT_EQ(HitProbes().size(), 2u);
  EXPECT_EQ(HitProbes()[0].name, "core_test: another");
  EXPECT_EQ(HitProbes()[1].count, 2u);
}

TEST(ProbeTest, ThreadsAreNeverLostAltogether) {
  ResetProbes();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int k = 0; k < 1000; ++k) ASHLAR_EVER(true, "core_test: from threads");
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GE(ProbeHits("core_test: from threads"), 1u);
  EXPECT_LE(ProbeHits("core_test: from threads"), 4000u);
}

TEST(CheckDeathTest, SaysWhatAndWhere) {
  const int rows = 3;
  EXPECT_DEATH(ASHLAR_CHECK(rows == 4), "ASHLAR_CHECK failed: rows == 4 at .*core_test.cc:");
  ASHLAR_CHECK(rows == 3);
}

}  // namespace
}  // namespace ashlar
