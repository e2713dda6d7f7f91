#include "ashlar/query/row_filter.h"

#include <algorithm>
#include <bit>

namespace ashlar::inline v0 {
namespace {

constexpr std::uint32_t kWordRows = 64;

std::uint32_t Zeros(std::uint64_t bits) {
  return static_cast<std::uint32_t>(std::countr_zero(bits));
}

}  // namespace

std::uint64_t RowFilter::Word(const Archetype& archetype, ChunkIndex chunk, std::uint32_t word,
                              std::uint32_t row_count) const {
  const std::uint32_t rows = row_count - word * kWordRows;
  std::uint64_t wanted = rows >= kWordRows ? ~std::uint64_t{0} : (std::uint64_t{1} << rows) - 1;
  std::uint64_t any = 0;
  bool looks_for_any = false;
  for (const RowTerm& term : row_terms_) {
    const std::uint32_t place = archetype.EnablePlace(term.component);
    if (place == Archetype::kNotEnableable) continue;  // Of any or none, and not there.
    const std::uint64_t bits = archetype.enable_bits().words(place, chunk)[word];
    switch (term.kind) {
      case RowTerm::Kind::kAll:
        wanted &= bits;
        break;
      case RowTerm::Kind::kAny:
        any |= bits;
        looks_for_any = true;
        break;
      case RowTerm::Kind::kNone:
        wanted &= ~bits;
        break;
    }
  }
  return looks_for_any && !terms_->HasPlainAny(archetype.signature()) ? wanted & any : wanted;
}

RowFilter::Verdict RowFilter::Judge(const Archetype& archetype, ChunkIndex chunk) const {
  const std::uint64_t row_count = archetype.RowsInChunk(chunk);
  Verdict verdict = Verdict::kEveryRow;
  for (const RowTerm& term : row_terms_) {
    const std::uint32_t place = archetype.EnablePlace(term.component);
    if (place == Archetype::kNotEnableable) continue;
    const std::uint64_t enabled = archetype.enable_bits().enabled_count(place, chunk);
    const std::uint64_t wanted = term.kind == RowTerm::Kind::kNone ? row_count - enabled : enabled;
    if (wanted == 0 && term.kind != RowTerm::Kind::kAny) return Verdict::kNoRow;
    if (wanted != row_count) verdict = Verdict::kByBits;
  }
  return verdict;
}

RowRun RowFilter::NextRun(const Archetype& archetype, ChunkIndex chunk, std::uint32_t from) const {
  const std::uint32_t row_count = archetype.RowsInChunk(chunk);
  if (from == 0) {
    const Verdict verdict = Judge(archetype, chunk);
    if (verdict == Verdict::kEveryRow) return {0, row_count};
    if (verdict == Verdict::kNoRow) return {row_count, row_count};
  }
  // The first row at or behind `at` whose bit is not that of `other`.
  const auto find = [&](std::uint32_t at, std::uint64_t other) {
    while (at < row_count) {
      const std::uint64_t bits =
          (Word(archetype, chunk, at / kWordRows, row_count) ^ other) >> (at % kWordRows);
      if (bits != 0) return std::min(at + Zeros(bits), row_count);
      at += kWordRows - at % kWordRows;
    }
    return row_count;
  };
  const std::uint32_t begin = find(from, 0);
  return {begin, find(begin, ~std::uint64_t{0})};
}

std::uint32_t RowFilter::WantedWords(const Archetype& archetype, ChunkIndex chunk,
                                     std::span<std::uint64_t> words) const {
  const std::uint32_t row_count = archetype.RowsInChunk(chunk);
  std::uint32_t count = 0;
  for (std::uint32_t word = 0; word * kWordRows < row_count; ++word) {
    words[word] = Word(archetype, chunk, word, row_count);
    count += static_cast<std::uint32_t>(std::popcount(words[word]));
  }
  return count;
}

std::uint32_t RowFilter::CountRows(const Archetype& archetype, ChunkIndex chunk) const {
  const std::uint32_t row_count = archetype.RowsInChunk(chunk);
  const Verdict verdict = Judge(archetype, chunk);
  if (verdict != Verdict::kByBits) return verdict == Verdict::kEveryRow ? row_count : 0;
  std::uint32_t count = 0;
  for (std::uint32_t word = 0; word * kWordRows < row_count; ++word) {
    count += static_cast<std::uint32_t>(std::popcount(Word(archetype, chunk, word, row_count)));
  }
  return count;
}

}  // namespace ashlar::inline v0
