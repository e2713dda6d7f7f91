// The ladder: 200,000 and 500,000 particles, half of them dead, stored and computed in ever better
// ways (ladder_rungs.h). Times are for each living particle: what a rung spends on the dead counts.
#include <algorithm>
#include <cstring>
#include <iostream>

#include "bench/cachegrind.h"
#include "bench/components.h"
#include "bench/harness.h"
#include "bench/ladder_rungs.h"

namespace ashlar::bench {
namespace {

constexpr std::size_t kParticles[] = {200'000, 500'000};
constexpr std::size_t kSteps = 2;                    // In a sample.
constexpr std::size_t kSimulatedParticles = 20'000;  // Simulation is some fifty times slower.
constexpr std::size_t kSimulatedSteps = 2;

constexpr char kAbout[] =
    "One step of N particles, about half of them dead at random: objects with a branch on whether\n"
    "they live (in an array, and shuffled on the heap), an array for each field (with the dead "
    "left\n"
    "in, and without), the same by vector kernels, on one thread and on two, and worlds with "
    "whole\n"
    "components and with split ones. Per living particle; `touched` counts the distinct cache "
    "lines\n"
    "that a step uses. All rungs must give the same bits. The two threads (soa_avx2_x2) are timed\n"
    "by the clock on the wall, the rest by what the thread spent on the processor.";

constexpr char kMoreHelp[] =
    "  --cachegrind RUNG [STEPS]\n"
    "                 only make 20,000 particles for that rung and take STEPS steps (1), to be "
    "run\n"
    "                 under valgrind --tool=cachegrind\n"
    "  --simulate     run that under valgrind for each rung, twice, and print the simulated "
    "misses\n"
    "                 of one step: the difference; --json as usual\n";

bool SameBits(const Particle& a, const Particle& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// What the rungs disagree about.
std::string Compare(const std::vector<std::shared_ptr<Rung>>& rungs,
                    const std::vector<std::string>& names, std::size_t living) {
  for (std::size_t i = 0; i < living; ++i) {
    const Particle expected = rungs[0]->Living(i);
    for (std::size_t r = 1; r < rungs.size(); ++r) {
      if (!SameBits(rungs[r]->Living(i), expected)) {
        return "living particle number " + std::to_string(i) + " of " + names[r];
      }
    }
  }
  return "";
}

template <typename Clock>
Sample StepsOf(std::shared_ptr<Rung> rung) {
  return [rung = std::move(rung)] {
    const Clock clock;
    for (std::size_t step = 0; step < kSteps; ++step) rung->Step(kTimeStep);
    return clock.Nanoseconds();
  };
}

Case Ladder(std::size_t count) {
  const std::vector<Particle> particles = MakeParticles(count);
  const std::size_t living = LivingOf(particles);
  std::vector<std::shared_ptr<Rung>> rungs;
  std::vector<std::string> names;
  Case work;
  work.items = static_cast<double>(living * kSteps);
  for (const RungMaker& maker : LadderRungs()) {
    rungs.push_back(maker.make(particles));
    names.push_back(maker.name);
    TouchedLines lines;
    rungs.back()->Touch(&lines);
    work.variants.push_back(
        {maker.name,
         maker.is_threaded ? StepsOf<WallClock>(rungs.back()) : StepsOf<Stopwatch>(rungs.back()),
         {{"touched", static_cast<double>(lines.Bytes()) / static_cast<double>(living),
           "bytes/particle"}}});
  }
  work.verify = [=] { return Compare(rungs, names, living); };
  return work;
}

// --- Simulated caches ---

const RungMaker* FindRung(const std::vector<RungMaker>& rungs, const std::string& name) {
  const auto found = std::ranges::find(rungs, name, &RungMaker::name);
  return found == rungs.end() ? nullptr : &*found;
}

int RunAlone(const std::string& name, const std::string& steps) {
  const std::vector<RungMaker> rungs = LadderRungs();
  const RungMaker* const maker = FindRung(rungs, name);
  if (maker == nullptr) {
    std::cerr << "no rung on this processor is called '" << name << "'; there are:";
    for (const RungMaker& rung : rungs) std::cerr << " " << rung.name;
    std::cerr << "\n";
    return 2;
  }
  const std::unique_ptr<Rung> rung = maker->make(MakeParticles(kSimulatedParticles));
  for (long step = 0; step < std::atol(steps.c_str()); ++step) rung->Step(kTimeStep);
  return 0;
}

// The events of the steps alone: a run with more of them, less one with a single one.
absl::StatusOr<CacheEvents> SimulateStep(const std::string& rung) {
  const auto one = RunUnderCachegrind({"--cachegrind", rung, "1"});
  if (!one.ok()) return one.status();
  auto more = RunUnderCachegrind({"--cachegrind", rung, std::to_string(1 + kSimulatedSteps)});
  if (!more.ok()) return more.status();
  for (auto& [name, count] : *more) count = (count - one->at(name)) / kSimulatedSteps;
  return more;
}

Result SimulatedResult(const std::string& rung, const CacheEvents& events, double living) {
  const auto each = [&](const char* a, const char* b) {
    return (events.at(a) + events.at(b)) / living;
  };
  const double misses = each("D1mr", "D1mw");
  return {"simulated_misses",
          kSimulatedParticles,
          "first-level misses/particle",
          rung,
          1,
          {misses, misses, misses},
          {1, 1, 1},
          {{"last-level", each("DLmr", "DLmw"), "misses/particle"},
           {"mispredicted", each("Bcm", "Bim"), "branches/particle"},
           {"instructions", events.at("Ir") / living, "instructions/particle"}}};
}

// Valgrind knows no AVX-512, and takes threads one after the other: those rungs stay out.
int RunSimulation(int argc, char** argv) {
  const std::string about =
      "Misses of one step of 20,000 particles in simulated caches of 32 and 256 KiB, for each "
      "living "
      "particle (valgrind's cachegrind).";
  Options options;
  if (const auto stop = ParseOptions(argc, argv, about, kMoreHelp, &options)) return *stop;
  std::vector<RungMaker> rungs = LadderRungs();
  std::erase_if(rungs, [](const RungMaker& rung) {
    return rung.is_threaded || rung.name.ends_with("avx512");
  });
  const auto living = static_cast<double>(LivingOf(MakeParticles(kSimulatedParticles)));
  return RunSelected("ladder_bench --simulate", about, options, {"simulated_misses/20000"},
                     [&](std::size_t, std::string* error) {
                       std::vector<Result> results;
                       for (const RungMaker& rung : rungs) {
                         const auto events = SimulateStep(rung.name);
                         if (!events.ok()) {
                           *error = rung.name + ": " + std::string(events.status().message());
                           return results;
                         }
                         results.push_back(SimulatedResult(rung.name, *events, living));
                         const double ratio =
                             results.back().value.median / results.front().value.median;
                         results.back().ratio = {ratio, ratio, ratio};
                       }
                       return results;
                     });
}

}  // namespace
}  // namespace ashlar::bench

int main(int argc, char** argv) {
  using namespace ashlar::bench;
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() >= 2 && words.size() <= 3 && words[0] == "--cachegrind") {
    return RunAlone(words[1], words.size() == 3 ? words[2] : "1");
  }
  if (!words.empty() && words[0] == "--simulate") {
    argv[1] = argv[0];
    return RunSimulation(argc - 1, argv + 1);
  }
  std::vector<CaseMaker> makers;
  for (const std::size_t count : kParticles) {
    makers.push_back({"particles", count, "ns/living particle", [=] { return Ladder(count); }});
  }
  return RunBenchmarks(argc, argv, kAbout, makers, kMoreHelp);
}
