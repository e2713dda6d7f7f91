// For tests of lockstep: bodies of traces over one set of components, and every failure on the way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ashlar/oplang/trace_text.h"
#include "gtest/gtest.h"
#include "model/lockstep.h"

namespace ashlar::model {

inline constexpr std::string_view kCommandsHead =
    "component position f32[3]\n"
    "component health i32 in [0,100]\n"
    "component shield u8 enableable\n"
    "component disabled tag enableable\n"
    "component link entity\n"
    "component label u64[2] as owned\n"
    "component anchor f32[2] as self\n"
    "component handle i64 as unique\n"
    "component token tag as aligned\n";

inline std::optional<Failure> RunCommands(const std::string& body,
                                          LockstepCounts* counts = nullptr) {
  const auto program = oplang::ParseTrace(std::string(kCommandsHead) + body, "test.trace");
  EXPECT_TRUE(program.ok()) << program.status();
  if (!program.ok()) return std::nullopt;
  return RunLockstep(*program, LockstepOptions(), counts);
}

inline void ExpectCommandsHold(const std::string& body) {
  const std::optional<Failure> failure = RunCommands(body);
  EXPECT_FALSE(failure.has_value()) << failure->message;
}

// Runs the operations with the nth failure of one of them armed, for rising n until none comes to
// pass; each is then tried once more. Returns how many came to pass.
inline std::uint64_t FailEverywhere(const std::vector<std::string>& operations,
                                    const std::string& arming, const std::string& manner) {
  std::uint64_t failed = 0;
  for (std::size_t at = 0; at < operations.size(); ++at) {
    std::uint64_t fired = 1;
    for (int nth = 1; fired != 0; ++nth) {
      if (nth == 1000) {
        ADD_FAILURE() << operations[at] << " fails for ever";
        return failed;
      }
      std::string body;
      for (std::size_t i = 0; i < operations.size(); ++i) {
        if (i == at) {
          absl::StrAppend(&body, arming, " ", nth, manner, "\n");
          absl::StrAppend(&body, operations[i], " -> any\n");
        }
        // Behind a success it is refused, or does nothing.
        absl::StrAppend(&body, operations[i], " -> any\n");
      }
      LockstepCounts counts;
      const std::optional<Failure> failure = RunCommands(body, &counts);
      if (failure.has_value()) {
        ADD_FAILURE() << failure->message << "\n" << body;
        return failed;
      }
      fired = counts.failed_allocations + counts.thrown_constructions;
      failed += fired;
    }
  }
  return failed;
}

}  // namespace ashlar::model
