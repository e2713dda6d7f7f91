#include "fuzz/record_mutator.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "ashlar/oplang/binary_codec.h"
#include "gtest/gtest.h"

namespace ashlar::fuzz {
namespace {

using oplang::kHeaderBytes;
using oplang::kRecordBytes;

using Bytes = std::vector<std::uint8_t>;

// A header and records; every byte of record i is i + 1.
Bytes Numbered(std::size_t record_count) {
  Bytes bytes(kHeaderBytes, 0xEE);
  for (std::size_t i = 0; i < record_count; ++i) {
    bytes.insert(bytes.end(), kRecordBytes, static_cast<std::uint8_t>(i + 1));
  }
  return bytes;
}

// The records that are whole copies of one of Numbered, by number; 0 for any other.
std::vector<int> NumbersIn(std::span<const std::uint8_t> bytes) {
  std::vector<int> numbers;
  for (std::size_t at = kHeaderBytes; at + kRecordBytes <= bytes.size(); at += kRecordBytes) {
    const auto record = bytes.subspan(at, kRecordBytes);
    const bool is_whole = std::ranges::count(record, record[0]) == kRecordBytes;
    numbers.push_back(is_whole ? record[0] : 0);
  }
  return numbers;
}

Bytes Mutated(const Bytes& input, std::size_t size_max, std::uint64_t seed,
              FieldMutator mutate_field = nullptr) {
  Bytes buffer = input;
  buffer.resize(size_max);
  const std::size_t size = std::min(input.size(), size_max);
  buffer.resize(MutateRecords(buffer, size, seed, mutate_field));
  return buffer;
}

TEST(MutateRecords, GivesAHeaderAndWholeRecordsWithinTheRoom) {
  for (std::size_t size : {0u, 1u, 8u, 23u, 24u, 100u, 200u}) {
    for (std::size_t size_max : {8u, 9u, 24u, 39u, 200u}) {
      for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Bytes result = Mutated(Bytes(size, 7), size_max, seed);
        ASSERT_LE(result.size(), size_max);
        ASSERT_GE(result.size(), kHeaderBytes);
        ASSERT_EQ((result.size() - kHeaderBytes) % kRecordBytes, 0u);
      }
    }
  }
}

TEST(MutateRecords, LeavesAnInputAloneThatHasNoRoomForAHeader) {
  EXPECT_EQ(Mutated(Bytes(3, 9), 7, 1), Bytes(3, 9));
}

TEST(MutateRecords, IsDeterministic) {
  const Bytes input = Numbered(6);
  std::set<Bytes> results;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    EXPECT_EQ(Mutated(input, 400, seed), Mutated(input, 400, seed));
    results.insert(Mutated(input, 400, seed));
  }
  EXPECT_GT(results.size(), 80u);
}

// What a mutation did, when it is one of the kinds that touch whole records only.
std::string KindOf(const std::vector<int>& before, const std::vector<int>& after) {
  const auto others = std::ranges::count(after, 0);
  if (after.size() < before.size() && others == 0) return "fewer";
  if (after.size() == before.size() + 1 && others == 1) return "new";
  if (after.size() > before.size() && others == 0) return "doubled";
  if (after.size() == before.size() && others == 1) return "changed";
  if (after.size() == before.size() && others == 0 && before != after) {
    return std::ranges::is_permutation(before, after) ? "reordered" : "overwritten";
  }
  return before == after ? "same" : "several";
}

TEST(MutateRecords, ReachesEveryKind) {
  const Bytes input = Numbered(6);
  std::map<std::string, int> kinds;
  int headers_changed = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const Bytes result = Mutated(input, 400, seed);
    ++kinds[KindOf(NumbersIn(input), NumbersIn(result))];
    headers_changed += !std::equal(result.begin(), result.begin() + kHeaderBytes, input.begin());
  }
  for (const char* kind : {"fewer", "new", "doubled", "changed", "reordered"}) {
    EXPECT_GT(kinds[kind], 40) << kind;
  }
  EXPECT_GT(headers_changed, 40);
}

TEST(MutateRecords, GivesFieldsToTheEngineOneAtATime) {
  static std::map<std::size_t, int> sizes;
  sizes.clear();
  const FieldMutator note = [](std::uint8_t* field, std::size_t size) {
    ++sizes[size];
    std::fill_n(field, size, std::uint8_t{0xFF});
  };
  for (std::uint64_t seed = 0; seed < 2000; ++seed) Mutated(Numbered(6), 400, seed, note);
  for (std::size_t size : {1u, 2u, 4u, 8u}) EXPECT_GT(sizes[size], 10) << size;
  EXPECT_EQ(sizes.size(), 4u);
}

TEST(CrossOverRecords, TakesWholeRecordsFromBothInOrder) {
  const Bytes first = Numbered(10);
  Bytes second(kHeaderBytes, 0xDD);
  for (int i = 0; i < 10; ++i) {
    second.insert(second.end(), kRecordBytes, static_cast<std::uint8_t>(101 + i));
  }
  int mixed = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Bytes out(kHeaderBytes + 12 * kRecordBytes + 5);
    out.resize(CrossOverRecords(first, second, out, seed));
    ASSERT_EQ((out.size() - kHeaderBytes) % kRecordBytes, 0u);
    EXPECT_TRUE(out[0] == 0xEE || out[0] == 0xDD);
    const std::vector<int> numbers = NumbersIn(out);
    std::vector<int> low;
    std::vector<int> high;
    for (int number : numbers) (number > 100 ? high : low).push_back(number);
    EXPECT_EQ(std::ranges::count(numbers, 0), 0);
    EXPECT_TRUE(std::ranges::is_sorted(low));
    EXPECT_TRUE(std::ranges::is_sorted(high));
    mixed += !low.empty() && !high.empty();
  }
  EXPECT_GT(mixed, 400);
}

TEST(CrossOverRecords, EndsForEmptyParentsAndWithoutRoom) {
  Bytes out(100);
  EXPECT_EQ(CrossOverRecords({}, {}, out, 1), kHeaderBytes);
  Bytes none(7);
  EXPECT_EQ(CrossOverRecords(Numbered(3), Numbered(3), none, 1), 0u);
}

}  // namespace
}  // namespace ashlar::fuzz
