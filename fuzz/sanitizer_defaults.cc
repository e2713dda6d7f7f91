// What the sanitizers are set to in the fuzzers, unless ASAN_OPTIONS says otherwise.
// (world_engine.cc has it for those that run worlds.)
//
// Most of AddressSanitizer's time goes to allocations. A small quarantine and short stacks of
// allocations are quick to take: together they make a fuzzer about twice as fast. The replay
// drivers keep the defaults, for full reports.

extern "C" const char* __asan_default_options() {
  return "quarantine_size_mb=1:malloc_context_size=1:detect_stack_use_after_return=0:"
         "allocator_release_to_os_interval_ms=-1";
}
