#include "model/reference_kernels.h"

#include <bit>
#include <cstdint>

namespace ashlar::model {
namespace {

float FloatOf(const Scalar& scalar) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(scalar.bits));
}

}  // namespace

Scalar Moved(const Scalar& position, const Scalar& velocity, float dt) {
  const float step = FloatOf(velocity) * dt;
  const float sum = FloatOf(position) + step;
  return sum == sum ? Scalar::F32(sum) : Scalar::F32Bits(0x7FC00000u);
}

}  // namespace ashlar::model
