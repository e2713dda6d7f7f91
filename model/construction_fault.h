// ConstructionFault: constructors of owning components that throw when a test says so.
#pragma once

#include <cstdint>
#include <exception>

namespace ashlar::model {

// What such a constructor throws.
struct InjectedFailure : std::exception {
  const char* what() const noexcept override { return "an injected failure of a constructor"; }
};

// Of one thread: what one thread arms, another does not see.
class ConstructionFault {
 public:
  // From now on the nth construction or copy (from 1; 0: none) throws, once.
  static void Arm(std::uint32_t nth) noexcept;
  static void Disarm() noexcept;

  // Whether one has thrown since the fault was armed last.
  static bool fired() noexcept;

  // Called by every constructor and copy (not by moves) before it has made anything. Throws
  // InjectedFailure where it is its turn.
  static void CountConstruction();
};

}  // namespace ashlar::model
