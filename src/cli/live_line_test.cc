#include "cli/live_line.h"

#include <chrono>
#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace ashlar::cli {
namespace {

using Clock = LiveLine::Clock;

class LiveLineTest : public ::testing::Test {
 protected:
  std::ostringstream out_;
  std::ostringstream err_;
  Clock::time_point start_ = Clock::time_point(std::chrono::seconds(100));
};

TEST_F(LiveLineTest, TerminalIsWrittenAtMostFiveTimesASecond) {
  Console console{out_, err_, true};
  int asked = 0;
  {
    LiveLine live(console, start_);
    for (int ms = 0; ms < 1000; ++ms) {
      live.Offer(start_ + std::chrono::milliseconds(ms), [&] { return std::to_string(++asked); });
    }
  }
  EXPECT_EQ(asked, 5);
  EXPECT_EQ(err_.str(), "\r1\x1b[K\r2\x1b[K\r3\x1b[K\r4\x1b[K\r5\x1b[K\r\x1b[K");
  EXPECT_EQ(out_.str(), "");
}

TEST_F(LiveLineTest, TerminalLineNeverWraps) {
  Console console{out_, err_, true};
  console.width = 20;
  LiveLine live(console, start_);
  live.Offer(start_, [] { return std::string(300, 'x'); });
  EXPECT_EQ(err_.str(), "\r" + std::string(19, 'x') + "\x1b[K");
}

TEST_F(LiveLineTest, PipeGetsALineEveryTenSeconds) {
  Console console{out_, err_};
  {
    LiveLine live(console, start_);
    for (int second = 0; second <= 25; ++second) {
      live.Offer(start_ + std::chrono::seconds(second),
                 [&] { return "at " + std::to_string(second); });
    }
  }
  EXPECT_EQ(err_.str(), "at 10\nat 20\n");
}

TEST_F(LiveLineTest, ClearWithoutALineWritesNothing) {
  Console console{out_, err_, true};
  LiveLine live(console, start_);
  live.Clear();
  EXPECT_EQ(err_.str(), "");
}

}  // namespace
}  // namespace ashlar::cli
