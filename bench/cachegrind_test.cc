#include "bench/cachegrind.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar::bench {
namespace {

using testing::Contains;
using testing::Pair;
using testing::UnorderedElementsAre;

TEST(ParseCachegrind, ReadsTheTotals) {
  const auto events = ParseCachegrind(
      "desc: D1 cache: 32768 B\ncmd: ./x summary: 9\nevents: Ir D1mr Bcm\nfl=a.cc\nfn=f\n3 1 2 3\n"
      "summary: 1000 20 3\n");
  ASSERT_TRUE(events.ok()) << events.status();
  EXPECT_THAT(*events, UnorderedElementsAre(Pair("Ir", 1000), Pair("D1mr", 20), Pair("Bcm", 3)));
}

TEST(ParseCachegrind, RefusesWhatHasNone) {
  EXPECT_FALSE(ParseCachegrind("").ok());
  EXPECT_FALSE(ParseCachegrind("events: Ir Dr\n").ok());
  EXPECT_FALSE(ParseCachegrind("events: Ir Dr\nsummary: 1\n").ok());
  EXPECT_FALSE(ParseCachegrind("summary: 1 2\n").ok());
}

TEST(CachegrindFlags, NameTheFile) {
  EXPECT_THAT(CachegrindFlags("a/b"), Contains("--cachegrind-out-file=a/b"));
}

}  // namespace
}  // namespace ashlar::bench
