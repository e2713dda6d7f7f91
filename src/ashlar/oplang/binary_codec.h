// The binary form: fixed-size records, every byte string a program.
//
//   header (8 bytes)                          record (16 bytes)
//   +0  chunk size: byte mod 5 -> 4K..64K     +0   opcode; unassigned: does nothing, leaves nothing
//   +1  rows cap: byte mod 4 -> 0,1,2,4       +1   bits 0-2: components listed in +4..+7 (mod 5)
//   +2  index limit: 0 none, else the byte         bits 3-4: see below
//   +3  byte mod 4: which components are           bits 5-7: how an entity or query is named:
//       split: none, all, even, odd ones              0-5 a small label (6 bits; queries 3 bits),
//   +4..+7 reserved                                   6 a whole label, 7 literal bits in +8..+15
//                                             +2   label, little-endian (query label: low byte)
//                                             +4   four component selectors
//                                             +8   payload: 64 bits, little-endian
//
// A selector below 250 is taken modulo the number of components; 250..255 are numbers past the last
// component, which name nothing registered. Small labels make random bytes meet on names.
//
// The operands of an operation come from its own record where they fit:
//   values            two payload bytes each, a palette (binary_palette.h): small numbers, edges,
//                     NaNs, numbers that do not fit, wrong kinds, labels, no value
//   exchange          bits 3-4 say how many of the listed components are removed; the rest is added
//   query             the low two bits of payload byte k are the kind of term k, the next one says
//                     with_disabled (of an appended term: that bit of its payload byte 0)
//   setfield          +5..+7 say which scalar, past the end included; the value is from the palette
//   move              bits 3-4: 1 small quarters, 2 special floats, by +4; else the bits are in +8
//   place_generation  bits 3-4: 1 the last generations, 2 small ones, by +4; else it is in +4..+7
//   fail_allocation   1 + (+4 mod 8), with bit 4 of the flags 1 + (+4 mod 64); bit 3: sticky
//   fail_construction the same, without sticky
//   place_index       bits 3-4: 1 the index is +4; else it is in +8..+15
//   changed, added, enable, disable, enabled, flip, sort, put_single, remove_single, get_single:
//                     the first selector is the component
//   hook, unhook      the same; bits 3-4 mod 3: removed, added, set; of a hook, +5 mod 3: what
//                     it records (nothing, remove, destroy)
//   create_many       as create; bits 3-4 say how many: 2, 1, 5, 130
//   record, by_query, many
//                     +4 says what is done, so that +5..+7 and the payload behind its first two
//                     bytes are left for three components; what a record of these removes comes
//                     first, in an exchange as many as bits 3-4 say
//   record            +4: bits 0-2 mod 7 the verb; 3-5 buffer and key (kRecordPlaces); 6 and 7
//                     both set: by query (but a create)
//   by_query, many    +4 mod 5: one of kBulkVerbs
//   many              bits 3-4 say how many entities, labels that go up by one: 2, 1, 3, none
//   apply             bit 3: skip_dead
//   place_version     bits 3-4: 1 around 2^32, 2 near the last one, by +4; else it is in +8..+15
//
// Records with opcode 0xFE and 0xFF continue the operation before them and make the form complete:
// 0xFE appends a component operand (to a single operand: replaces it; to an arming operation: the
// count in its payload; to a create_many, with literal naming: the count in its payload; to a many,
// with bit 3: an entity, named as by a record), 0xFF
// appends one exact scalar to the last value. Encode uses them wherever a record's own fields do
// not hold the operand, so Decode(Encode(program)) equals the program but for what EncodeProgram
// says.
//
// Fuzzer input carries no version: the corpus is made again from the traces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ashlar/oplang/operation.h"

namespace ashlar::inline v0::oplang {

inline constexpr std::size_t kHeaderBytes = 8;
inline constexpr std::size_t kRecordBytes = 16;

// The records that continue the operation before them.
inline constexpr std::uint8_t kOpcodeAppendOperand = 0xFE;
inline constexpr std::uint8_t kOpcodeAppendScalar = 0xFF;

// Total: every byte string gives a program over these components, with every expectation kAny. A
// short header reads as zeros; a last record that is not whole is dropped. At most `records_max`
// records are read. Memory: linear in the input, times the scalars of the largest component.
Program DecodeProgram(std::span<const std::uint8_t> bytes,
                      std::span<const ComponentDeclaration> components,
                      std::size_t records_max = SIZE_MAX);

// The same into a program that was another before: its memory is used again. REQUIRES: `components`
// are not its own.
void DecodeProgram(std::span<const std::uint8_t> bytes,
                   std::span<const ComponentDeclaration> components, std::size_t records_max,
                   Program* program);

// Expectations, notes, components, lines and expect operations are left out. A count of 0 in an
// arming operation becomes 1. Options and splits that the header cannot say (a chunk size that is
// no power of two in range, a cap other than 1, 2 and 4, a limit above 255) become the nearest that
// it can.
std::vector<std::uint8_t> EncodeProgram(const Program& program);

}  // namespace ashlar::inline v0::oplang
