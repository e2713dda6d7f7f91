#include "ashlar/world/apply_commands.h"

#include <algorithm>
#include <charconv>
#include <memory_resource>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "ashlar/core/status.h"
#include "ashlar/world/batch_commit.h"
#include "ashlar/world/batch_plan.h"
#include "ashlar/world/hook_runner.h"
#include "ashlar/world/user_code.h"
#include "ashlar/world/world_errors.h"

namespace ashlar::inline v0 {
namespace {

constexpr char kCommandUrl[] = "ashlar/command";

std::string_view CallName(Command::Verb verb) {
  switch (verb) {
    case Command::Verb::kCreate:
      return "Create";
    case Command::Verb::kDestroy:
      return "Destroy";
    case Command::Verb::kAdd:
      return "Add";
    case Command::Verb::kRemove:
      return "Remove";
    case Command::Verb::kSet:
      return "Set";
    case Command::Verb::kPut:
      return "Put";
    case Command::Verb::kExchange:
      break;
  }
  return "Exchange";
}

// The same error, with the command that has it. Resource errors name none.
absl::Status RefusedAt(const CommandPlace& place, const absl::Status& error) {
  if (error.code() == absl::StatusCode::kResourceExhausted) {
    return world_errors::Within("Apply", error);
  }
  absl::Status refused = world_errors::Within(
      absl::StrCat("Apply: command ", place.command, " of buffer ", place.buffer), error);
  refused.SetPayload(kCommandUrl, absl::Cord(absl::StrCat(place.buffer, "/", place.command)));
  return refused;
}

}  // namespace

std::optional<CommandPlace> RefusedCommand(const absl::Status& status) {
  if (status.ok()) return std::nullopt;
  const auto payload = status.GetPayload(kCommandUrl);
  if (!payload.has_value()) return std::nullopt;
  const std::string text(*payload);
  CommandPlace place;
  const char* const end = text.data() + text.size();
  const auto buffer = std::from_chars(text.data(), end, place.buffer);
  if (buffer.ec != std::errc() || buffer.ptr == end || *buffer.ptr != '/') return std::nullopt;
  const auto command = std::from_chars(buffer.ptr + 1, end, place.command);
  if (command.ec != std::errc() || command.ptr != end) return std::nullopt;
  return place;
}

// One call of Apply.
class CommandTransaction {
 public:
  CommandTransaction(World* world, std::span<CommandBuffer* const> buffers,
                     DeadTargets dead_targets)
      : world_(*world),
        buffers_(buffers),
        dead_targets_(dead_targets),
        own_scratch_(world->memory_.scratch()),
        scratch_(buffers.empty() ? &own_scratch_ : &buffers[0]->scratch_),
        memory_(scratch_),
        notes_(&memory_),
        order_(&memory_),
        made_(&memory_),
        first_made_(&memory_) {
    SetBusy(true);  // Constructors and destructors of values cannot record more.
  }

  ~CommandTransaction() {
    SetBusy(false);
    scratch_->Rewind({});
  }
  CommandTransaction(const CommandTransaction&) = delete;
  CommandTransaction& operator=(const CommandTransaction&) = delete;

