#include "ashlar/schema/component_registry.h"

#include <memory_resource>
#include <new>
#include <string>
#include <vector>

#include "ashlar/core/limits.h"
#include "ashlar/core/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar {
namespace {

using ::testing::HasSubstr;

ComponentDescriptor Described(std::string_view name, std::string_view type) {
  TypeSpec spec;
  EXPECT_FALSE(ParseType(type, &spec).has_value()) << type;
  return ComponentDescriptor::FromSpec(name, spec).value();
}

// Counts bytes; armed, it fails the n-th request from then and all that follow.
class FailingResource : public std::pmr::memory_resource {
 public:
  void FailAt(std::size_t n) { left_ = n; }
  std::size_t bytes_in_use() const { return bytes_in_use_; }

 private:
  void* do_allocate(std::size_t size, std::size_t alignment) override {
    if (left_ == 1) throw std::bad_alloc();
    if (left_ > 1) --left_;
    void* memory = std::pmr::new_delete_resource()->allocate(size, alignment);
    bytes_in_use_ += size;
    return memory;
  }
  void do_deallocate(void* memory, std::size_t size, std::size_t alignment) override {
    bytes_in_use_ -= size;
    std::pmr::new_delete_resource()->deallocate(memory, size, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::size_t left_ = 0;
  std::size_t bytes_in_use_ = 0;
};

TEST(ComponentRegistry, NumbersInOrderAndFindsByName) {
  ComponentRegistry registry(std::pmr::get_default_resource());
  EXPECT_EQ(registry.size(), 0u);
  EXPECT_FALSE(registry.Contains(ComponentId(0)));
  EXPECT_EQ(registry.Register(Described("position", "f32[3]")).value(), ComponentId(0));
  const ComponentDescriptor* first = &registry[ComponentId(0)];
  EXPECT_EQ(registry.Register(Described("health", "i32 in [0,100]")).value(), ComponentId(1));
  EXPECT_EQ(registry.Register(Described("disabled", "tag")).value(), ComponentId(2));
  EXPECT_EQ(registry.size(), 3u);
  EXPECT_EQ(registry.Find("health"), ComponentId(1));
  EXPECT_EQ(registry[ComponentId(1)].TypeText(), "i32 in [0,100]");
  EXPECT_TRUE(registry.Find("healt").is_none());
  EXPECT_TRUE(registry.Find("").is_none());
  EXPECT_TRUE(registry.Contains(ComponentId(2)));
  EXPECT_FALSE(registry.Contains(ComponentId(3)));
  EXPECT_FALSE(registry.Contains(ComponentId::None()));
  EXPECT_EQ(first, &registry[ComponentId(0)]) << "descriptors must not move";
}

TEST(ComponentRegistry, RefusesATakenName) {
  ComponentRegistry registry(std::pmr::get_default_resource());
  ASSERT_TRUE(registry.Register(Described("position", "f32[3]")).ok());
  const auto again = registry.Register(Described("position", "f64[3]"));
  EXPECT_EQ(again.status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(ReasonOf(again.status()), Reason::kComponentNameTaken);
  EXPECT_THAT(std::string(again.status().message()), HasSubstr("position"));
  EXPECT_EQ(registry.size(), 1u);
  EXPECT_EQ(registry[ComponentId(0)].TypeText(), "f32[3]");
}

TEST(ComponentRegistry, HoldsFiveHundredAndTwelve) {
  ComponentRegistry registry(std::pmr::get_default_resource());
  for (int i = 0; i < 512; ++i) {
    ASSERT_TRUE(registry.Register(Described("c" + std::to_string(i), "u8")).ok()) << i;
  }
  const auto one_more = registry.Register(Described("one_more", "u8"));
  EXPECT_EQ(one_more.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(ReasonOf(one_more.status()), Reason::kComponentLimit);
  EXPECT_EQ(registry.size(), 512u);
  EXPECT_TRUE(registry.Find("one_more").is_none());
  EXPECT_EQ(registry.Find("c511"), ComponentId(511));
  EXPECT_EQ(ReasonOf(registry.Register(Described("c7", "u8")).status()),
            Reason::kComponentNameTaken);
}

TEST(ComponentRegistry, TakesAllItsMemoryFromItsResource) {
  const ComponentDescriptor descriptor =
      Described("a_component_with_a_name_of_some_length",
                "{a_field_with_a_name_of_some_length: f32[3], another_of_these_fields: entity}");
  FailingResource memory;
  std::pmr::set_default_resource(std::pmr::null_memory_resource());
  {
    ComponentRegistry registry(&memory);
    EXPECT_TRUE(registry.Register(descriptor).ok());
    EXPECT_EQ(registry[ComponentId(0)].fields()[0].name.get_allocator().resource(), &memory);
    EXPECT_GT(memory.bytes_in_use(), sizeof(ComponentDescriptor));
  }
  std::pmr::set_default_resource(nullptr);
  EXPECT_EQ(memory.bytes_in_use(), 0u);
}

TEST(ComponentRegistry, FindsEveryNameInWhateverOrderTheyCame) {
  // 37 and 100 share no factor, so that every number below 100 comes once; "n9" stands behind
  // "n10".
  ComponentRegistry registry(std::pmr::get_default_resource());
  std::vector<std::string> names;
  for (int i = 0; i < 100; ++i) {
    names.push_back("n" + std::to_string(i * 37 % 100));
    ASSERT_TRUE(registry.Find(names.back()).is_none());
    ASSERT_TRUE(registry.Register(Described(names.back(), "u8")).ok());
    for (std::size_t known = 0; known < names.size(); ++known) {
      ASSERT_EQ(registry.Find(names[known]), ComponentId(static_cast<ComponentId::Rep>(known)))
          << names[known] << " of " << names.size();
    }
  }
  EXPECT_TRUE(registry.Find("n").is_none());
  EXPECT_TRUE(registry.Find("n999").is_none());
}

TEST(ComponentRegistry, AFailedAllocationChangesNothing) {
  const ComponentDescriptor descriptor =
      Described("a_component_with_a_name_of_some_length",
                "{a_field_with_a_name_of_some_length: f32[3], another_of_these_fields: entity}");
  FailingResource memory;
  int failure_count = 0;
  {
    ComponentRegistry registry(&memory);
    for (int i = 0; i < 32; ++i) {
      ASSERT_TRUE(registry.Register(Described("c" + std::to_string(i), "u8")).ok());
    }
    const std::size_t bytes_before = memory.bytes_in_use();
    for (std::size_t n = 1;; ++n) {
      memory.FailAt(n);
      try {
        ASSERT_EQ(registry.Register(descriptor).value(), ComponentId(32));
        break;
      } catch (const std::bad_alloc&) {
        ++failure_count;
      }
      ASSERT_EQ(memory.bytes_in_use(), bytes_before) << "after failure " << n;
      ASSERT_EQ(registry.size(), 32u);
      ASSERT_TRUE(registry.Find(descriptor.name()).is_none());
      ASSERT_EQ(registry.Find("c3"), ComponentId(3));
    }
    memory.FailAt(0);
    EXPECT_EQ(registry.Find(descriptor.name()), ComponentId(32));
  }
  // Descriptor, its name, fields, two field names, scalars; the list.
  EXPECT_EQ(failure_count, 7);
  EXPECT_EQ(memory.bytes_in_use(), 0u);
}

}  // namespace
}  // namespace ashlar
