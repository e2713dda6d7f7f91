// FailingResource: memory that runs out when a test says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>

namespace ashlar::model {

// Hands every request on to another resource, but for those that it was armed to refuse. One
// thread's.
class FailingResource : public std::pmr::memory_resource {
 public:
  // `upstream` must outlive the resource; null: the default resource.
  explicit FailingResource(std::pmr::memory_resource* upstream = nullptr)
      : upstream_(upstream != nullptr ? upstream : std::pmr::get_default_resource()) {}

  // From now on the nth request (from 1; 0: none) fails with std::bad_alloc; with `sticky` every
  // one after it too, until the resource is disarmed.
  void Arm(std::uint32_t nth, bool sticky);
  void Disarm() { nth_ = 0; }

  // Whether a request has failed since the resource was armed last.
  bool fired() const { return fired_; }

  // Requests since the resource was armed last, those that failed included.
  std::uint64_t request_count() const { return request_count_; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* at, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  std::pmr::memory_resource* upstream_;
  std::uint64_t nth_ = 0;
  bool sticky_ = false;
  bool fired_ = false;
  std::uint64_t request_count_ = 0;
};

}  // namespace ashlar::model
