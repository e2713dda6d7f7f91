// CommandBuffer: changes that are recorded now and applied later, as one transaction.
//
//   CommandBuffer buffer(world);                      // Recording is legal inside a scope.
//   auto child = buffer.Create({ComponentValue(position, at)});
//   buffer.Add(*child, {ComponentValue(owner, &parent)});
//   buffer.Remove(parent, {waiting.id()});
//   ... the scope ends ...
//   auto report = Apply(world, buffer);               // apply_commands.h
//   Entity entity = *buffer.Resolve(*child);
//
//   commands_ -> | create #0 | add #0 | remove 4v2 | ...     in recorded order
//   items_    -> | position | owner | waiting | ...          each command's components, in order
//   arena_    -> | 12 bytes | 8 bytes | ...                  their values: bytes, or whole objects
//   that the buffer owns
//
// Applied, a buffer is worth the same as its commands, run one by one in recorded order; or it
// changes nothing, stays as it is, and may be applied again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ashlar/core/entity.h"
#include "ashlar/core/ids.h"
#include "ashlar/world/batch_value.h"
#include "ashlar/world/component_value.h"
#include "ashlar/world/value_arena.h"
#include "ashlar/world/world.h"

namespace ashlar::inline v0 {

// An entity that a buffer will make. Of use in commands of that buffer behind its Create; once the
// buffer is applied, Resolve says which entity it became. It is no id and has none's bit pattern.
class Placeholder {
 public:
  constexpr Placeholder() = default;  // Of no buffer: every command refuses it.

  friend constexpr bool operator==(Placeholder, Placeholder) = default;

 private:
  friend class CommandBuffer;
  constexpr Placeholder(std::uint64_t recording, std::uint32_t number)
      : recording_(recording), number_(number) {}

  std::uint64_t recording_ = 0;  // Which recording of which buffer; never 0 for one of those.
  std::uint32_t number_ = 0;     // Which Create of it.
};

// What a command is about: an entity, or one that the same buffer makes.
class CommandTarget {
 public:
  CommandTarget(Entity entity) : entity_(entity) {}  // NOLINT(google-explicit-constructor)
  CommandTarget(Placeholder placeholder)             // NOLINT(google-explicit-constructor)
      : is_placeholder_(true), placeholder_(placeholder) {}

  bool is_placeholder() const { return is_placeholder_; }
  Entity entity() const { return entity_; }
  Placeholder placeholder() const { return placeholder_; }

 private:
  bool is_placeholder_ = false;
  Entity entity_;
  Placeholder placeholder_;
};

// One recorded command. Plain data.
struct Command {
  enum class Verb : std::uint8_t { kCreate, kDestroy, kAdd, kRemove, kSet, kPut, kExchange };
  enum class Target : std::uint8_t { kEntity, kPlaceholder, kQuery };

  Verb verb = Verb::kCreate;
  Target target_kind = Target::kPlaceholder;
  std::uint32_t removed_count = 0;  // Its first items: components that go.
  std::uint32_t value_count = 0;    // The items behind them: components that get a value.
  std::size_t first_item = 0;
  std::uint64_t target = 0;  // Bits of an entity, number of a placeholder, or number of a query.
  std::int64_t sort_key = 0;
};

// Threads: a buffer is one thread's at a time. Recording reads the registry of the world and
// nothing else of it, so threads may record into buffers of their own beside everything but
// registration, where WorldOptions::memory may be called from several threads.
//
// Memory: from the world's source and within its limit (MemoryUsage::commands); "memory" as in
// world.h. Values are made when they are recorded, and ended, outside of any change of the world:
// their constructors and destructors may do with it what they like, but not with this buffer.
class CommandBuffer {
 public:
  // Takes no memory. `world` is the one that it is for; it outlives the buffer.
  explicit CommandBuffer(World& world);

  // Ends the values that were not applied.
  ~CommandBuffer();
  CommandBuffer(const CommandBuffer&) = delete;
  CommandBuffer& operator=(const CommandBuffer&) = delete;

  // --- Recording. Each call takes what World's call of that name takes, and checks what does not
  // depend on entities: components, types and values, in World's order and with its errors. A call
  // that is refused has recorded nothing. Objects (schema/lifecycle.h) are made now, so what their
  // constructors and copies throw comes from here, and never from Apply but for queries. Errors of
  // all: kBufferBusy (from inside a constructor or destructor of a value), kBufferApplied (Clear it
  // first), kPlaceholderUnknown (of another buffer, or cleared), memory. Cost: O(values) ---

  absl::StatusOr<Placeholder> Create(std::span<const ComponentValue> values);
  absl::StatusOr<Placeholder> Create(std::initializer_list<ComponentValue> values = {}) {
    return Create(std::span(values.begin(), values.size()));
  }
  absl::Status Destroy(CommandTarget target);
  absl::Status Add(CommandTarget target, std::span<const ComponentValue> values);
  absl::Status Add(CommandTarget target, std::initializer_list<ComponentValue> values) {
    return Add(target, std::span(values.begin(), values.size()));
  }
  absl::Status Remove(CommandTarget target, std::span<const ComponentId> components);
  absl::Status Remove(CommandTarget target, std::initializer_list<ComponentId> components) {
    return Remove(target, std::span(components.begin(), components.size()));
  }
  absl::Status Set(CommandTarget target, std::span<const ComponentValue> values);
  absl::Status Set(CommandTarget target, std::initializer_list<ComponentValue> values) {
    return Set(target, std::span(values.begin(), values.size()));
  }
  absl::Status Put(CommandTarget target, std::span<const ComponentValue> values);
  absl::Status Put(CommandTarget target, std::initializer_list<ComponentValue> values) {
    return Put(target, std::span(values.begin(), values.size()));
  }
  absl::Status Exchange(CommandTarget target, std::span<const ComponentId> removed,
                        std::span<const ComponentValue> added);
  absl::Status Exchange(CommandTarget target, std::initializer_list<ComponentId> removed,
                        std::initializer_list<ComponentValue> added) {
    return Exchange(target, std::span(removed.begin(), removed.size()),
                    std::span(added.begin(), added.size()));
  }

