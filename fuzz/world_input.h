// What world_fuzz and commands_fuzz make of their bytes: a program over the sample components, and
// how closely it is watched.
//
// There are two profiles. The small one reads at most 32 records, and a chunk holds 1, 2 or 4 rows,
// so that every border is near. The large one reads at most 512 records and leaves chunks as large
// as they are; since no short input fills a chunk of a hundred rows, a header byte may ask for rows
// to start with:
//
//   header +4   below 192: none; else the program begins with 64 + 2 * (byte - 192) creates
//   (64..190)
//          +5   of what: bit 0 health, bit 1 disabled, bit 2 no velocity; always position
//
// The environment variable ASHLAR_FUZZ_PROFILE chooses: "small" (also where it is not set) or
// "large".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ashlar/oplang/operation.h"
#include "model/lockstep.h"

namespace ashlar::fuzz {

enum class Profile : std::uint8_t { kSmall, kLarge };

// As the environment says; aborts, with a message, on a name that is none of the two.
Profile ProfileFromEnvironment();

// The number of records that an input of the profile has room for.
std::size_t RecordsMax(Profile profile);

struct WorldInput {
  oplang::Program program;
  model::LockstepOptions lockstep;
};

// Total: every byte string gives an input. What `input` was before is replaced, and its memory used
// again.
void DecodeWorldInput(std::span<const std::uint8_t> bytes, Profile profile, WorldInput* input);

// The bytes of commands_fuzz as those of world_fuzz: a record with a small label whose byte +3, of
// which such a record makes no use, has one of its two highest bits set becomes one about commands
// or about many entities; what comes from traces has neither. Continuations stay what they are.
std::vector<std::uint8_t> WithCommands(std::span<const std::uint8_t> bytes);

}  // namespace ashlar::fuzz
