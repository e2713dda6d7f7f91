#include "bench/fixtures.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <new>

#include "ashlar/core/limits.h"

namespace ashlar::bench {
namespace {

constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;

}  // namespace

void Require(const absl::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "benchmark: %s\n", status.ToString().c_str());
  std::abort();
}

WorldFixture::WorldFixture(const WorldOptions& options) : world(Require(World::Make(options))) {
  position = Require(world->Register(Describe<Position>("position")
                                         .Field("x", &Position::x)
                                         .Field("y", &Position::y)
                                         .Field("z", &Position::z)));
  velocity = Require(world->Register(Describe<Velocity>("velocity")
                                         .Field("x", &Velocity::x)
                                         .Field("y", &Velocity::y)
                                         .Field("z", &Velocity::z)));
  health = Require(world->Register(Describe<Health>("health").Field("points", &Health::points)));
  disabled = RegisterTag("disabled");
}

void WorldFixture::Fill(std::size_t count) {
  ids.reserve(count);
  for (std::size_t i = 0; i < count; ++i) ids.push_back(Create(i));
}

ComponentId WorldFixture::RegisterTag(const std::string& name, bool enableable) {
  ComponentDescriptor tag = Require(ComponentDescriptor::FromSpec(name, TypeSpec{}));
  return Require(world->Register(tag.set_enableable(enableable)));
}

PlainArrays::PlainArrays(std::size_t count, bool huge_pages)
    : count_(count),
      alignment_(huge_pages ? kHugePageBytes : kCacheLineBytes),
      position_(Allocate(count * sizeof(Position), huge_pages)),
      velocity_(Allocate(count * sizeof(Velocity), huge_pages)) {}

PlainArrays::~PlainArrays() {
  operator delete(position_, std::align_val_t{alignment_});
  operator delete(velocity_, std::align_val_t{alignment_});
}

float* PlainArrays::Allocate(std::size_t bytes, bool huge_pages) const {
  const std::size_t rounded = (bytes + alignment_ - 1) / alignment_ * alignment_;
  void* memory = operator new(rounded, std::align_val_t{alignment_});
#if defined(MADV_HUGEPAGE)
  if (huge_pages) madvise(memory, rounded, MADV_HUGEPAGE);
#else
  (void)huge_pages;
#endif
  return static_cast<float*>(memory);
}

void PlainArrays::Set(std::size_t i, const Position& p, const Velocity& v) {
  float* const position = position_ + 3 * i;
  float* const velocity = velocity_ + 3 * i;
  position[0] = p.x, position[1] = p.y, position[2] = p.z;
  velocity[0] = v.x, velocity[1] = v.y, velocity[2] = v.z;
}

}  // namespace ashlar::bench
