#include "model/reference_order.h"

#include <algorithm>
#include <cstdint>

namespace ashlar::model {
namespace {

// Bits with a sign in the highest, as a number that rises with the float.
std::uint64_t RankOfFloat(std::uint64_t bits, std::uint64_t sign) {
  return (bits & sign) != 0 ? ~bits & (sign | (sign - 1)) : bits | sign;
}

// A number that rises as the scalars of one field do.
std::uint64_t RankOf(const Scalar& scalar) {
  constexpr std::uint64_t kSign64 = std::uint64_t{1} << 63;
  switch (scalar.kind) {
    case Scalar::Kind::kInt:
      return scalar.bits ^ kSign64;
    case Scalar::Kind::kF32:
      return RankOfFloat(scalar.bits, std::uint64_t{1} << 31);
    case Scalar::Kind::kF64:
      return RankOfFloat(scalar.bits, kSign64);
    default:
      return scalar.bits;
  }
}

}  // namespace

bool ComesBefore(std::span<const Scalar> first, std::span<const Scalar> second) {
  return std::ranges::lexicographical_compare(first, second, {}, RankOf, RankOf);
}

}  // namespace ashlar::model
