#include "ashlar/audit/digest.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>

#include "ashlar/storage/value_reader.h"

namespace ashlar::inline v0 {
namespace {

// The state is hashed from words in a fixed order, so that the number does not depend on the byte
// order or padding of any struct of ours.
template <std::size_t N>
std::uint64_t HashWords(const std::array<std::uint64_t, N>& words, std::uint64_t seed) {
  return XXH3_64bits_withSeed(words.data(), sizeof(words), seed);
}

constexpr std::uint64_t kSeedValue = 1;
constexpr std::uint64_t kSeedEntity = 2;
constexpr std::uint64_t kSeedFree = 3;
constexpr std::uint64_t kSeedWorld = 4;
constexpr std::uint64_t kSeedDisabled = 5;
constexpr std::uint64_t kSeedSingleton = 6;

// Components by name, since numbers are an accident of the order of registration.
std::uint64_t HashComponent(const ComponentDescriptor& descriptor, const std::byte* value,
                            bool enabled) {
  const std::uint64_t name = XXH3_64bits(descriptor.name().data(), descriptor.name().size());
  const std::uint64_t hash = descriptor.is_tag() ? 0 : descriptor.Hash(value);
  return HashWords<2>({name, hash}, enabled ? kSeedValue : kSeedDisabled);
}

// The sum over rows of a hash of each entity with its components: addition commutes, so neither
// the order of rows nor that of columns matters.
std::uint64_t HashRows(const World& world) {
  std::uint64_t sum = 0;
  ValueReader reader;
  for (const Archetype* archetype : world.archetypes().numbered()) {
    for (std::uint32_t chunk = 0; chunk < archetype->chunk_count(); ++chunk) {
      const std::byte* base = archetype->ChunkBase(ChunkIndex(chunk));
      const std::uint32_t rows = archetype->RowsInChunk(ChunkIndex(chunk));
      for (std::uint32_t row = 0; row < rows; ++row) {
        std::uint64_t components = 0;
        archetype->signature().ForEach([&](ComponentId component) {
          const ComponentDescriptor& descriptor = world.registry()[component];
          const std::byte* value = reader.Read(*archetype, archetype->ColumnOf(component),
                                               descriptor.size_bytes(), base, row);
          components += HashComponent(
              descriptor, value, archetype->IsEnabled(component, ChunkIndex(chunk), RowIndex(row)));
        });
        const Entity entity = archetype->EntityAt(ChunkIndex(chunk), RowIndex(row));
        sum += HashWords<2>({entity.ToBits(), components}, kSeedEntity);
      }
    }
  }
  return sum;
}

// The free list in its order, with the generation that each slot issues next; then how many slots
// there are. Retired slots are the rest.
std::uint64_t HashFreeList(const EntityDirectory& directory) {
  std::uint64_t hash = directory.slot_count();
  directory.ForEachFree([&](std::uint32_t index) {
    hash = HashWords<3>({hash, index, directory.GenerationOf(index)}, kSeedFree);
    return true;
  });
  return hash;
}

// A sum too; 0 in a world without any.
std::uint64_t HashSingletons(const World& world) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < world.singletons().size(); ++i) {
    const ComponentId component(static_cast<ComponentId::Rep>(i));
    if (!world.singletons().Has(component)) continue;
    const std::byte* value = world.singletons().Value(component);
    sum += HashWords<1>({HashComponent(world.registry()[component], value, true)}, kSeedSingleton);
  }
  return sum;
}

}  // namespace

std::uint64_t Digest(const World& world) {
  return HashWords<4>({kDigestVersion, world.entity_count(),
                       HashRows(world) + HashSingletons(world), HashFreeList(world.directory())},
                      kSeedWorld);
}

}  // namespace ashlar::inline v0
