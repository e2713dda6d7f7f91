#include "ashlar/schema/component_descriptor.h"

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "ashlar/core/limits.h"
#include "ashlar/core/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar {
namespace {

using ::testing::HasSubstr;

TypeSpec Spec(std::string_view text) {
  TypeSpec spec;
  const auto error = ParseType(text, &spec);
  EXPECT_FALSE(error.has_value()) << text << ": " << error->message;
  return spec;
}

ComponentDescriptor Make(std::string_view name, std::string_view type) {
  return ComponentDescriptor::FromSpec(name, Spec(type)).value();
}

void ExpectMalformed(const absl::StatusOr<ComponentDescriptor>& result, std::string_view part) {
  ASSERT_FALSE(result.ok()) << part;
  EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ReasonOf(result.status()), Reason::kComponentMalformed);
  EXPECT_THAT(std::string(result.status().message()), HasSubstr(std::string(part)));
}

Field MakeField(std::string_view name, FieldType type, std::uint32_t offset, FieldRule rule = {}) {
  Field field;
  field.name = name;
  field.type = type;
  field.offset_bytes = offset;
  field.rule = rule;
  return field;
}

absl::StatusOr<ComponentDescriptor> FromFields(std::size_t size, std::size_t alignment,
                                               const std::vector<Field>& fields) {
  return ComponentDescriptor::FromFields("body", size, alignment, fields, nullptr, Validator());
}

TEST(FromSpec, LaysFieldsOutByTheRulesOfC) {
  const ComponentDescriptor mixed = Make("mixed", "{a: u8, b: f64, c: entity}");
  ASSERT_EQ(mixed.fields().size(), 3u);
  EXPECT_EQ(mixed.fields()[0].offset_bytes, 0u);
  EXPECT_EQ(mixed.fields()[1].offset_bytes, 8u);
  EXPECT_EQ(mixed.fields()[2].offset_bytes, 16u);
  EXPECT_EQ(mixed.size_bytes(), 24u);
  EXPECT_EQ(mixed.alignment_bytes(), 8u);
  EXPECT_EQ(mixed.type_key(), nullptr);
  EXPECT_FALSE(mixed.is_tag());
}

TEST(FromSpec, AgreesWithTheCompilerOnAStruct) {
  struct Twin {
    std::uint8_t a;
    std::uint16_t b[3];
    Entity c;
    bool d;
    double e;
    std::int8_t f;
  };
  const ComponentDescriptor twin =
      Make("twin", "{a: u8, b: u16[3], c: entity, d: bool, e: f64, f: i8}");
  EXPECT_EQ(twin.size_bytes(), sizeof(Twin));
  EXPECT_EQ(twin.alignment_bytes(), alignof(Twin));
  const std::vector<std::size_t> offsets = {offsetof(Twin, a), offsetof(Twin, b),
                                            offsetof(Twin, c), offsetof(Twin, d),
                                            offsetof(Twin, e), offsetof(Twin, f)};
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    EXPECT_EQ(twin.fields()[i].offset_bytes, offsets[i]) << i;
  }
}

TEST(FromSpec, SizesOfCommonComponents) {
  struct Row {
    std::string_view type;
    std::size_t size;
    std::size_t alignment;
    std::size_t scalar_count;
  };
  for (const Row& row : {Row{"f32[3]", 12, 4, 3}, Row{"i32", 4, 4, 1}, Row{"u8[7]", 7, 1, 7},
                         Row{"{a: u8, b: u16}", 4, 2, 2}, Row{"entity", 8, 4, 1},
                         Row{"u8[65536]", 65536, 1, 65536}, Row{"tag", 0, 1, 0}}) {
    const ComponentDescriptor descriptor = Make("c", row.type);
    EXPECT_EQ(descriptor.size_bytes(), row.size) << row.type;
    EXPECT_EQ(descriptor.alignment_bytes(), row.alignment) << row.type;
    EXPECT_EQ(descriptor.scalars().size(), row.scalar_count) << row.type;
    EXPECT_EQ(descriptor.is_tag(), row.size == 0) << row.type;
  }
}

TEST(FromSpec, ScalarsAreListedByFieldAndElement) {
  const ComponentDescriptor body = Make("body", "{mass: f32, axis: i16[2]}");
  ASSERT_EQ(body.scalars().size(), 3u);
  const ScalarSlot last = body.scalars()[2];
  EXPECT_EQ(last.type, ScalarType::kI16);
  EXPECT_EQ(last.offset_bytes, 6u);
  EXPECT_EQ(last.field, 1u);
  EXPECT_EQ(last.element, 1u);
}

