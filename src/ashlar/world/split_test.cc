// Split components: each scalar in a column of its own, and nobody who asks by value sees it.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <vector>

#include "ashlar/world/world_fixture.h"

namespace ashlar {
namespace {

// 7 bytes of padding behind the flag.
struct Body {
  bool flag;
  double weight;
  std::array<float, 3> axis;
  Entity target;
};

class SplitTest : public WorldFixture {
 protected:
  SplitTest() {
    body_ = *world_->Register(Describe<Body>("body")
                                  .Field("flag", &Body::flag)
                                  .Field("weight", &Body::weight)
                                  .Field("axis", &Body::axis)
                                  .Field("target", &Body::target)
                                  .Split());
    point_ = *world_->Register(Describe<Velocity>("point")
                                   .Field("x", &Velocity::x)
                                   .Field("y", &Velocity::y)
                                   .Field("z", &Velocity::z)
                                   .Split());
  }

  static Body BodyOf(int i) {
    const auto f = static_cast<float>(i);
    return {i % 2 == 1, 0.25 * i, {f, -f, 2 * f}, Entity(static_cast<std::uint32_t>(i), 1)};
  }
  void ExpectBody(Entity entity, int i) {
    const Body expected = BodyOf(i);
    const absl::StatusOr<Body> got = world_->Load(entity, body_);
    ASSERT_TRUE(got.ok()) << got.status();
    EXPECT_EQ(got->flag, expected.flag);
    EXPECT_EQ(got->weight, expected.weight);
    EXPECT_EQ(got->axis, expected.axis);
    EXPECT_EQ(got->target, expected.target);
  }

