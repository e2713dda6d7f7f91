#include "ashlar/core/probe.h"

#include <algorithm>

namespace ashlar::inline v0 {

struct ProbeList {
  static constinit std::atomic<Probe*> head;

  static void Push(Probe* probe) noexcept {
    if (probe->enlisted_.exchange(true, std::memory_order_relaxed)) return;
    Probe* head_now = head.load(std::memory_order_relaxed);
    do {
      probe->next_ = head_now;
    } while (!head.compare_exchange_weak(head_now, probe, std::memory_order_release,
                                         std::memory_order_relaxed));
  }

  template <typename Visit>
  static void ForEach(Visit visit) {
    for (Probe* probe = head.load(std::memory_order_acquire); probe != nullptr;
         probe = probe->next_) {
      visit(probe->name_, probe->count_);
    }
  }
};

constinit std::atomic<Probe*> ProbeList::head{nullptr};

void Probe::Enlist() noexcept { ProbeList::Push(this); }

std::vector<ProbeCount> HitProbes() {
  std::vector<ProbeCount> counts;
  ProbeList::ForEach([&](const char* name, const std::atomic<std::uint64_t>& count) {
    const std::uint64_t hits = count.load(std::memory_order_relaxed);
    if (hits == 0) return;
    auto same = std::find_if(counts.begin(), counts.end(),
                             [&](const ProbeCount& other) { return other.name == name; });
    if (same != counts.end()) {
      same->count += hits;
    } else {
      counts.push_back({name, hits});
    }
  });
  std::sort(counts.begin(), counts.end(),
            [](const ProbeCount& a, const ProbeCount& b) { return a.name < b.name; });
  return counts;
}

std::uint64_t ProbeHits(std::string_view name) {
  std::uint64_t sum = 0;
  ProbeList::ForEach([&](const char* other, const std::atomic<std::uint64_t>& count) {
    if (name == other) sum += count.load(std::memory_order_relaxed);
  });
  return sum;
}

void ResetProbes() {
  ProbeList::ForEach([](const char*, std::atomic<std::uint64_t>& count) {
    count.store(0, std::memory_order_relaxed);
  });
}

}  // namespace ashlar::inline v0
