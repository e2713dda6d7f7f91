// How much memory a piece of work touches, counted and not guessed: the distinct cache lines of the
// addresses that it uses, and what the process holds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ashlar::bench {

// Collects addresses. Every line counts once, however often it is used; so this is the least that
// must come from memory, which a walk in a bad order exceeds.
class TouchedLines {
 public:
  static constexpr std::size_t kLineBytes = 64;

  void Add(const void* begin, std::size_t bytes) {
    if (bytes == 0) return;
    const auto first = reinterpret_cast<std::uintptr_t>(begin) / kLineBytes;
    const auto last = (reinterpret_cast<std::uintptr_t>(begin) + bytes - 1) / kLineBytes;
    for (std::uintptr_t line = first; line <= last; ++line) {
      if (lines_.empty() || lines_.back() != line) lines_.push_back(line);
    }
  }

  std::size_t Bytes() {
    std::sort(lines_.begin(), lines_.end());
    lines_.erase(std::unique(lines_.begin(), lines_.end()), lines_.end());
    return lines_.size() * kLineBytes;
  }

 private:
  std::vector<std::uintptr_t> lines_;
};

// Bytes of this process in memory now; 0 where the system does not say.
std::size_t ResidentBytes();

}  // namespace ashlar::bench