TEST(FromSpec, RefusesMalformedComponents) {
  const TypeSpec u8 = Spec("u8");
  for (const std::string& name : {std::string(), std::string("9a"), std::string("a b"),
                                  std::string("a\0b", 3), std::string(65, 'a')}) {
    ExpectMalformed(ComponentDescriptor::FromSpec(name, u8), "a name is 1 to 64");
  }
  const auto from = [](const TypeSpec& spec) { return ComponentDescriptor::FromSpec("c", spec); };
  const FieldType one{ScalarType::kU8, 1};
  ExpectMalformed(from({{{"a", one, {}}, {"a", one, {}}}}), "two fields of this name");
  ExpectMalformed(from({{{"", one, {}}, {"a", one, {}}}}), "a name is 1 to 64");
  ExpectMalformed(from({{{"a b", one, {}}}}), "a name is 1 to 64");
  ExpectMalformed(from({{{"a", {ScalarType::kU8, 0}, {}}, {"b", one, {}}}}), "1 to 65536");
  Field huge = MakeField("a", {ScalarType::kU8, 65537}, 0);
  ExpectMalformed(FromFields(65536, 1, {huge}), "1 to 65536 elements, not 65537");
  ExpectMalformed(from({{{"a", {ScalarType::kF64, 8193}, {}}}}), "65544 bytes, is above 65536");
  ExpectMalformed(from({{{"a", {ScalarType::kF64, 0xffffffff}, {}}}}), "is above 65536");
  TypeSpec many;
  for (int i = 0; i < 257; ++i) many.fields.push_back({"f" + std::to_string(i), one, {}});
  ExpectMalformed(from(many), "more than 256 fields");
  many.fields.pop_back();
  EXPECT_TRUE(from(many).ok());
  for (FieldSpec& field : many.fields) field.type = {ScalarType::kF64, 0xffffffff};
  ExpectMalformed(from(many), "is above 65536");
}

TEST(FromSpec, RefusesMalformedRules) {
  const auto from = [](ScalarType type, FieldRule rule) {
    return ComponentDescriptor::FromSpec("c", {{{"", {type, 1}, rule}}});
  };
  const FieldRule finite{std::nullopt, std::nullopt, true};
  ExpectMalformed(from(ScalarType::kBool, finite), "takes no rule");
  ExpectMalformed(from(ScalarType::kEntity, {Scalar::EntityValue(Entity()), {}, false}),
                  "takes no rule");
  ExpectMalformed(from(ScalarType::kI32, {Scalar::Int(1), Scalar::Int(0), false}), "empty");
  ExpectMalformed(from(ScalarType::kF32, {Scalar::F32(1), Scalar::F64(0.5), false}), "empty");
  ExpectMalformed(from(ScalarType::kU8, {{}, Scalar::Int(256), false}), "256 does not fit u8");
  ExpectMalformed(from(ScalarType::kU8, {Scalar::F32(1), {}, false}), "does not fit");
  ExpectMalformed(from(ScalarType::kF32, {Scalar::F32Bits(0x7fc00000), {}, false}), "not a number");
  EXPECT_TRUE(from(ScalarType::kU8, {Scalar::Int(7), {}, false}).ok());
  EXPECT_TRUE(from(ScalarType::kU8, {Scalar::Int(7), Scalar::Int(7), false}).ok());
  EXPECT_TRUE(from(ScalarType::kF32, finite).ok());
}

TEST(FromFields, RefusesShapesThatCannotBe) {
  const Field u8 = MakeField("a", {ScalarType::kU8, 1}, 0);
  ExpectMalformed(FromFields(4, 0, {u8}), "alignment 0");
  ExpectMalformed(FromFields(6, 3, {u8}), "alignment 3");
  ExpectMalformed(FromFields(128, 128, {u8}), "alignment 128");
  ExpectMalformed(FromFields(6, 4, {u8}), "no multiple of its alignment");
  ExpectMalformed(FromFields(65537, 1, {u8}), "above 65536");
  ExpectMalformed(FromFields(4, 4, {}), "no field");
  ExpectMalformed(FromFields(0, 1, {u8}), "leave a value of 0 bytes");
  EXPECT_TRUE(FromFields(64, 64, {u8}).ok());
  EXPECT_TRUE(FromFields(0, 1, {}).ok());
  EXPECT_EQ(FromFields(0, 8, {})->alignment_bytes(), 1u);
}

