// LiveLine: progress on the error stream. On a terminal one line that is written over, at most five
// times a second; elsewhere a line of its own every ten seconds, so that a log shows life without
// growing by much.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "cli/console.h"

namespace ashlar::cli {

class LiveLine {
 public:
  using Clock = std::chrono::steady_clock;

  // `console` must outlive this.
  explicit LiveLine(const Console& console, Clock::time_point now = Clock::now());

  // Wipes the line from the terminal.
  ~LiveLine() { Clear(); }
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

  // Shows the text when it is time to. `text` is asked only then, and cut to the terminal's width.
  void Offer(Clock::time_point now, const std::function<std::string()>& text);

  // Takes the line away, so that something else can be printed there.
  void Clear();

 private:
  const Console& console_;
  Clock::duration interval_;
  Clock::time_point next_;
  bool is_shown_ = false;
};

}  // namespace ashlar::cli
