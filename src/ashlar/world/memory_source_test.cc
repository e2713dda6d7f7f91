// Everything that a world holds comes from its memory resource, but for the World object: this
// program counts the blocks of the global heap itself, so it stands alone.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <memory_resource>
#include <new>
#include <optional>
#include <vector>

#include "ashlar/world/world_fixture.h"

namespace {

std::atomic<long> g_blocks{0};  // Of the global heap: made and not given back.

void* Allocate(std::size_t bytes, std::size_t alignment) {
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* block = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (block == nullptr) throw std::bad_alloc();
  ++g_blocks;
  return block;
}

void Free(void* block) noexcept {
  if (block == nullptr) return;
  --g_blocks;
  std::free(block);
}

}  // namespace

void* operator new(std::size_t bytes) { return Allocate(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return Allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept { Free(block); }
void operator delete(void* block, std::size_t) noexcept { Free(block); }
void operator delete(void* block, std::align_val_t) noexcept { Free(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { Free(block); }

namespace ashlar {
namespace {

// Takes nothing from operator new.
class PlainMemory : public std::pmr::memory_resource {
 public:
  std::size_t in_use = 0;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    const std::size_t step = std::max(alignment, alignof(std::max_align_t));
    void* block = std::aligned_alloc(step, (bytes + step - 1) / step * step);
    if (block == nullptr) throw std::bad_alloc();
    in_use += bytes;
    return block;
  }
  void do_deallocate(void* block, std::size_t bytes, std::size_t) override {
    in_use -= bytes;
    std::free(block);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

// A default resource that refuses finds every container that was made without its own.
class DefaultResource {
 public:
  DefaultResource() : before_(std::pmr::set_default_resource(std::pmr::null_memory_resource())) {}
  ~DefaultResource() { std::pmr::set_default_resource(before_); }

 private:
  std::pmr::memory_resource* before_;
};

TEST(MemorySource, OnlyTheWorldObjectComesFromTheHeap) {
  // Descriptors, specs and value lists are the caller's, and made beforehand.
  TypeSpec spec;
  ASSERT_FALSE(
      ParseType("{first_with_a_long_name: f32[3] in [0, 9], second_with_a_long_name: i32}", &spec)
          .has_value());
  std::vector<ComponentDescriptor> descriptors;
  for (int i = 0; i < 40; ++i) {
    const std::string name = "component_with_a_long_name_" + std::to_string(i);
    descriptors.push_back(*ComponentDescriptor::FromSpec(name, spec));
  }
  std::vector<QuerySpec> queries(descriptors.size());
  std::vector<ComponentValue> values;
  for (std::uint16_t i = 0; i < queries.size(); ++i) {
    values.emplace_back(ComponentId(i));
    queries[i].Read(ComponentId(i)).None(values[0].component());
    if (i == 0) queries[i] = QuerySpec().Write(ComponentId(0));
  }
  const std::span all(values);
  std::vector<Entity> entities;
  entities.reserve(3000);

  PlainMemory memory;
  const DefaultResource refusing;
  WorldOptions options;
  options.memory = &memory;
  const long blocks_before = g_blocks;
  std::unique_ptr<World> world = *World::Make(options);
  EXPECT_EQ(g_blocks - blocks_before, 1) << "the World object";
  for (const ComponentDescriptor& descriptor : descriptors) {
    ASSERT_TRUE(world->Register(descriptor).ok());
  }
  for (const QuerySpec& query : queries) ASSERT_TRUE(world->MakeQuery(query).ok());
  for (std::size_t i = 0; i < 3000; ++i) {
    entities.push_back(*world->Create(all.subspan(i % 30, i % 10)));
  }
  for (std::size_t i = 0; i < 3000; i += 2) {
    ASSERT_TRUE(world->Put(entities[i], all.subspan(i % 35, 2)).ok());
  }
  for (std::size_t i = 0; i < 3000; i += 3) ASSERT_TRUE(world->Destroy(entities[i]).ok());
  EXPECT_EQ(g_blocks - blocks_before, 1) << "and nothing else";
  EXPECT_EQ(world->memory_usage().total(), memory.in_use);
  EXPECT_GT(world->archetypes().size(), 100u);
  ASSERT_TRUE(world->Trim().ok());
  EXPECT_EQ(world->memory_usage().total(), memory.in_use);
  world.reset();
  EXPECT_EQ(memory.in_use, 0u);
  EXPECT_EQ(g_blocks, blocks_before);
}

}  // namespace
}  // namespace ashlar
