// What tests of injected failures share.
#pragma once

#include <cstdint>
#include <functional>
#include <memory_resource>
#include <new>
#include <string>
#include <string_view>

#include "ashlar/oplang/trace_text.h"
#include "gtest/gtest.h"
#include "model/lockstep.h"

namespace ashlar::model {

constexpr std::string_view kInjectionHead =
    "component position f32[3]\n"
    "component health i32 in [0,100]\n"
    "component disabled tag\n"
    "component link {to: entity, weight: f64}\n";

inline oplang::Program ParseInjection(const std::string& body) {
  auto program = oplang::ParseTrace(std::string(kInjectionHead) + body, "test.trace");
  EXPECT_TRUE(program.ok()) << program.status();
  return program.value_or(oplang::Program());
}

// Memory that does something wrong, or fails by itself, at a chosen request.
class HookedMemory : public std::pmr::memory_resource {
 public:
  explicit HookedMemory(std::pmr::memory_resource* upstream = std::pmr::new_delete_resource())
      : upstream_(upstream) {}

  std::uint64_t requests_left = UINT64_MAX;  // Then every request fails.
  std::uint64_t requests = 0;                // That did not fail.
  std::function<void()> before_request;      // Called before each request goes upstream.
  std::function<void()> after_failure;       // Called when upstream has failed.

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (before_request) before_request();
    if (requests_left == 0) throw std::bad_alloc();
    --requests_left;
    ++requests;
    try {
      return upstream_->allocate(bytes, alignment);
    } catch (const std::bad_alloc&) {
      if (after_failure) after_failure();
      throw;
    }
  }
  void do_deallocate(void* at, std::size_t bytes, std::size_t alignment) override {
    upstream_->deallocate(at, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::pmr::memory_resource* upstream_;
};

}  // namespace ashlar::model
