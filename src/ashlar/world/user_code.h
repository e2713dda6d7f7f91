// While code of the user's runs inside a call: constructors, destructors and moves of components,
// validators.
#pragma once

#include <atomic>
#include <cstdint>

namespace ashlar::inline v0 {

// Such code may read other entities of its world. It must not change the structure that is being
// changed, so for as long as this lives the world counts one more scope, and every structural
// change is refused with kScopeOpen.
class UserCodeGuard {
 public:
  explicit UserCodeGuard(std::atomic<std::uint32_t>* scope_depth) : scope_depth_(scope_depth) {
    scope_depth_->fetch_add(1, std::memory_order_acq_rel);
  }
  ~UserCodeGuard() { scope_depth_->fetch_sub(1, std::memory_order_release); }
  UserCodeGuard(const UserCodeGuard&) = delete;
  UserCodeGuard& operator=(const UserCodeGuard&) = delete;

 private:
  std::atomic<std::uint32_t>* scope_depth_;
};

}  // namespace ashlar::inline v0
