// What tests of the reference world share: some components, and calls that answer in text.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ashlar/schema/field_type.h"
#include "gtest/gtest.h"
#include "model/reference_systems.h"
#include "model/reference_world.h"

namespace ashlar::model {

using oplang::QueryTerm;
using oplang::TermKind;

// Numbers of the components of Sample(); kNone is not registered.
enum : std::uint16_t { kP, kV, kH, kD, kBody, kLevel, kCargo, kTerrain, kNone };

inline std::vector<ComponentDescriptor> Descriptors(
    const std::vector<std::pair<std::string, std::string>>& declarations) {
  std::vector<ComponentDescriptor> descriptors;
  for (const auto& [name, text] : declarations) {
    TypeSpec type;
    EXPECT_FALSE(ParseType(text, &type).has_value()) << text;
    descriptors.push_back(ComponentDescriptor::FromSpec(name, type).value());
  }
  return descriptors;
}

inline const std::vector<ComponentDescriptor>& Sample() {
  static const auto& descriptors = *new auto(
      Descriptors({{"position", "f32[3]"},
                   {"velocity", "f32[3]"},
                   {"health", "i32 in [-1000,1000]"},
                   {"disabled", "tag"},
                   {"body", "{flag: bool, weight: f64 in [0,10], axis: f32[3], target: entity}"},
                   {"level", "u16 in [1,100]"},
                   {"cargo", "u64[188]"},
                   {"terrain", "f64[325]"}}));
  return descriptors;
}

inline std::string Text(const oplang::Outcome& outcome) { return oplang::OutcomeText(outcome); }

inline Value Floats(float x, float y, float z) {
  return {Scalar::F32(x), Scalar::F32(y), Scalar::F32(z)};
}
inline Value Int(std::int64_t value) { return {Scalar::Int(value)}; }

using Named = std::vector<NamedValue>;
using Names = std::vector<std::uint16_t>;
using Terms = std::vector<QueryTerm>;

class ReferenceWorldTest : public ::testing::Test {
 protected:
  Entity Make(const Named& values = {}) {
    Entity created;
    EXPECT_EQ(Text(world.Create(values, &created)), "OK");
    return created;
  }
  std::string Create(const Named& values) {
    Entity created;
    return Text(world.Create(values, &created));
  }
  std::string Add(Entity e, const Named& values) { return Text(world.Add(e, values)); }
  std::string Remove(Entity e, const Names& names) { return Text(world.Remove(e, names)); }
  std::string Exchange(Entity e, const Names& removed, const Named& added) {
    return Text(world.Exchange(e, removed, added));
  }
  std::string Set(Entity e, const Named& values) { return Text(world.Set(e, values)); }
  std::string Put(Entity e, const Named& values) { return Text(world.Put(e, values)); }
  std::string Place(Entity e, std::uint32_t generation) {
    Entity placed;
    return Text(world.PlaceGeneration(e, generation, &placed));
  }
  std::string Query(const Terms& terms) { return Text(world.CheckQuery(terms)); }
  std::string Fill(const Terms& terms, const NamedValue& value) {
    return Text(model::Fill(&world, terms, value));
  }
  std::string Get(Entity e, std::uint16_t component) {
    const Value* value = nullptr;
    return Text(world.Get(e, component, &value));
  }
  std::string Has(Entity e, std::uint16_t component) {
    bool has = false;
    return Text(world.Has(e, component, &has));
  }
  Value ValueOf(Entity e, std::uint16_t component) {
    const Value* value = nullptr;
    EXPECT_EQ(Text(world.Get(e, component, &value)), "OK");
    return value == nullptr ? Value{} : *value;
  }
  Names NamesOf(Entity e) {
    Names names;
    for (const auto& [component, value] : world.entities().at(e)) names.push_back(component);
    return names;
  }

  ReferenceWorld world{oplang::Options{}, Sample()};
  const Entity forged{77, 1};
};

}  // namespace ashlar::model