  // Before a transaction is made: it uses what belongs to the buffers.
  static absl::Status Check(World& world, std::span<CommandBuffer* const> buffers) {
    if (world.scope_depth() != 0) return world_errors::ScopeOpen("Apply");
    std::pmr::vector<const CommandBuffer*> sorted(world.memory_.scratch());
    if (buffers.size() > 1) sorted.assign(buffers.begin(), buffers.end());
    std::sort(sorted.begin(), sorted.end());
    for (const CommandBuffer* buffer : buffers) {
      if (buffer == nullptr || buffer->world_ != &world) {
        return world_errors::BufferForeign("Apply");
      }
      const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), buffer);
      if (last - first > 1) return world_errors::BufferRepeated("Apply");
      if (buffer->is_busy_) return world_errors::BufferBusy("Apply");
      if (buffer->is_applied_) return world_errors::BufferApplied("Apply");
    }
    return absl::OkStatus();
  }

  absl::StatusOr<ApplyReport> Run() {
    Sort();
    BatchPlan plan({&world_.registry_, &world_.archetypes_, &world_.directory_, &world_.queries_},
                   Expected(), &memory_);
    ASHLAR_RETURN_IF_ERROR(Steps(plan));
    plan.Release();
    HookRunner hooks(&world_);
    std::optional<UserCodeGuard> guard(&world_.scope_depth_);
    BatchCommit commit(&plan, &memory_);
    commit.Prepare();

    // Commit.
    if (commit.has_changes()) {
      const BatchCommit::Counts counts = commit.Commit(world_.AdvanceVersion());
      report_.created = counts.created;
      report_.destroyed = counts.destroyed;
      report_.moved = counts.moved;
      report_.written = counts.written;
    }
    FinishBuffers(plan);
    guard.reset();
    SetBusy(false);  // Hooks may record into them.
    hooks.RunAll(notes_);
    return report_;
  }

 private:
  void SetBusy(bool is_busy) {
    for (CommandBuffer* buffer : buffers_) buffer->is_busy_ = is_busy;
  }

  absl::Status Steps(BatchPlan& plan) {
    if (!order_.empty()) {
      for (const CommandPlace& place : order_) ASHLAR_RETURN_IF_ERROR(StepAt(plan, place));
      return absl::OkStatus();
    }
    for (std::size_t b = 0; b < buffers_.size(); ++b) {
      const std::span<const Command> commands = buffers_[b]->commands_;
      for (std::size_t c = 0; c < commands.size(); ++c) {
        // The records of entities lie anywhere.
        if (c + kCommandsAhead < commands.size()) {
          world_.directory_.Prefetch(Entity::FromBits(commands[c + kCommandsAhead].target).index());
        }
        ASHLAR_RETURN_IF_ERROR(StepAt(plan, {b, c}));
      }
    }
    return absl::OkStatus();
  }

  absl::Status StepAt(BatchPlan& plan, const CommandPlace& place) {
    absl::Status done = Step(plan, place);
    return done.ok() ? done : RefusedAt(place, done);
  }

  // The commands in the order in which they are run, where it is not the order of the buffers.
  void Sort() {
    std::size_t count = 0;
    std::size_t made_count = 0;
    first_made_.reserve(buffers_.size());
    for (const CommandBuffer* buffer : buffers_) {
      count += buffer->size();
      first_made_.push_back(made_count);
      made_count += buffer->resolved_.size();
    }
    made_.resize(made_count);
    if (IsSorted()) return;
    order_.reserve(count);
    for (std::size_t b = 0; b < buffers_.size(); ++b) {
      for (std::size_t c = 0; c < buffers_[b]->size(); ++c) order_.push_back({b, c});
    }
    std::sort(order_.begin(), order_.end(), [this](const CommandPlace& a, const CommandPlace& b) {
      const std::int64_t key_a = CommandAt(a).sort_key;
      const std::int64_t key_b = CommandAt(b).sort_key;
      if (key_a != key_b) return key_a < key_b;
      return a.buffer != b.buffer ? a.buffer < b.buffer : a.command < b.command;
    });
  }

  bool IsSorted() const {
    std::int64_t key = INT64_MIN;
    for (const CommandBuffer* buffer : buffers_) {
      for (const Command& command : buffer->commands_) {
        if (command.sort_key < key) return false;
        key = command.sort_key;
      }
    }
    return true;
  }

  BatchPlan::Expected Expected() const {
    BatchPlan::Expected expected;
    for (const CommandBuffer* buffer : buffers_) {
      expected.entities += buffer->size();
      expected.writes += buffer->items_.size();
      for (const Command& command : buffer->commands_) {
        const bool is_event =
            command.verb == Command::Verb::kCreate || command.verb == Command::Verb::kDestroy;
        expected.events += is_event ? 1 : 0;
      }
    }
    return expected;
  }

  const Command& CommandAt(const CommandPlace& place) const {
    return buffers_[place.buffer]->commands_[place.command];
  }

  absl::Status Step(BatchPlan& plan, const CommandPlace& place) {
    const Command& command = CommandAt(place);
    if (command.target_kind == Command::Target::kQuery) return StepByQuery(plan, place);
    if (command.verb == Command::Verb::kCreate) {
      const auto entry = plan.Create("Create", ItemsAt(place));
      if (!entry.ok()) return entry.status();
      made_[first_made_[place.buffer] + command.target] = *entry;
      ++report_.commands;
      if (world_.hooked_ != 0) Note(plan, *entry, {}, {});
      return absl::OkStatus();
    }
    EntryIndex entry;
    if (command.target_kind == Command::Target::kEntity) {
      entry = plan.FindAlive(Entity::FromBits(command.target));
    } else {
      entry = made_[first_made_[place.buffer] + command.target];
      if (!entry.is_none() && !plan.entry(entry).is_alive) entry = EntryIndex();
    }
    if (entry.is_none()) {
      if (dead_targets_ == DeadTargets::kRefuse) return NotAlive(plan, place);
      ++report_.skipped;
      return absl::OkStatus();
    }
    ++report_.commands;
    return Do(plan, place, entry, false);
  }

  absl::Status StepByQuery(BatchPlan& plan, const CommandPlace& place) {
    const Command& command = CommandAt(place);
    const QueryId query(static_cast<std::uint32_t>(command.target));
    if (!world_.queries_.Contains(query)) {
      return world_errors::UnknownQuery(CallName(command.verb), query);
    }
    ++report_.commands;
    const std::span<const EntryIndex> matched = plan.Match(query);
    if (command.verb == Command::Verb::kDestroy) {
      std::pmr::vector<EntryIndex> sorted(matched.begin(), matched.end(), &memory_);
      std::sort(sorted.begin(), sorted.end(), [&](EntryIndex a, EntryIndex b) {
        return plan.entry(a).entity.index() > plan.entry(b).entity.index();
      });
      for (const EntryIndex entry : sorted) {
        ASHLAR_RETURN_IF_ERROR(Do(plan, place, entry, true));
      }
      return absl::OkStatus();
    }
    const std::size_t noted = notes_.size();
    ASHLAR_RETURN_IF_ERROR(
        plan.ForEachMatched([&](EntryIndex entry) { return Do(plan, place, entry, true); }));
    HookRunner::SortByEntity(std::span(notes_).subspan(noted));
    return absl::OkStatus();
  }

  absl::Status Do(BatchPlan& plan, const CommandPlace& place, EntryIndex entry, bool is_shared) {
    if (world_.hooked_ == 0) [[likely]] {
      return DoPlain(plan, place, entry, is_shared);
    }
    const Signature before = plan.SignatureOf(entry);
    ASHLAR_RETURN_IF_ERROR(DoPlain(plan, place, entry, is_shared));
    Signature named;
    for (const BatchValue& value : ItemsAt(place).subspan(CommandAt(place).removed_count)) {
      named.Insert(value.component);
    }
    Note(plan, entry, before, named);
    return absl::OkStatus();
  }

  // Remembers what hooks will hear of, once all is done.
  void Note(const BatchPlan& plan, EntryIndex entry, const Signature& before,
            const Signature& named) {
    HookRunner(&world_).Note(plan.entry(entry).entity, before, plan.SignatureOf(entry), named,
                             &notes_);
  }

  absl::Status DoPlain(BatchPlan& plan, const CommandPlace& place, EntryIndex entry,
                       bool is_shared) {
    const Command& command = CommandAt(place);
    const std::span<BatchValue> items = ItemsAt(place);
    const std::span<BatchValue> removed = items.first(command.removed_count);
    const std::span<BatchValue> values = items.subspan(command.removed_count);
    switch (command.verb) {
      case Command::Verb::kDestroy:
        plan.Destroy(entry);
        return absl::OkStatus();
      case Command::Verb::kSet:
        return plan.Set("Set", entry, values, is_shared);
      case Command::Verb::kCreate:
      case Command::Verb::kAdd:
      case Command::Verb::kRemove:
      case Command::Verb::kPut:
      case Command::Verb::kExchange:
        break;
    }
    return plan.Change(CallName(command.verb), entry, removed, values,
                       command.verb == Command::Verb::kPut, is_shared);
  }

  std::span<BatchValue> ItemsAt(const CommandPlace& place) const {
    CommandBuffer& buffer = *buffers_[place.buffer];
    const Command& command = buffer.commands_[place.command];
    return std::span(buffer.items_)
        .subspan(command.first_item, command.removed_count + command.value_count);
  }

  absl::Status NotAlive(const BatchPlan& plan, const CommandPlace& place) const {
    const Command& command = CommandAt(place);
    if (command.target_kind == Command::Target::kEntity) {
      return world_errors::NotAlive(CallName(command.verb), Entity::FromBits(command.target));
    }
    const EntryIndex made = made_[first_made_[place.buffer] + command.target];
    return world_errors::NotAlive(CallName(command.verb),
                                  made.is_none() ? Entity() : plan.entry(made).entity);
  }

  void FinishBuffers(const BatchPlan& plan) noexcept {
    for (std::size_t b = 0; b < buffers_.size(); ++b) {
      CommandBuffer& buffer = *buffers_[b];
      for (std::size_t i = 0; i < buffer.resolved_.size(); ++i) {
        buffer.resolved_[i] = plan.entry(made_[first_made_[b] + i]).entity;
      }
      buffer.FinishApply();
    }
  }

  static constexpr std::size_t kCommandsAhead = 12;

  World& world_;
  std::span<CommandBuffer* const> buffers_;
  DeadTargets dead_targets_;
  ApplyReport report_;
  ValueArena own_scratch_;
  ValueArena* scratch_;
  ArenaResource memory_;
  std::pmr::vector<HookNote> notes_;
  std::pmr::vector<CommandPlace> order_;      // Empty: as recorded, buffer by buffer.
  std::pmr::vector<EntryIndex> made_;         // By placeholder, buffer by buffer.
  std::pmr::vector<std::size_t> first_made_;  // By buffer.
};

absl::StatusOr<ApplyReport> Apply(World& world, std::span<CommandBuffer* const> buffers,
                                  DeadTargets dead_targets) try {
  ASHLAR_RETURN_IF_ERROR(CommandTransaction::Check(world, buffers));
  return CommandTransaction(&world, buffers, dead_targets).Run();
} catch (...) {
  return world_errors::Caught("Apply");
}

absl::StatusOr<ApplyReport> Apply(World& world, CommandBuffer& buffer, DeadTargets dead_targets) {
  CommandBuffer* const buffers[] = {&buffer};
  return Apply(world, buffers, dead_targets);
}

}  // namespace ashlar::inline v0
