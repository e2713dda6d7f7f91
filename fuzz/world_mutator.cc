// The engine's hooks of world_fuzz and commands_fuzz: mutation and cross-over by whole records.
// Only in the fuzzer: the plain driver has no use for them.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "ashlar/oplang/binary_codec.h"
#include "fuzz/record_mutator.h"
#include "fuzz/world_input.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t size_max);

namespace {

// Records beyond those that the profile reads would be mutated for nothing.
std::size_t SizeMax(std::size_t engine_max) {
  using namespace ashlar;
  static const std::size_t profile_max =
      oplang::kHeaderBytes +
      oplang::kRecordBytes * fuzz::RecordsMax(fuzz::ProfileFromEnvironment());
  return std::min(engine_max, profile_max);
}

void MutateField(std::uint8_t* field, std::size_t size) { LLVMFuzzerMutate(field, size, size); }

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t size_max, unsigned int seed) {
  const std::size_t room = SizeMax(size_max);
  return ashlar::fuzz::MutateRecords({data, room}, std::min(size, room), seed, MutateField);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second,
                                                 std::size_t second_size, std::uint8_t* out,
                                                 std::size_t out_size_max, unsigned int seed) {
  return ashlar::fuzz::CrossOverRecords({first, first_size}, {second, second_size},
                                        {out, SizeMax(out_size_max)}, seed);
}
