// Mutation of fuzzer inputs that are a header and records (ashlar/oplang/binary_codec.h).
//
// Whole records are inserted, deleted, doubled, moved and swapped, so a byte never slips from one
// field into another; or one field of one record is changed. The results are always a header and
// whole records. Everything follows from the seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ashlar::fuzz {

// Changes the bytes of one field in place: the engine's own mutation.
using FieldMutator = void (*)(std::uint8_t* field, std::size_t size);

// Changes the first `size` bytes of `buffer`, which may grow up to the whole of it. Returns the new
// size: a header and whole records; unchanged where the buffer has no room for a header.
// `mutate_field` may be null.
std::size_t MutateRecords(std::span<std::uint8_t> buffer, std::size_t size, std::uint64_t seed,
                          FieldMutator mutate_field);

// Writes a mixture of two inputs: the header of one, and runs of records from each in turn. Returns
// its size, at most that of `out`; 0 where `out` has no room for a header.
std::size_t CrossOverRecords(std::span<const std::uint8_t> first,
                             std::span<const std::uint8_t> second, std::span<std::uint8_t> out,
                             std::uint64_t seed);

}  // namespace ashlar::fuzz
