// What the sanitizers are set to in the fuzzers, unless ASAN_OPTIONS says otherwise.
//
// Most of AddressSanitizer's time goes to allocations. A small quarantine and short stacks of
// allocations are quick to take: together they make a fuzzer about twice as fast. Where worlds are
// run for speed there is no quarantine, but that of freed_memory.h for what a world gives back: the
// model's memory, and what values and errors own, have none then. (Who gives it a size in
// ASAN_OPTIONS must also give one to thread_local_quarantine_size_kb.) The replay drivers keep the
// defaults, for full reports.

#ifdef ASHLAR_NO_QUARANTINE
#define ASHLAR_QUARANTINE "quarantine_size_mb=0:thread_local_quarantine_size_kb=0:"
#else
#define ASHLAR_QUARANTINE "quarantine_size_mb=1:"
#endif

extern "C" const char* __asan_default_options() {
  return ASHLAR_QUARANTINE
      "malloc_context_size=1:detect_stack_use_after_return=0:"
      "allocator_release_to_os_interval_ms=-1";
}
