// Probes: counters of states that matter ("free list deeper than 16", "hole filled across
// chunks"). A test run lists the probes that it must have hit, and fails when one was not.
//
//   ASHLAR_EVER(depth > 16, "directory: free list deeper than 16");
//
// A probe costs one test of the condition, and one relaxed load and store when it holds. Counts
// are process-wide and, between threads, approximate; never zero once the condition held.
// -DASHLAR_PROBES=0 removes them.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>
#include <vector>

#ifndef ASHLAR_PROBES
#define ASHLAR_PROBES 1
#endif

namespace ashlar::inline v0 {

class Probe {
 public:
  constexpr explicit Probe(const char* name) : name_(name) {}
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;

  void Hit() noexcept {
    const std::uint64_t count = count_.load(std::memory_order_relaxed);
    if (count == 0) [[unlikely]] {
      Enlist();
    }
    count_.store(count + 1, std::memory_order_relaxed);
  }

 private:
  friend struct ProbeList;

  // Links this probe into the process-wide list; once, whichever thread is first.
  void Enlist() noexcept;

  const char* name_;
  std::atomic<std::uint64_t> count_{0};
  std::atomic<bool> enlisted_{false};
  Probe* next_ = nullptr;
};

struct ProbeCount {
  std::string_view name;
  std::uint64_t count = 0;
};

// Every probe that was hit since the process began or since ResetProbes, sorted by name; probes of
// the same name (several places, one state) are added up.
std::vector<ProbeCount> HitProbes();

// The count of one name; 0 where it was never hit.
std::uint64_t ProbeHits(std::string_view name);

// Sets all counts to 0. REQUIRES: no other thread is inside the kernel.
void ResetProbes();

}  // namespace ashlar::inline v0

#if ASHLAR_PROBES
#define ASHLAR_EVER(condition, name)                      \
  do {                                                    \
    static constinit ::ashlar::Probe ashlar_probe_{name}; \
    if (condition) ashlar_probe_.Hit();                   \
  } while (false)
#else
#define ASHLAR_EVER(condition, name) \
  do {                               \
  } while (false)
#endif
