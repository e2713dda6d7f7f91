// world_fuzz: bytes -> operations -> lockstep of world and reference model (lockstep_target.h).

#include <cstddef>
#include <cstdint>

#include "fuzz/lockstep_target.h"
#include "fuzz/world_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ashlar::fuzz;
  static const Profile profile = ProfileFromEnvironment();
  static WorldInput input;
  DecodeWorldInput({data, size}, profile, &input);
  RunLockstepInput("world_fuzz", input);
  return 0;
}
