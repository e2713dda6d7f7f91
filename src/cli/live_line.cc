#include "cli/live_line.h"

#include "cli/text_format.h"

namespace ashlar::cli {

LiveLine::LiveLine(const Console& console, Clock::time_point now)
    : console_(console),
      interval_(console.err_is_terminal ? Clock::duration(std::chrono::milliseconds(200))
                                        : Clock::duration(std::chrono::seconds(10))),
      next_(console.err_is_terminal ? now : now + interval_) {}

void LiveLine::Offer(Clock::time_point now, const std::function<std::string()>& text) {
  if (now < next_) return;
  next_ = now + interval_;
  if (!console_.err_is_terminal) {
    console_.err << text() << '\n' << std::flush;
    return;
  }
  // The last column stays free: a character there makes some terminals wrap.
  const std::string line = text().substr(0, console_.width - 1);
  console_.err << '\r' << line << "\x1b[K" << std::flush;
  is_shown_ = true;
}

void LiveLine::Clear() {
  if (!is_shown_) return;
  console_.err << "\r\x1b[K" << std::flush;
  is_shown_ = false;
}

}  // namespace ashlar::cli
