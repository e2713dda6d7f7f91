#include "ashlar/storage/archetype_table.h"

#include "ashlar/core/check.h"
#include "ashlar/core/probe.h"
#include "ashlar/storage/reserve.h"

namespace ashlar::inline v0 {

ArchetypeTable::ArchetypeTable(const ComponentRegistry* registry, ChunkPool* pool,
                               std::uint32_t rows_per_chunk_max, std::pmr::memory_resource* memory)
    : registry_(registry),
      pool_(pool),
      rows_per_chunk_max_(rows_per_chunk_max),
      memory_(memory),
      archetypes_(memory),
      by_signature_(memory),
      plans_(memory),
      numbered_(memory) {}

ArchetypeTable::~ArchetypeTable() = default;

Archetype* ArchetypeTable::Find(const Signature& signature) const {
  const auto found = by_signature_.find(signature);
  return found == by_signature_.end() ? nullptr : archetypes_[found->second.value()].get();
}

absl::StatusOr<Archetype*> ArchetypeTable::FindOrMake(const Signature& signature) {
  if (Archetype* const found = Find(signature)) return found;
  return Make(signature);
}

ArchetypeTable::RowContent ArchetypeTable::ContentOf(const Signature& signature,
                                                     std::pmr::memory_resource* memory) const {
  RowContent content(memory);
  content.columns.reserve(signature.size());
  content.sizes.reserve(signature.size());
  signature.ForEach([&](ComponentId component) {
    const ComponentDescriptor& descriptor = (*registry_)[component];
    if (descriptor.is_tag()) return;
    if (!descriptor.is_split()) {
      content.columns.push_back(component);
      content.sizes.push_back(static_cast<std::uint32_t>(descriptor.size_bytes()));
      return;
    }
    for (const ScalarSlot& scalar : descriptor.scalars()) {
      content.columns.push_back(component);
      content.sizes.push_back(static_cast<std::uint32_t>(ScalarSizeBytes(scalar.type)));
    }
  });
  return content;
}

absl::StatusOr<ChunkLayout> ArchetypeTable::LayoutOf(const RowContent& content,
                                                     std::pmr::memory_resource* memory) const {
  return ChunkLayout::Compute(content.sizes, pool_->chunk_size_bytes(), rows_per_chunk_max_,
                              memory);
}

absl::Status ArchetypeTable::CheckRow(const Signature& signature,
                                      std::pmr::memory_resource* memory) const {
  return LayoutOf(ContentOf(signature, memory), memory).status();
}

absl::StatusOr<Archetype*> ArchetypeTable::Make(const Signature& signature) {
  const RowContent content = ContentOf(signature, memory_);
  auto layout = LayoutOf(content, memory_);
  if (!layout.ok()) return layout.status();

  const ArchetypeId id(static_cast<std::uint32_t>(archetypes_.size()));
  Owned<Archetype> archetype = New<Archetype>(id, signature, *std::move(layout), content.columns,
                                              *registry_, pool_, memory_);
  ReserveOneMore(archetypes_);
  by_signature_.emplace(signature, id);  // Strong: the last thing that may throw.
  archetypes_.push_back(std::move(archetype));
  return archetypes_.back().get();
}

ArchetypeTable::Owned<MovePlan> ArchetypeTable::MakePlan(const Archetype& source,
                                                         Archetype& target) {
  Owned<MovePlan> plan = New<MovePlan>(memory_);
  plan->target = &target;
  plan->copies.reserve(source.byte_columns().size());
  for (const Column& column : source.byte_columns()) {
    const Column first = target.ColumnOf(column.component);
    if (first.begin_bytes == 0) continue;
    // Of a split component the columns have the same order on both sides.
    const std::uint32_t scalar = column.place - source.ColumnOf(column.component).place;
    const std::uint32_t begin = target.columns()[first.place + scalar].begin_bytes;
    plan->copies.push_back({column.begin_bytes, begin, column.size_bytes});
  }
  for (const ObjectColumn& column : source.object_columns()) {
    const std::uint32_t begin = target.ColumnOf(column.component).begin_bytes;
    if (begin != 0) {
      plan->relocations.push_back({column, begin});
    } else {
      plan->ends.push_back(column);
    }
    plan->has_objects = true;
  }
  source.signature().ForEach([&](ComponentId component) {
    const std::uint32_t from = source.EnablePlace(component);
    const std::uint32_t to = target.EnablePlace(component);
    const bool both = from != Archetype::kNotEnableable && to != Archetype::kNotEnableable;
    if (both) plan->bits.push_back({from, to});
  });
  plan->is_plain = !plan->has_objects && plan->bits.empty() && target.object_columns().empty();
  Signature more = target.signature();
  source.signature().ForEach([&](ComponentId component) { more.Erase(component); });
  if (more.size() == 1) {
    more.ForEach([&](ComponentId component) { plan->added = target.ColumnOf(component); });
  }
  return plan;
}

absl::StatusOr<const MovePlan*> ArchetypeTable::PlanTo(Archetype& source, const Signature& target) {
  const auto archetype = FindOrMake(target);
  if (!archetype.ok()) return archetype.status();
  const std::pair key(source.id(), (*archetype)->id());
  const auto found = plans_.find(key);
  if (found != plans_.end()) return found->second.get();
  Owned<MovePlan> plan = MakePlan(source, **archetype);
  const MovePlan* result = plan.get();
  plans_.emplace(key, std::move(plan));
  return result;
}

absl::StatusOr<const MovePlan*> ArchetypeTable::PlanToggle(Archetype& source,
                                                           ComponentId component) {
  if (const MovePlan* known = source.Edge(component)) [[likely]] {
    return known;
  }
  Signature signature = source.signature();
  if (signature.Contains(component)) {
    signature.Erase(component);
  } else {
    signature.Insert(component);
  }
  if (component.value() >= source.edges_.size()) {
    source.edges_.resize(registry_->size(), nullptr);
  }
  auto plan = PlanTo(source, signature);
  if (!plan.ok()) return plan;
  source.edges_[component.value()] = *plan;
  ASHLAR_EVER(source.row_count() == 0, "graph: edge made from an empty archetype");
  return plan;
}

void ArchetypeTable::ReserveNumbers(std::size_t count) { ReserveMore(numbered_, count); }

void ArchetypeTable::Number(Archetype& archetype) noexcept {
  ASHLAR_CHECK(archetype.number().is_none());
  archetype.set_number(ArchetypeNumber(static_cast<std::uint32_t>(numbered_.size())));
  numbered_.push_back(&archetype);
}

}  // namespace ashlar::inline v0
