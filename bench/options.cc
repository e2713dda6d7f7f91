#include "bench/options.h"

#include <cstdlib>
#include <iostream>

namespace ashlar::bench {
namespace {

void PrintUsage(std::ostream& out, const char* program, const std::string& about,
                const std::string& more_help) {
  out << about << "\n\nUsage: " << program
      << " [--filter TEXT] [--seconds S] [--quick] [--json FILE] [--list]\n"
         "  --filter TEXT  only cases with TEXT in their name, such as iterate_pv/16384\n"
         "  --seconds S    measure each case for S seconds (1)\n"
         "  --quick        measure each case for a tenth of a second, to see that all of it runs\n"
         "  --json FILE    write the results to FILE as well\n"
         "  --list         print the names of the cases and stop\n"
      << more_help << "Results are medians; ratios are medians of the ratios within a round.\n";
}

bool ParseSeconds(const std::string& value, Options* options) {
  char* end = nullptr;
  options->seconds = std::strtod(value.c_str(), &end);
  return !value.empty() && *end == '\0' && options->seconds > 0 && options->seconds <= 3600;
}

}  // namespace

std::optional<int> ParseOptions(int argc, char** argv, const std::string& about,
                                const std::string& more_help, Options* options) {
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag == "--help") {
      PrintUsage(std::cout, argv[0], about, more_help);
      return 0;
    }
    if (flag == "--list") {
      options->list = true;
      continue;
    }
    if (flag == "--quick") {
      options->quick = true;
      options->seconds = 0.1;
      options->rounds_min = 3;
      continue;
    }
    const bool known = flag == "--filter" || flag == "--seconds" || flag == "--json";
    if (!known || i + 1 == argc) {
      std::cerr << (known ? "a value is missing after " : "unknown flag ") << flag
                << "; --help lists the flags\n";
      return 2;
    }
    const std::string value = argv[++i];
    if (flag == "--filter") options->filter = value;
    if (flag == "--json") options->json_path = value;
    if (flag == "--seconds" && !ParseSeconds(value, options)) {
      std::cerr << "--seconds takes a number above 0 and up to 3600, not '" << value << "'\n";
      return 2;
    }
  }
  return std::nullopt;
}

}  // namespace ashlar::bench