  Component<Body> body_;
  Component<Velocity> point_;
};

// 192 rows end at byte 3904; with 193 each column needs a line more, and the last ends at 4100.
TEST_F(SplitTest, EachScalarIsAColumnOfTheLayout) {
  const Entity entity = *world_->Create({ComponentValue(point_, Velocity{1, 2, 3})});
  const Archetype& archetype = world_->archetypes()[world_->Locate(entity)->archetype];
  ASSERT_EQ(archetype.columns().size(), 3u);
  const std::uint32_t rows = archetype.capacity();
  std::uint32_t end = 64 + rows * 8;
  for (const Column& column : archetype.columns()) {
    EXPECT_EQ(column.begin_bytes, (end + 63) / 64 * 64);
    EXPECT_EQ(column.size_bytes, 4u);
    end = column.begin_bytes + rows * 4;
  }
  EXPECT_EQ(rows, 192u);
  EXPECT_EQ(end, 3904u);
}

TEST_F(SplitTest, ValuesGoInAndOutWhole) {
  std::vector<Entity> made;
  for (int i = 0; i < 100; ++i) {
    made.push_back(*world_->Create({ComponentValue(body_, BodyOf(i)), H({i})}));
  }
  for (int i = 0; i < 100; ++i) ExpectBody(made[static_cast<std::size_t>(i)], i);
  // Holes, moves and writes.
  ASSERT_TRUE(world_->Destroy(made[0]).ok());
  ExpectBody(made[99], 99);
  ASSERT_TRUE(world_->Add(made[5], {ComponentValue(point_, Velocity{7, 8, 9})}).ok());
  ExpectBody(made[5], 5);
  ExpectBody(made[98], 98);
  EXPECT_EQ(*world_->Load(made[5], point_), (Velocity{7, 8, 9}));
  ASSERT_TRUE(world_->Remove(made[5], {health_.id()}).ok());
  ExpectBody(made[5], 5);
  ASSERT_TRUE(world_->Set(made[6], {ComponentValue(body_, BodyOf(60))}).ok());
  ExpectBody(made[6], 60);
  ASSERT_TRUE(world_->Put(made[7], {ComponentValue(body_, BodyOf(70)), D()}).ok());
  ExpectBody(made[7], 70);
  ASSERT_TRUE(world_->Set(made[8], {ComponentValue(body_)}).ok());
  EXPECT_EQ(world_->Load(made[8], body_)->weight, 0.0);
}

TEST_F(SplitTest, ScalarsAreReadAndWrittenByPath) {
  const Entity entity = *world_->Create({ComponentValue(body_, BodyOf(3))});
  EXPECT_EQ(*world_->GetField(entity, body_.id(), "axis[1]"), Scalar::F32(-3.0f));
  ASSERT_TRUE(world_->SetField(entity, body_.id(), "axis[1]", Scalar::F32(5.0f)).ok());
  ASSERT_TRUE(world_->SetField(entity, body_.id(), "flag", Scalar::Bool(false)).ok());
  const Body got = *world_->Load(entity, body_);
  EXPECT_EQ(got.axis, (std::array<float, 3>{3.0f, 5.0f, 6.0f}));
  EXPECT_FALSE(got.flag);
  EXPECT_EQ(got.weight, 0.75);
}

// A neutral value, and the bits of every float.
TEST_F(SplitTest, NeutralValuesAndNanPayloads) {
  const std::array<Scalar, 3> scalars = {Scalar::F32Bits(0x7f812345), Scalar::F32Bits(0x80000000),
                                         Scalar::Int(3)};
  const Entity entity =
      *world_->Create({ComponentValue(point_.id(), std::span<const Scalar>(scalars))});
  std::array<std::uint32_t, 3> bits{};
  ASSERT_TRUE(world_->GetValue(entity, point_.id(), bits.data()).ok());
  EXPECT_EQ(bits, (std::array<std::uint32_t, 3>{0x7f812345, 0x80000000, 0x40400000}));
}

TEST_F(SplitTest, GetSaysThatThereIsNoOnePlace) {
  const Entity entity = *world_->Create({ComponentValue(point_, Velocity{1, 2, 3}), P({1, 2, 3})});
  EXPECT_REFUSED(world_->Get(entity, point_), kInvalidArgument, kComponentSplit);
  EXPECT_REFUSED(world_->Get(entity, point_.id()), kInvalidArgument, kComponentSplit);
  EXPECT_EQ(world_->TryGet(entity, point_), nullptr);
  EXPECT_TRUE(*world_->Has(entity, point_.id()));
  EXPECT_EQ(*world_->Load(entity, position_), (Position{1, 2, 3}));
  EXPECT_REFUSED(world_->Load(entity, health_), kNotFound, kComponentAbsent);
  EXPECT_REFUSED(world_->GetValue(Entity(), point_.id(), nullptr), kNotFound, kEntityNotAlive);
}

TEST_F(SplitTest, ViewsGiveFieldsAndValues) {
  std::vector<Entity> made;
  for (int i = 0; i < 300; ++i) {
    made.push_back(*world_->Create({ComponentValue(
        point_, Velocity{static_cast<float>(i), static_cast<float>(2 * i), 0.5f})}));
  }
  const QueryId query = *world_->MakeQuery(QuerySpec().Write(point_));
  const std::uint64_t since = world_->version();
  int seen = 0;
  {
    const auto scope = *world_->OpenScope(query);
    for (const ChunkView& view : scope) {
      EXPECT_TRUE(view.IsSplit(point_.id()));
      EXPECT_FALSE(view.Changed(point_.id(), since));
      const auto x = view.ReadField<float>(point_.id(), 0);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(x.data()) % 64, 0u);
      EXPECT_FALSE(view.Changed(point_.id(), since)) << "reading is no write";
      const auto y = view.WriteField<float>(point_.id(), 1);
      EXPECT_TRUE(view.Changed(point_.id(), since));
      for (std::size_t row = 0; row < view.row_count(); ++row, ++seen) {
        EXPECT_EQ(x[row], static_cast<float>(seen));
        EXPECT_EQ(view.Load(point_, row), (Velocity{x[row], 2 * x[row], 0.5f}));
        y[row] = 9.0f;
        if (seen == 7) view.Store(point_, row, Velocity{1, 2, 3});
      }
    }
  }
  EXPECT_EQ(seen, 300);
  EXPECT_EQ(*world_->Load(made[7], point_), (Velocity{1, 2, 3}));
  EXPECT_EQ(*world_->Load(made[8], point_), (Velocity{8, 9, 0.5f}));
}

// What a view is asked for must be there, and a scope that reads gives nothing to write.
TEST_F(SplitTest, ViewsDieOfMisuse) {
  ASSERT_TRUE(world_->Create({ComponentValue(point_, Velocity{1, 2, 3}), P({}), D()}).ok());
  const QueryId reads = *world_->MakeQuery(QuerySpec().Read(point_).Read(position_));
  const QueryId writes = *world_->MakeQuery(QuerySpec().Write(point_).Write(position_));
  const auto reading = *world_->OpenScope(reads);
  const auto writing = *world_->OpenScope(writes);
  const ChunkView view = *reading.begin();
  const ChunkView writer = *writing.begin();
  const Velocity value{1, 2, 3};
  EXPECT_DEATH(view.ReadBytes(point_.id()), "");
  EXPECT_DEATH(writer.WriteBytes(point_.id()), "");
  EXPECT_DEATH(view.WriteBytes(position_.id()), "");
  EXPECT_DEATH(view.ReadBytes(health_.id()), "");
  EXPECT_DEATH(view.IsSplit(health_.id()), "");
  EXPECT_DEATH(view.ReadField<float>(point_.id(), 3), "");
  EXPECT_DEATH(view.ReadField<double>(point_.id(), 0), "");
  EXPECT_DEATH(view.ReadField<float>(position_.id(), 0), "");
  EXPECT_DEATH(view.WriteField<float>(point_.id(), 0), "");
  EXPECT_DEATH(writer.WriteField<double>(point_.id(), 0), "");
  EXPECT_DEATH(view.Load(point_, 1), "");
  EXPECT_DEATH(view.Store(point_, 0, value), "");
  EXPECT_DEATH(writer.Store(point_, 1, value), "");
  EXPECT_DEATH(view.Load(Component<Disabled>(disabled_.id()), 0), "");
  EXPECT_DEATH(view.Load(Component<Health>(point_.id()), 0), "") << "12 bytes in 4";
  EXPECT_DEATH(view.Read<double>(position_.id()), "");
  EXPECT_DEATH(view.IsEnabled(health_.id(), 0), "");
  EXPECT_DEATH(view.IsEnabled(point_.id(), 1), "");
  EXPECT_DEATH(view.SetEnabled(point_.id(), 0, false), "");
  EXPECT_DEATH(writer.SetEnabled(point_.id(), 0, false), "") << "it is not enableable";
  EXPECT_DEATH(writer.SetEnabled(point_.id(), 1, false), "");
  EXPECT_EQ(view.Load(point_, 0), value);
  EXPECT_TRUE(view.IsEnabled(point_.id(), 0));
}

TEST_F(SplitTest, ManyAtOnce) {
  std::vector<Body> bodies;
  for (int i = 0; i < 150; ++i) bodies.push_back(BodyOf(i));
  std::vector<Entity> ids(bodies.size());
  ASSERT_TRUE(world_->CreateMany(ids, {ComponentSpan(body_, bodies)}).ok());
  for (int i = 0; i < 150; ++i) ExpectBody(ids[static_cast<std::size_t>(i)], i);
}

TEST_F(SplitTest, WhatHasNoScalarsCannotBeSplit) {
  EXPECT_REFUSED(
      world_->Register(ComponentDescriptor::FromSpec("mark", TypeSpec())->set_split(true)),
      kInvalidArgument, kComponentMalformed);
}

// 100 columns of a line each do not fit 4096 bytes, though the value does.
TEST_F(SplitTest, ARowOfManyScalarsNeedsLargerChunks) {
  TypeSpec spec;
  ASSERT_FALSE(ParseType("u8[100]", &spec).has_value());
  const ComponentId wide =
      *world_->Register(ComponentDescriptor::FromSpec("wide", spec)->set_split(true));
  EXPECT_REFUSED(world_->Create({ComponentValue(wide)}), kInvalidArgument, kRowTooLarge);
}

}  // namespace
}  // namespace ashlar
