// ComponentRegistry: the component types of one world, numbered in order of registration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ashlar/core/ids.h"
#include "ashlar/schema/component_descriptor.h"

namespace ashlar::inline v0 {

class ComponentRegistry {
 public:
  explicit ComponentRegistry(std::pmr::memory_resource* memory);

  // Copies the descriptor into this registry's memory and numbers it. Errors: kComponentNameTaken,
  // kComponentLimit, kComponentMalformed (a tag or an object that is to be split). Throws
  // std::bad_alloc; then nothing has changed. Descriptors never move: references stay valid as long
  // as the registry.
  absl::StatusOr<ComponentId> Register(const ComponentDescriptor& descriptor);

  std::size_t size() const { return slots_.size(); }
  bool Contains(ComponentId id) const { return id.value() < slots_.size(); }

  // REQUIRES: Contains(id).
  const ComponentDescriptor& operator[](ComponentId id) const {
    return slots_[id.value()].entry->descriptor;
  }

  // What a call asks of a component for each value, in one place and 16 bytes.
  struct Brief {
    TypeKey type_key = nullptr;
    std::uint32_t size_bytes = 0;
    bool is_object = false;  // It has a lifecycle.
    bool is_checked = true;  // It has one, or a rule or validator.
  };

  // REQUIRES: Contains(id).
  const Brief& brief(ComponentId id) const { return slots_[id.value()].brief; }

  // Objects of a component (see lifecycle.h) that rows hold: constructed minus destroyed, counted
  // where that is done. 0 for a component that is its bytes. The counter never moves.
  // REQUIRES: Contains(id).
  std::size_t* ObjectCounter(ComponentId id) const {
    return &slots_[id.value()].entry->object_count;
  }

  // The component of that name; None() where there is none. Cost: O(log n) string compares.
  ComponentId Find(std::string_view name) const;

 private:
  // Where a component of that name is in the order of names, or would be.
  std::size_t PlaceOf(std::string_view name) const;
  bool IsNamed(std::size_t place, std::string_view name) const;

  struct Entry {
    Entry(const ComponentDescriptor& from, std::pmr::memory_resource* memory)
        : descriptor(from, memory) {}

    ComponentDescriptor descriptor;
    std::size_t object_count = 0;
  };
  struct Deleter {
    std::pmr::memory_resource* memory;
    void operator()(Entry* entry) const;
  };

  // Of the component with the slot's number; but `nth_by_name` is the component that is so many
  // places behind the first in the order of names.
  struct Slot {
    Brief brief;
    std::unique_ptr<Entry, Deleter> entry;
    ComponentId nth_by_name;
  };

  std::pmr::memory_resource* memory_;
  std::pmr::vector<Slot> slots_;
};

}  // namespace ashlar::inline v0
