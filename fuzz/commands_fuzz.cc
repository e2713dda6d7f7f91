// commands_fuzz: as world_fuzz, but about half of the records that its mutator makes are commands,
// applies, and changes of many entities at once (WithCommands in world_input.h). What is there at
// random otherwise would seldom record two commands before an apply.

#include <cstddef>
#include <cstdint>

#include "fuzz/lockstep_target.h"
#include "fuzz/world_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ashlar::fuzz;
  static const Profile profile = ProfileFromEnvironment();
  static WorldInput input;
  DecodeWorldInput(WithCommands({data, size}), profile, &input);
  RunLockstepInput("commands_fuzz", input);
  return 0;
}
