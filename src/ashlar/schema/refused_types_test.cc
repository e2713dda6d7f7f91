// Types that are no components, one a case: each must be refused with the message that
// CMakeLists.txt names for it. Case 0 is accepted. Never linked: only looked at by the compiler.
#include "ashlar/schema/typed_component.h"

namespace {

#if ASHLAR_CASE == 0
struct Refused {
  Refused() = default;
  Refused(Refused&&) noexcept {}
  Refused(const Refused&) {}
  ~Refused() {}
};
#elif ASHLAR_CASE == 1
struct Refused {
  Refused() = default;
  Refused(Refused&&) {}
  ~Refused() {}
};
#elif ASHLAR_CASE == 2
struct Refused {
  Refused() = default;
  Refused(const Refused&) {}  // Moving is copying, which may throw.
};
#elif ASHLAR_CASE == 3
struct Refused {
  ~Refused() noexcept(false) {}
};
#elif ASHLAR_CASE == 4
struct alignas(128) Refused {
  int value;
};
#elif ASHLAR_CASE == 5
using Refused = const int;
#elif ASHLAR_CASE == 6
using Refused = int[4];
#endif

}  // namespace

const ashlar::TypedDescriptor<Refused> kDescriptor("refused");
