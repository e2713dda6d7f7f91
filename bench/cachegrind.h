// Simulated caches: a program run under valgrind's cachegrind, which counts what a simple processor
// would have to fetch. It is the same on every machine and in every run, unlike a time.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace ashlar::bench {

// Events by their names in cachegrind's manual: Ir instructions, Dr and Dw reads and writes, D1mr
// and D1mw those that missed the first data cache, DLmr and DLmw the last one, Bcm and Bim
// mispredicted branches.
using CacheEvents = std::map<std::string, double>;

// The totals of an output file. Error: INVALID_ARGUMENT where it has none.
absl::StatusOr<CacheEvents> ParseCachegrind(std::string_view text);

// The caches that are simulated: a first level of 32 KiB and a last of 256 KiB, small, so that few
// particles show what many would do.
std::vector<std::string> CachegrindFlags(const std::string& out_path);

// Runs this program with these flags under cachegrind. Error: there is no valgrind, or it failed.
absl::StatusOr<CacheEvents> RunUnderCachegrind(const std::vector<std::string>& flags);

}  // namespace ashlar::bench
