// Interrupt: SIGINT and SIGTERM as a wish to stop, which long work looks at between its steps.
#pragma once

#include <csignal>

namespace ashlar::cli {

// While one lives, the first SIGINT or SIGTERM is only noted; a second one ends the process as if
// nobody had caught it. At most one at a time; the old handlers come back at the end.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // The signal that came, 0 for none yet.
  static int Signal();
  static bool Requested() { return Signal() != 0; }

 private:
  struct sigaction old_int_;
  struct sigaction old_term_;
};

}  // namespace ashlar::cli