TEST(FromFields, RefusesFieldsThatOverlapLeaveOrAreMisaligned) {
  const Field f32 = MakeField("a", {ScalarType::kF32, 2}, 4);
  EXPECT_TRUE(FromFields(12, 4, {f32}).ok());
  ExpectMalformed(FromFields(8, 4, {f32}), "leave a value of 8 bytes");
  ExpectMalformed(FromFields(8, 4, {MakeField("a", {ScalarType::kF32, 1}, 0xfffffffc)}), "leave");
  ExpectMalformed(FromFields(12, 4, {MakeField("a", {ScalarType::kF32, 1}, 2)}), "not aligned");
  ExpectMalformed(FromFields(12, 2, {f32}), "not aligned to 4");
  ExpectMalformed(FromFields(12, 4, {f32, MakeField("b", {ScalarType::kU8, 1}, 11)}),
                  "overlaps field 'a'");
  ExpectMalformed(FromFields(12, 4, {f32, MakeField("b", {ScalarType::kU8, 5}, 0)}), "overlaps");
  EXPECT_TRUE(FromFields(12, 4, {f32, MakeField("b", {ScalarType::kU8, 4}, 0)}).ok());
  ExpectMalformed(FromFields(12, 4, {f32, MakeField("a", {ScalarType::kU8, 4}, 0)}), "two fields");
}

TEST(FromLifecycle, RefusesWhatCannotBeAnObject) {
  Lifecycle whole;
  whole.take = [](void*, void*, const Lifecycle&) noexcept {};
  whole.relocate = [](void*, void*, const Lifecycle&) noexcept {};
  whole.destroy = [](void*, const Lifecycle&) noexcept {};
  whole.from_scalars = [](void*, std::span<const Scalar>, const Lifecycle&) {};
  whole.to_scalars = [](const void*, std::span<Scalar>, const Lifecycle&) noexcept {};
  const auto from = [](std::string_view name, const TypeSpec& neutral, const Lifecycle& lifecycle) {
    return ComponentDescriptor::FromLifecycle(name, 8, 8, neutral, lifecycle, nullptr, Validator());
  };
  const TypeSpec u8 = Spec("u8");
  EXPECT_TRUE(from("c", u8, whole).ok());
  ExpectMalformed(from("9c", u8, whole), "a name is 1 to 64");
  const FieldType one{ScalarType::kU8, 1};
  ExpectMalformed(from("c", {{{"a", one, {}}, {"a", one, {}}}}, whole), "two fields of this name");
  Lifecycle part = whole;
  part.take = nullptr;
  ExpectMalformed(from("c", u8, part), "must take, relocate and destroy");
  part = whole;
  part.relocate = nullptr;
  ExpectMalformed(from("c", u8, part), "must take, relocate and destroy");
  part = whole;
  part.destroy = nullptr;
  ExpectMalformed(from("c", u8, part), "must take, relocate and destroy");
  part = whole;
  part.from_scalars = nullptr;
  ExpectMalformed(from("c", u8, part), "from scalars and back");
  part = whole;
  part.to_scalars = nullptr;
  ExpectMalformed(from("c", u8, part), "from scalars and back");
  EXPECT_TRUE(from("c", TypeSpec(), part).ok()) << "without fields there is no way to go";
}

TEST(ScalarPath, NamesComponentFieldAndElement) {
  EXPECT_EQ(Make("health", "i32").ScalarPath(0), "health");
  EXPECT_EQ(Make("position", "f32[3]").ScalarPath(2), "position[2]");
  EXPECT_EQ(Make("body", "{mass: f32}").ScalarPath(0), "body.mass");
  const ComponentDescriptor body = Make("body", "{mass: f32, axis: f32[3]}");
  EXPECT_EQ(body.ScalarPath(0), "body.mass");
  EXPECT_EQ(body.ScalarPath(3), "body.axis[2]");
}

TEST(ScalarPathDeathTest, AsksForAScalarThatThereIs) {
  const ComponentDescriptor health = Make("health", "i32");
  EXPECT_DEATH(health.ScalarPath(1), "scalar_index < scalars_.size\\(\\)");
}

TEST(FindScalar, IsTheWayBackFromThePath) {
  for (std::string_view type : {"i32", "f32[3]", "{mass: f32}", "{mass: f32, axis: f32[3]}",
                                "{a: u8[2], b: entity, c: bool[5]}"}) {
    const ComponentDescriptor descriptor = Make("name", type);
    for (std::size_t i = 0; i < descriptor.scalars().size(); ++i) {
      std::string path = descriptor.ScalarPath(i).substr(4);
      if (path.starts_with('.')) path.erase(0, 1);
      EXPECT_EQ(descriptor.FindScalar(path).value_or(999), i) << type << " " << path;
    }
  }
  EXPECT_EQ(Make("body", "{mass: f32, axis: f32[3]}").FindScalar("axis[2]").value(), 3u);
}

