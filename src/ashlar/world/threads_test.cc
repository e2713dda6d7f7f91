// What may run at the same time: readers; scopes that write different columns, or different chunks.
// ThreadSanitizer says whether it may; the values whether it did.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "ashlar/world/world_fixture.h"

namespace ashlar {
namespace {

class ThreadsTest : public WorldFixture {
 protected:
  static constexpr int kRows = 1000;
  static constexpr int kRounds = 50;

  void SetUp() override {
    WorldFixture::SetUp();
    for (int i = 0; i < kRows; ++i) {
      const auto x = static_cast<float>(i);
      rows_.push_back(*world_->Create({P({x, 0, 0}), V({1, 0, 0})}));
    }
    read_ = *world_->MakeQuery(QuerySpec().Read(position_).Read(velocity_));
    write_position_ = *world_->MakeQuery(QuerySpec().Write(position_));
    write_velocity_ = *world_->MakeQuery(QuerySpec().Write(velocity_));
  }

  // Both begin at the same time; afterwards no scope is open.
  void Run(const std::function<void()>& a, const std::function<void()>& b) {
    std::atomic<int> waiting{2};
    const auto run = [&](const std::function<void()>& work) {
      --waiting;
      while (waiting.load() > 0) {
      }
      for (int round = 0; round < kRounds; ++round) work();
    };
    std::thread first(run, a);
    std::thread second(run, b);
    first.join();
    second.join();
    EXPECT_EQ(world_->scope_depth(), 0u);
    EXPECT_TRUE(world_->Create().ok()) << "the world is for structural changes again";
  }

  void ReadAll() {
    const auto scope = *world_->OpenScope(read_);
    float sum = 0;
    for (const ChunkView& view : scope) {
      for (const Position& position : view.Read(position_)) sum += position.x;
    }
    EXPECT_EQ(sum, kRows * (kRows - 1) / 2.0f);
    EXPECT_TRUE(world_->Get(rows_[1], velocity_).ok());
    EXPECT_TRUE(*world_->Has(rows_[2], position_.id()));
    EXPECT_EQ(*world_->CountRows(read_), static_cast<std::size_t>(kRows));
  }

  std::vector<Entity> rows_;
  QueryId read_;
  QueryId write_position_;
  QueryId write_velocity_;
};

TEST_F(ThreadsTest, Readers) {
  const std::uint64_t version = world_->version();
  Run([this] { ReadAll(); }, [this] { ReadAll(); });
  EXPECT_EQ(world_->version(), version + 1) << "that of the create behind it";
}

TEST_F(ThreadsTest, WritersOfDifferentColumns) {
  const std::uint64_t since = world_->version();
  Run(
      [this] {
        const auto scope = *world_->OpenScope(write_position_);
        for (const ChunkView& view : scope) {
          for (Position& position : view.Write(position_)) position.y += 1;
        }
      },
      [this] {
        const auto scope = *world_->OpenScope(write_velocity_);
        for (const ChunkView& view : scope) {
          for (Velocity& velocity : view.Write(velocity_)) velocity.y += 2;
        }
      });
  for (const Entity entity : rows_) {
    EXPECT_EQ((*world_->Get(entity, position_))->y, kRounds);
    EXPECT_EQ((*world_->Get(entity, velocity_))->y, 2 * kRounds);
  }
  const auto scope = *world_->OpenScope(read_);
  for (const ChunkView& view : scope) {
    EXPECT_TRUE(view.Changed(position_.id(), since));
    EXPECT_TRUE(view.Changed(velocity_.id(), since));
  }
}

TEST_F(ThreadsTest, WritersOfDifferentChunks) {
  const auto write_every_second = [this](std::uint32_t first) {
    const auto scope = *world_->OpenScope(write_position_);
    for (const ChunkView& view : scope) {
      if (view.chunk().value() % 2 != first) continue;
      for (Position& position : view.Write(position_)) position.y += 1;
    }
  };
  Run([&] { write_every_second(0); }, [&] { write_every_second(1); });
  for (const Entity entity : rows_) EXPECT_EQ((*world_->Get(entity, position_))->y, kRounds);
}

// Set, each thread in rows of its own chunks.
TEST_F(ThreadsTest, SetsInDifferentChunks) {
  const auto set_every_second = [this](std::uint32_t first) {
    for (const Entity entity : rows_) {
      if (world_->Locate(entity)->chunk.value() % 2 != first) continue;
      EXPECT_TRUE(world_->Set(entity, {V({static_cast<float>(first), 7, 7})}).ok());
    }
  };
  Run([&] { set_every_second(0); }, [&] { set_every_second(1); });
  for (const Entity entity : rows_) {
    const auto chunk = world_->Locate(entity)->chunk.value();
    EXPECT_EQ((*world_->Get(entity, velocity_))->x, static_cast<float>(chunk % 2));
  }
}

}  // namespace
}  // namespace ashlar
