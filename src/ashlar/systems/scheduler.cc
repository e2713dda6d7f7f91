#include "ashlar/systems/scheduler.h"

#include <algorithm>
#include <new>
#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ashlar/core/status.h"
#include "ashlar/query/query_terms.h"
#include "ashlar/world/world_errors.h"

namespace ashlar::inline v0 {
namespace {

// Adds what a query reads or writes. A component that it excludes is read where rows are looked at.
void AddTouched(const QueryTerms& terms, Signature* touched) {
  for (const Signature* part : {&terms.all, &terms.any, &terms.optional, &terms.row_none}) {
    part->ForEach([&](ComponentId component) { touched->Insert(component); });
  }
}

// The status with a system's name before its message, and all else that it carries.
absl::Status Named(std::string_view name, absl::Status status) try {
  if (status.message().empty()) return status;
  absl::Status named(status.code(), absl::StrCat(absl::string_view(name.data(), name.size()), ": ",
                                                 status.message()));
  status.ForEachPayload(
      [&](absl::string_view type, const absl::Cord& payload) { named.SetPayload(type, payload); });
  return named;
} catch (const std::bad_alloc&) {
  return status;
}

}  // namespace

absl::Status Scheduler::Add(std::string_view name, std::span<const QueryId> queries,
                            System system) try {
  Entry entry;
  entry.name = name;
  entry.queries.assign(queries.begin(), queries.end());
  entry.system = std::move(system);
  entry.is_alone = queries.empty();
  for (const QueryId query : queries) {
    if (!world_->queries().Contains(query)) return world_errors::UnknownQuery("Add", query);
    const QueryTerms& terms = world_->queries().terms(query);
    AddTouched(terms, &entry.touched);
    terms.writes.ForEach([&](ComponentId component) { entry.written.Insert(component); });
  }
  for (const Entry& earlier : systems_) {
    if (Conflict(earlier, entry)) entry.batch = std::max(entry.batch, earlier.batch + 1);
  }

  // All room first: then nothing is half added, and Run allocates nothing.
  std::vector<std::size_t> first_of_batch = {systems_.size()};
  std::size_t scope_count = entry.queries.size();
  for (const Entry& earlier : systems_) scope_count += earlier.queries.size();
  systems_.reserve(systems_.size() + 1);
  outcomes_.resize(systems_.size() + 1);
  scopes_.reserve(scope_count);
  if (entry.batch == batches_.size()) {
    batches_.push_back(std::move(first_of_batch));
  } else {
    batches_[entry.batch].push_back(systems_.size());
  }
  systems_.push_back(std::move(entry));
  return absl::OkStatus();
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

absl::Status Scheduler::Run(Executor& executor) {
  for (const std::vector<std::size_t>& batch : batches_) {
    ASHLAR_RETURN_IF_ERROR(RunBatch(batch, executor));
  }
  return absl::OkStatus();
}

absl::Status Scheduler::RunBatch(std::span<const std::size_t> batch, Executor& executor) {
  // Ends the scopes however the batch is left, and forgets what came of it.
  struct AtEnd {
    ~AtEnd() {
      scheduler->scopes_.clear();
      for (Outcome& outcome : scheduler->outcomes_) outcome = {};
    }
    Scheduler* scheduler;
  } at_end{this};

  for (const std::size_t system : batch) {
    for (const QueryId query : systems_[system].queries) {
      absl::StatusOr<IterationScope> scope = world_->OpenScope(query);
      if (!scope.ok()) return Named(systems_[system].name, scope.status());
      scopes_.push_back(*std::move(scope));
    }
  }

  executor.ParallelFor(batch.size(), [&](std::size_t place) {
    std::size_t first_scope = 0;
    for (std::size_t i = 0; i < place; ++i) first_scope += systems_[batch[i]].queries.size();
    const Entry& entry = systems_[batch[place]];
    const std::span scopes = std::span(scopes_).subspan(first_scope, entry.queries.size());
    Outcome& outcome = outcomes_[place];
    try {
      outcome.status = entry.system(SystemContext{*world_, scopes, executor});
    } catch (...) {
      outcome.exception = std::current_exception();
    }
  });

  for (std::size_t place = 0; place < batch.size(); ++place) {
    Outcome& outcome = outcomes_[place];
    if (outcome.exception != nullptr) std::rethrow_exception(std::move(outcome.exception));
    if (!outcome.status.ok()) {
      return Named(systems_[batch[place]].name, std::move(outcome.status));
    }
  }
  return absl::OkStatus();
}

}  // namespace ashlar::inline v0
