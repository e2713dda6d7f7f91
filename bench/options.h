// The flags that all benchmark programs have.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace ashlar::bench {

struct Options {
  double seconds = 1.0;  // For one case, preparation not counted.
  std::size_t rounds_min = 7;
  std::string filter;     // Part of a name such as "iterate_pv/16384"; empty: all.
  std::string json_path;  // Empty: none.
  bool list = false;
  bool quick = false;  // A tenth of a second and three rounds: to see that everything runs.
};

// Reads the flags. An exit status where the program is to stop: 0 after --help, 2 for a bad flag,
// which was said on standard error. `more_help` describes the flags that this program has besides
// and has taken away already; lines of its own, or nothing.
std::optional<int> ParseOptions(int argc, char** argv, const std::string& about,
                                const std::string& more_help, Options* options);

}  // namespace ashlar::bench