  // --- The same for every entity that the query matches when the command's turn comes, with what
  // the commands before it have done, enable bits included. One that is refused for one entity is
  // refused. Objects are copied for each entity, by Apply; so their type must have copies
  // (kValueDoesNotFit). Entities are destroyed from the highest index to the lowest. Errors
  // besides: kQueryUnknown, of Apply ---

  absl::Status DestroyByQuery(QueryId query);
  absl::Status AddByQuery(QueryId query, std::span<const ComponentValue> values);
  absl::Status AddByQuery(QueryId query, std::initializer_list<ComponentValue> values) {
    return AddByQuery(query, std::span(values.begin(), values.size()));
  }
  absl::Status RemoveByQuery(QueryId query, std::span<const ComponentId> components);
  absl::Status RemoveByQuery(QueryId query, std::initializer_list<ComponentId> components) {
    return RemoveByQuery(query, std::span(components.begin(), components.size()));
  }
  absl::Status SetByQuery(QueryId query, std::span<const ComponentValue> values);
  absl::Status SetByQuery(QueryId query, std::initializer_list<ComponentValue> values) {
    return SetByQuery(query, std::span(values.begin(), values.size()));
  }
  absl::Status PutByQuery(QueryId query, std::span<const ComponentValue> values);
  absl::Status PutByQuery(QueryId query, std::initializer_list<ComponentValue> values) {
    return PutByQuery(query, std::span(values.begin(), values.size()));
  }
  absl::Status ExchangeByQuery(QueryId query, std::span<const ComponentId> removed,
                               std::span<const ComponentValue> added);
  absl::Status ExchangeByQuery(QueryId query, std::initializer_list<ComponentId> removed,
                               std::initializer_list<ComponentValue> added) {
    return ExchangeByQuery(query, std::span(removed.begin(), removed.size()),
                           std::span(added.begin(), added.size()));
  }

  // Commands from here on have this key, 0 before: those of a lower key are applied first, those of
  // equal keys in the order of their buffers, then as recorded.
  void set_sort_key(std::int64_t key) {
    RenewForHook();
    sort_key_ = key;
  }

  // --- Reading ---

  // Commands; none once they are applied.
  std::size_t size() const { return commands_.size(); }
  bool empty() const { return commands_.empty(); }

  // Whether it has been applied; then it takes no command and is not applied again until Clear.
  bool is_applied() const { return is_applied_; }

  // The entity that a placeholder became. Errors: kPlaceholderUnknown; kBufferNotApplied.
  absl::StatusOr<Entity> Resolve(Placeholder placeholder) const;

  // Forgets all commands, ends their values, and takes new ones; placeholders of before are unknown
  // from now on. Memory is kept for what comes. Nothing happens from inside a constructor of a
  // value.
  void Clear() noexcept;

  // The world that it is for.
  const World& world() const { return *world_; }

 private:
  friend class CommandTransaction;
  friend class HookRunner;

  // Of a command whose placeholder is not of this recording.
  static constexpr std::uint64_t kUnknownPlaceholder = ~std::uint64_t{0};

  // What a hook records into a buffer that was applied begins it anew.
  void RenewForHook() noexcept {
    if (renews_ && is_applied_) [[unlikely]]
      Clear();
  }
  absl::Status Record(std::string_view call, Command command, std::span<const ComponentId> removed,
                      std::span<const ComponentValue> values);
  absl::Status RecordFor(std::string_view call, Command::Verb verb, const CommandTarget& target,
                         std::span<const ComponentId> removed,
                         std::span<const ComponentValue> values);
  absl::Status RecordByQuery(std::string_view call, Command::Verb verb, QueryId query,
                             std::span<const ComponentId> removed,
                             std::span<const ComponentValue> values);
  absl::Status CheckItems(std::string_view call, const Command& command,
                          std::span<const ComponentId> removed,
                          std::span<const ComponentValue> values);
  BatchValue MakeItem(const ComponentValue& value);

  // What Apply leaves of the buffer when it has succeeded: values that nobody took end.
  void FinishApply() noexcept;

  // Ends the objects of the items behind the first `count`, and forgets those items.
  void DropItems(std::size_t count) noexcept;
  bool IsKnown(Placeholder placeholder) const {
    return placeholder.recording_ == recording_ && placeholder.number_ < resolved_.size();
  }

  World* world_;
  std::pmr::memory_resource* memory_;
  std::pmr::vector<Command> commands_;
  std::pmr::vector<BatchValue> items_;
  // By number of placeholder, one for each Create; what they became, once it is applied.
  std::pmr::vector<Entity> resolved_;
  ValueArena arena_;
  ValueArena scratch_;  // For Apply, which begins with it empty and leaves it so.
  std::uint64_t recording_;
  std::int64_t sort_key_ = 0;
  bool is_applied_ = false;
  bool is_busy_ = false;  // Code of the user's runs.
  bool renews_ = false;   // A hook runs that records into it.
};

}  // namespace ashlar::inline v0