TEST(FindScalar, RefusesPathsToNothing) {
  const ComponentDescriptor body = Make("body", "{mass: f32, axis: f32[3]}");
  for (std::string_view path : {"",           "mas",
                                "mass ",      "mass[0]",
                                "axis",       "axis[",
                                "axis[]",     "axis[3]",
                                "axis[-1]",   "axis[+1]",
                                "axis[2",     "axis[2]]",
                                "axis[2][0]", "axis[ 2]",
                                "[2]",        "axis[4294967298]",
                                "axis[0x1]",  "axis[99999999999999999999]",
                                "body.mass",  "\xff"}) {
    const auto found = body.FindScalar(path);
    ASSERT_FALSE(found.ok()) << path;
    EXPECT_EQ(found.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(ReasonOf(found.status()), Reason::kFieldUnknown);
    EXPECT_THAT(std::string(found.status().message()), HasSubstr("mass, axis[0..2]"));
  }
  EXPECT_FALSE(Make("health", "i32").FindScalar("health").ok());
  EXPECT_FALSE(Make("tag", "tag").FindScalar("").ok());
  EXPECT_FALSE(Make("position", "f32[3]").FindScalar("").ok());
  EXPECT_FALSE(body.FindScalar(std::string(1 << 20, '[')).ok());
}

TEST(FindScalar, ListsTheFirstFieldsOfMany) {
  std::string type = "{f0: u8";
  for (int i = 1; i < 17; ++i) type += ", f" + std::to_string(i) + ": u8";
  const std::string message(Make("c", type + "}").FindScalar("x").status().message());
  EXPECT_THAT(message, HasSubstr("c has no scalar 'x'; it has f0, f1, "));
  EXPECT_THAT(message, HasSubstr("f15, ..."));
}

TEST(TypeText, OfADescriptorIsThatOfItsSpec) {
  for (std::string_view text : {"tag", "i32 in [0,100]", "f32[3] finite", "{mass: f32 in [0,10]}",
                                "{pos: f32[3], mass: f32 in [0,10], who: entity}"}) {
    EXPECT_EQ(Make("c", text).TypeText(), text);
  }
}

// Counts what it gives out, and refuses to do so after a while.
class CountingResource : public std::pmr::memory_resource {
 public:
  std::size_t bytes_in_use = 0;
  std::size_t allocation_count = 0;

 private:
  void* do_allocate(std::size_t size, std::size_t alignment) override {
    bytes_in_use += size;
    ++allocation_count;
    return std::pmr::new_delete_resource()->allocate(size, alignment);
  }
  void do_deallocate(void* memory, std::size_t size, std::size_t alignment) override {
    bytes_in_use -= size;
    std::pmr::new_delete_resource()->deallocate(memory, size, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

TEST(ComponentDescriptor, TakesAllItsMemoryFromItsAllocator) {
  const TypeSpec spec =
      Spec("{a_name_too_long_for_the_small_string_buffer: f32[3], another_name_of_that_kind: u8}");
  CountingResource memory;
  std::pmr::set_default_resource(std::pmr::null_memory_resource());
  {
    const auto made =
        ComponentDescriptor::FromSpec("a_component_with_a_name_of_some_length", spec, &memory);
    ASSERT_TRUE(made.ok());
    EXPECT_GE(memory.allocation_count, 5u);
    CountingResource other;
    {
      const ComponentDescriptor copy(*made, &other);
      EXPECT_EQ(copy.TypeText(), made->TypeText());
      EXPECT_EQ(copy.name(), made->name());
      EXPECT_EQ(copy.fields()[0].name.get_allocator().resource(), &other);
      // Name, fields, two field names, scalars.
      EXPECT_EQ(other.allocation_count, 5u);
      ComponentDescriptor source(*made, &other);
      const ComponentDescriptor moved(std::move(source), &other);
      EXPECT_EQ(moved.size_bytes(), 16u);
      EXPECT_EQ(other.allocation_count, 10u);
      const ComponentDescriptor elsewhere(ComponentDescriptor(*made, &other), &memory);
      EXPECT_EQ(elsewhere.fields()[1].name.get_allocator().resource(), &memory);
      EXPECT_EQ(elsewhere.FindScalar("another_name_of_that_kind").value(), 3u);
    }
    EXPECT_EQ(other.bytes_in_use, 0u);
  }
  std::pmr::set_default_resource(nullptr);
  EXPECT_EQ(memory.bytes_in_use, 0u);
}

}  // namespace
}  // namespace ashlar
