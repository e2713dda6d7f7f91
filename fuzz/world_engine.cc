// What world_fuzz and commands_fuzz are set to: the engine, the sanitizers, and where worlds take
// their memory. Only in the fuzzer; the replay drivers keep the defaults, for full reports.

#include <vector>

#include "fuzz/freed_memory.h"
#include "fuzz/lockstep_target.h"

namespace {

// An input is worth keeping for the edges that it reaches, not for how often: of 32 operations that
// says little, and keeps four times the inputs. Without the counts, 40 s from the seeds on one core
// made 1.7 times the runs and reached more edges (7,585 and 7,592, against 7,469 and 7,453).
char edges_only[] = "-use_counters=0";

}  // namespace

// As in sanitizer_defaults.cc; but where speed is asked for there is no quarantine, but that of
// freed_memory.h for what a world gives back. The model's memory, and what values and errors own,
// have none then. (Who gives it a size in ASAN_OPTIONS must also give one to
// thread_local_quarantine_size_kb.)
extern "C" const char* __asan_default_options() {
  return
#ifdef ASHLAR_FUZZ_FAST
      "quarantine_size_mb=0:thread_local_quarantine_size_kb=0:"
#else
      "quarantine_size_mb=1:"
#endif
      "malloc_context_size=1:detect_stack_use_after_return=0:"
      "allocator_release_to_os_interval_ms=-1";
}

// Our flags stand before those of the command line, so that those win.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  static std::vector<char*> with_ours;
  with_ours.assign(*argv, *argv + *argc);
  with_ours.insert(with_ours.begin() + 1, edges_only);
  with_ours.push_back(nullptr);
  *argv = with_ours.data();
  ++*argc;

  static ashlar::fuzz::FreedMemory memory;
  ashlar::fuzz::SetWorldMemory(&memory);
  return 0;
}
