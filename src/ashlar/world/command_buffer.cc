#include "ashlar/world/command_buffer.h"

#include <atomic>

#include "absl/strings/str_cat.h"
#include "ashlar/core/status.h"
#include "ashlar/storage/reserve.h"
#include "ashlar/world/object_store.h"
#include "ashlar/world/value_store.h"
#include "ashlar/world/world_errors.h"

namespace ashlar::inline v0 {
namespace {

using Form = ComponentValue::Form;

// Numbers recordings, so that a placeholder of one is unknown to every other. Nothing that a
// program can see depends on which number it is.
std::uint64_t NextRecording() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

class BusyGuard {
 public:
  explicit BusyGuard(bool* is_busy) : is_busy_(is_busy), was_busy_(*is_busy) { *is_busy_ = true; }
  ~BusyGuard() { *is_busy_ = was_busy_; }
  BusyGuard(const BusyGuard&) = delete;
  BusyGuard& operator=(const BusyGuard&) = delete;

 private:
  bool* is_busy_;
  bool was_busy_;
};

}  // namespace

CommandBuffer::CommandBuffer(World& world)
    : world_(&world),
      memory_(world.memory_.commands()),
      commands_(memory_),
      items_(memory_),
      resolved_(memory_),
      arena_(memory_),
      scratch_(memory_),
      recording_(NextRecording()) {}

CommandBuffer::~CommandBuffer() { DropItems(0); }

void CommandBuffer::DropItems(std::size_t count) noexcept {
  const BusyGuard busy(&is_busy_);
  for (std::size_t i = items_.size(); i > count; --i) {
    const BatchValue& item = items_[i - 1];
    const Lifecycle* lifecycle = world_->registry()[item.component].lifecycle();
    if (lifecycle != nullptr && item.value != nullptr) lifecycle->destroy(item.value, *lifecycle);
  }
  items_.resize(count);
}

void CommandBuffer::Clear() noexcept {
  if (is_busy_) return;
  DropItems(0);
  commands_.clear();
  resolved_.clear();
  arena_.Rewind({});
  recording_ = NextRecording();
  sort_key_ = 0;
  is_applied_ = false;
}

void CommandBuffer::FinishApply() noexcept {
  DropItems(0);
  commands_.clear();
  arena_.Rewind({});
  is_applied_ = true;
}

absl::StatusOr<Entity> CommandBuffer::Resolve(Placeholder placeholder) const try {
  if (!IsKnown(placeholder)) return world_errors::PlaceholderUnknown("Resolve");
  if (!is_applied_) return world_errors::BufferNotApplied("Resolve");
  return resolved_[placeholder.number_];
} catch (...) {
  return world_errors::Caught("Resolve");
}

absl::Status CommandBuffer::CheckItems(std::string_view call, const Command& command,
                                       std::span<const ComponentId> removed,
                                       std::span<const ComponentValue> values) {
  Signature seen;
  for (const ComponentId component : removed) {
    ASHLAR_RETURN_IF_ERROR(world_->CheckNamed(call, component, &seen));
  }
  seen = Signature();
  for (const ComponentValue& value : values) {
    ASHLAR_RETURN_IF_ERROR(world_->CheckKnown(call, value, &seen));
  }
  for (const ComponentValue& value : values) {
    const ComponentDescriptor& descriptor = world_->registry()[value.component()];
    ASHLAR_RETURN_IF_ERROR(CheckValue(call, descriptor, value, memory_));
    const Lifecycle* lifecycle = descriptor.lifecycle();
    if (command.target_kind == Command::Target::kQuery && lifecycle != nullptr &&
        lifecycle->copy == nullptr) {
      return world_errors::MoveOnly(call, descriptor);
    }
  }
  return absl::OkStatus();
}

// A value that is to be taken has its place only: it is taken when nothing can fail any more.
BatchValue CommandBuffer::MakeItem(const ComponentValue& value) {
  const ComponentDescriptor& descriptor = world_->registry()[value.component()];
  BatchValue item{value.component(), nullptr};
  const bool is_object = descriptor.lifecycle() != nullptr;
  if (descriptor.is_tag() || (!is_object && value.form() == Form::kZero)) return item;
  std::byte* place = arena_.Allocate(descriptor.size_bytes(), descriptor.alignment_bytes());
  if (!is_object) {
    WriteValue(descriptor, value, place);
  } else if (value.form() != Form::kTake) {
    MakeObject(descriptor, value, place, memory_);
  }
  item.value = place;
  return item;
}

absl::Status CommandBuffer::Record(std::string_view call, Command command,
                                   std::span<const ComponentId> removed,
                                   std::span<const ComponentValue> values) try {
  if (is_busy_) return world_errors::BufferBusy(call);
  if (is_applied_) return world_errors::BufferApplied(call);
  if (command.target_kind == Command::Target::kPlaceholder &&
      command.target == kUnknownPlaceholder) {
    return world_errors::PlaceholderUnknown(call);
  }
  const BusyGuard busy(&is_busy_);
  ASHLAR_RETURN_IF_ERROR(CheckItems(call, command, removed, values));
  command.removed_count = static_cast<std::uint32_t>(removed.size());
  command.value_count = static_cast<std::uint32_t>(values.size());
  command.first_item = items_.size();
  command.sort_key = sort_key_;
  ReserveOneMore(commands_);
  ReserveMore(items_, removed.size() + values.size());
  if (command.verb == Command::Verb::kCreate) ReserveOneMore(resolved_);

  const ValueArena::Mark mark = arena_.mark();
  for (const ComponentId component : removed) items_.push_back({component, nullptr});
  std::size_t made = 0;
  try {
    for (; made < values.size(); ++made) items_.push_back(MakeItem(values[made]));
  } catch (...) {
    for (std::size_t i = 0; i < made; ++i) {
      if (values[i].form() == Form::kTake) items_[items_.size() - made + i].value = nullptr;
    }
    DropItems(command.first_item);
    arena_.Rewind(mark);
    throw;
  }

  // Nothing fails from here on.
  for (std::size_t i = 0; i < values.size(); ++i) {
    const BatchValue& item = items_[command.first_item + removed.size() + i];
    const Lifecycle* lifecycle = world_->registry()[item.component].lifecycle();
    if (lifecycle == nullptr || values[i].form() != Form::kTake) continue;
    lifecycle->take(item.value, values[i].object(), *lifecycle);
  }
  commands_.push_back(command);
  if (command.verb == Command::Verb::kCreate) resolved_.push_back(Entity());
  return absl::OkStatus();
} catch (...) {
  return world_errors::Caught(call);
}

absl::Status CommandBuffer::RecordFor(std::string_view call, Command::Verb verb,
                                      const CommandTarget& target,
                                      std::span<const ComponentId> removed,
                                      std::span<const ComponentValue> values) {
  RenewForHook();
  Command command;
  command.verb = verb;
  if (target.is_placeholder()) {
    const Placeholder placeholder = target.placeholder();
    command.target_kind = Command::Target::kPlaceholder;
    command.target = IsKnown(placeholder) ? placeholder.number_ : kUnknownPlaceholder;
  } else {
    command.target_kind = Command::Target::kEntity;
    command.target = target.entity().ToBits();
  }
  return Record(call, command, removed, values);
}

absl::Status CommandBuffer::RecordByQuery(std::string_view call, Command::Verb verb, QueryId query,
                                          std::span<const ComponentId> removed,
                                          std::span<const ComponentValue> values) {
  RenewForHook();
  Command command;
  command.verb = verb;
  command.target_kind = Command::Target::kQuery;
  command.target = query.value();
  return Record(call, command, removed, values);
}

absl::StatusOr<Placeholder> CommandBuffer::Create(std::span<const ComponentValue> values) {
  RenewForHook();
  const Placeholder placeholder(recording_, static_cast<std::uint32_t>(resolved_.size()));
  Command command;
  command.target = placeholder.number_;
  ASHLAR_RETURN_IF_ERROR(Record("CommandBuffer::Create", command, {}, values));
  return placeholder;
}

absl::Status CommandBuffer::Destroy(CommandTarget target) {
  return RecordFor("CommandBuffer::Destroy", Command::Verb::kDestroy, target, {}, {});
}

absl::Status CommandBuffer::Add(CommandTarget target, std::span<const ComponentValue> values) {
  return RecordFor("CommandBuffer::Add", Command::Verb::kAdd, target, {}, values);
}

absl::Status CommandBuffer::Remove(CommandTarget target, std::span<const ComponentId> components) {
  return RecordFor("CommandBuffer::Remove", Command::Verb::kRemove, target, components, {});
}

absl::Status CommandBuffer::Set(CommandTarget target, std::span<const ComponentValue> values) {
  return RecordFor("CommandBuffer::Set", Command::Verb::kSet, target, {}, values);
}

absl::Status CommandBuffer::Put(CommandTarget target, std::span<const ComponentValue> values) {
  return RecordFor("CommandBuffer::Put", Command::Verb::kPut, target, {}, values);
}

absl::Status CommandBuffer::Exchange(CommandTarget target, std::span<const ComponentId> removed,
                                     std::span<const ComponentValue> added) {
  return RecordFor("CommandBuffer::Exchange", Command::Verb::kExchange, target, removed, added);
}

absl::Status CommandBuffer::DestroyByQuery(QueryId query) {
  return RecordByQuery("CommandBuffer::DestroyByQuery", Command::Verb::kDestroy, query, {}, {});
}

absl::Status CommandBuffer::AddByQuery(QueryId query, std::span<const ComponentValue> values) {
  return RecordByQuery("CommandBuffer::AddByQuery", Command::Verb::kAdd, query, {}, values);
}

absl::Status CommandBuffer::RemoveByQuery(QueryId query, std::span<const ComponentId> components) {
  return RecordByQuery("CommandBuffer::RemoveByQuery", Command::Verb::kRemove, query, components,
                       {});
}

absl::Status CommandBuffer::SetByQuery(QueryId query, std::span<const ComponentValue> values) {
  return RecordByQuery("CommandBuffer::SetByQuery", Command::Verb::kSet, query, {}, values);
}

absl::Status CommandBuffer::PutByQuery(QueryId query, std::span<const ComponentValue> values) {
  return RecordByQuery("CommandBuffer::PutByQuery", Command::Verb::kPut, query, {}, values);
}

absl::Status CommandBuffer::ExchangeByQuery(QueryId query, std::span<const ComponentId> removed,
                                            std::span<const ComponentValue> added) {
  return RecordByQuery("CommandBuffer::ExchangeByQuery", Command::Verb::kExchange, query, removed,
                       added);
}

}  // namespace ashlar::inline v0
