// What the numbers were measured on and with, as far as the system says.
#pragma once

#include <string>
#include <vector>

namespace ashlar::bench {

struct MachineFact {
  std::string name;  // "cpu"
  std::string value;
};

// ashlar (its version), cpu, caches, cores, compiler, simd, date. What is not known is "unknown".
std::vector<MachineFact> MachineFacts();

}  // namespace ashlar::bench
