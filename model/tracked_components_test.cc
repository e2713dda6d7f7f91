// Tracked values: that they keep their scalars through every way they may go, are counted, throw
// when told to, and notice each misuse.

#include "model/tracked_components.h"

#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "ashlar/core/limits.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar::model {
namespace {

using oplang::Ownership;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ComponentDescriptor Plain(const std::string& type_text) {
  TypeSpec type;
  EXPECT_FALSE(ParseType(type_text, &type).has_value()) << type_text;
  return ComponentDescriptor::FromSpec("name", type).value();
}

constexpr char kMixed[] = "{a: u8, b: f64, c: entity, d: bool, e: i16[3]}";

std::vector<Scalar> Mixed() {
  return {Scalar::Int(7),     Scalar::F64(-0.0), Scalar::EntityValue(Entity(4, 2)),
          Scalar::Bool(true), Scalar::Int(-1),   Scalar::Int(32767),
          Scalar::Int(0)};
}

// Places for values, in memory of their own, so that AddressSanitizer sees what leaves them.
class Places {
 public:
  explicit Places(const TrackedType& type) : type_(type) {}
  std::byte* New() {
    const auto size = type_.size_bytes() + kComponentAlignmentMax;
    auto& memory = places_.emplace_back(new std::byte[size]);
    void* at = memory.get();
    std::size_t space = size;
    return static_cast<std::byte*>(
        std::align(kComponentAlignmentMax, type_.size_bytes(), at, space));
  }

 private:
  const TrackedType& type_;
  std::vector<std::unique_ptr<std::byte[]>> places_;
};

std::vector<Scalar> ScalarsOf(const TrackedType& type, const std::byte* value) {
  std::vector<Scalar> scalars(type.plain().scalars().size());
  type.ToScalars(value, scalars.data());
  return scalars;
}

class TrackedTypeTest : public ::testing::TestWithParam<Ownership> {
 protected:
  TrackedTypeTest() : type(Plain(kMixed), GetParam()), places(type) { TakeMisuse(); }
  ~TrackedTypeTest() override { EXPECT_THAT(TakeMisuse(), IsEmpty()); }

  bool copies() const { return GetParam() != Ownership::kUnique; }

  const TrackedType type;
  Places places;
};

INSTANTIATE_TEST_SUITE_P(Kinds, TrackedTypeTest,
                         ::testing::Values(Ownership::kOwned, Ownership::kSelf, Ownership::kUnique,
                                           Ownership::kAligned),
                         [](const auto& tested) {
                           return std::string(OwnershipName(tested.param));
                         });

TEST_P(TrackedTypeTest, KeepsItsScalarsThroughLife) {
  std::byte* a = places.New();
  std::byte* b = places.New();
  type.MakeFromScalars(a, Mixed());
  EXPECT_EQ(ScalarsOf(type, a), Mixed());
  EXPECT_EQ(type.live_count(), 1);

  type.Move(b, a);
  EXPECT_EQ(ScalarsOf(type, b), Mixed());
  EXPECT_EQ(type.live_count(), 2) << "what was moved from lives";
  type.Destroy(a);
  EXPECT_EQ(type.live_count(), 1);

  type.Relocate(a, b);
  EXPECT_EQ(ScalarsOf(type, a), Mixed());
  EXPECT_EQ(type.live_count(), 1);
  if (copies()) {
    type.Copy(b, a);
    EXPECT_EQ(ScalarsOf(type, b), Mixed());
    EXPECT_EQ(type.live_count(), 2);
    type.Destroy(a);
    EXPECT_EQ(ScalarsOf(type, b), Mixed()) << "a copy has bytes of its own";
    type.Destroy(b);
  } else {
    type.Destroy(a);
  }
  EXPECT_EQ(type.live_count(), 0);
}

TEST_P(TrackedTypeTest, ZeroIsAllZero) {
  std::byte* a = places.New();
  type.MakeZero(a);
  std::vector<Scalar> zero;
  type.plain().Unpack(std::vector<std::byte>(type.plain().size_bytes()).data(), &zero);
  EXPECT_EQ(ScalarsOf(type, a), zero);
  type.Destroy(a);
}

TEST_P(TrackedTypeTest, ADeadPlaceIsFullOfThePatternAndFree) {
  std::byte* a = places.New();
  std::byte* b = places.New();
  const auto is_dead = [this](const std::byte* at) {
    for (std::size_t i = 0; i < type.size_bytes(); ++i) {
      if (at[i] != std::byte{0xDD}) return false;
    }
    return true;
  };
  type.MakeZero(a);
  type.Relocate(b, a);
  EXPECT_TRUE(is_dead(a));
  type.Destroy(b);
  EXPECT_TRUE(is_dead(b));
  type.MakeZero(b);
  type.Destroy(b);
}

TEST_P(TrackedTypeTest, ConstructionsAndCopiesThrowAtTheirTurn) {
  std::byte* a = places.New();
  std::byte* b = places.New();
  std::byte* c = places.New();
  ConstructionFault::Arm(3);
  type.MakeFromScalars(a, Mixed());
  type.MakeZero(b);
  type.Relocate(c, b);  // Moves do not count.
  type.Move(b, c);
  type.Destroy(c);
  EXPECT_THROW(type.MakeZero(c), InjectedFailure);
  EXPECT_TRUE(ConstructionFault::fired());
  EXPECT_EQ(type.live_count(), 2);
  type.MakeZero(c);  // Once only, and nothing was left there.
  type.Destroy(c);
  if (copies()) {
    ConstructionFault::Arm(1);
    EXPECT_THROW(type.Copy(c, a), InjectedFailure);
    EXPECT_EQ(ScalarsOf(type, a), Mixed());
    type.Copy(c, a);
    type.Destroy(c);
  }
  ConstructionFault::Disarm();
  type.Destroy(a);
  type.Destroy(b);
  EXPECT_EQ(type.live_count(), 0);
}

// --- Misuse ---

TEST_P(TrackedTypeTest, NoticesDoubleDestruction) {
  std::byte* a = places.New();
  type.MakeZero(a);
  type.Destroy(a);
  type.Destroy(a);
  EXPECT_EQ(TakeMisuse(), "misuse of a value of name (as " +
                              std::string(OwnershipName(GetParam())) +
                              "): destroyed after it was destroyed");
  EXPECT_EQ(type.live_count(), 0) << "the second time does not count";
  std::memset(a, 0, type.size_bytes());
  type.Destroy(a);
  EXPECT_THAT(TakeMisuse(), HasSubstr("destroyed after nothing was made there"));
}

TEST_P(TrackedTypeTest, NoticesUseAfterTheEndAndAfterAMove) {
  std::byte* a = places.New();
  std::byte* b = places.New();
  std::byte* c = places.New();
  type.MakeFromScalars(a, Mixed());
  type.Move(b, a);
  EXPECT_EQ(ScalarsOf(type, a)[0], Scalar::Int(0));
  EXPECT_THAT(TakeMisuse(), HasSubstr("read after it was moved from"));
  type.Relocate(c, a);
  EXPECT_THAT(TakeMisuse(), HasSubstr("moved after it was moved from"));
  EXPECT_EQ(type.live_count(), 2);
  EXPECT_EQ(ScalarsOf(type, a)[0], Scalar::Int(0));
  EXPECT_THAT(TakeMisuse(), HasSubstr("read after it was destroyed"));
  type.Destroy(b);
  type.Move(a, b);
  EXPECT_THAT(TakeMisuse(), HasSubstr("moved after it was destroyed"));
  type.Destroy(a);
  type.Destroy(c);
  EXPECT_THAT(TakeMisuse(), IsEmpty());
  EXPECT_EQ(type.live_count(), 0);
}

TEST_P(TrackedTypeTest, NoticesWhatIsDoneOntoItself) {
  std::byte* a = places.New();
  type.MakeFromScalars(a, Mixed());
  type.Move(a, a);
  EXPECT_THAT(TakeMisuse(), HasSubstr("moved onto itself"));
  type.Relocate(a, a);
  EXPECT_THAT(TakeMisuse(), HasSubstr("relocated onto itself"));
  if (copies()) {
    type.Copy(a, a);
    EXPECT_THAT(TakeMisuse(), HasSubstr("copied onto itself"));
  }
  EXPECT_EQ(ScalarsOf(type, a), Mixed());
  EXPECT_EQ(type.live_count(), 1);
  type.Destroy(a);
}

TEST_P(TrackedTypeTest, NoticesAValueThatIsMadeOverALivingOne) {
  // Inline kinds alone: what owns a block would leak it here.
  if (GetParam() == Ownership::kOwned || GetParam() == Ownership::kUnique) return;
  std::byte* a = places.New();
  std::byte* b = places.New();
  type.MakeZero(a);
  type.MakeFromScalars(a, Mixed());
  EXPECT_THAT(TakeMisuse(), HasSubstr("made over one that was not destroyed"));
  type.MakeZero(b);
  type.Relocate(a, b);
  EXPECT_THAT(TakeMisuse(), HasSubstr("made over one that was not destroyed"));
  type.Destroy(a);
  EXPECT_EQ(type.live_count(), 2) << "those that were lost are missed";
}

TEST_P(TrackedTypeTest, NoticesAnAddressThatIsNotAligned) {
  std::byte* a = places.New();
  const std::size_t off = GetParam() == Ownership::kAligned ? 32 : 4;
  Places more(type);
  std::byte* b = more.New();
  type.MakeZero(a);
  std::vector<std::byte> room(type.size_bytes() + 2 * kComponentAlignmentMax);
  std::byte* base = room.data();
  while (reinterpret_cast<std::uintptr_t>(base) % kComponentAlignmentMax != 0) ++base;
  type.Relocate(base + off, a);
  EXPECT_THAT(TakeMisuse(),
              HasSubstr("its address is no multiple of " + std::to_string(type.alignment_bytes())));
  type.Relocate(b, base + off);
  EXPECT_THAT(TakeMisuse(), HasSubstr("its address is no multiple of"));
  type.Destroy(b);
}

TEST_P(TrackedTypeTest, KeepsTheFirstMisuseOnly) {
  std::byte* a = places.New();
  type.MakeZero(a);
  type.Move(a, a);
  type.Destroy(a);
  type.Destroy(a);
  EXPECT_THAT(TakeMisuse(), HasSubstr("moved onto itself"));
  EXPECT_THAT(TakeMisuse(), IsEmpty());
}

TEST(TrackedType, NoticesAValueWhoseBytesWereCopied) {
  const TrackedType type(Plain("u64[4]"), Ownership::kSelf);
  Places places(type);
  std::byte* a = places.New();
  std::byte* b = places.New();
  type.MakeZero(a);
  std::memcpy(b, a, type.size_bytes());
  std::vector<Scalar> scalars(4);
  type.ToScalars(b, scalars.data());
  EXPECT_THAT(TakeMisuse(), HasSubstr("read where it does not point at itself"));
  type.Destroy(b);
  EXPECT_THAT(TakeMisuse(), HasSubstr("destroyed where it does not point at itself"));
  EXPECT_EQ(type.live_count(), 0);
  type.Destroy(a);
  EXPECT_THAT(TakeMisuse(), HasSubstr("more were destroyed than made"));
}

TEST(TrackedType, NoticesACopyOfWhatCanOnlyBeMoved) {
  const TrackedType type(Plain("u64"), Ownership::kUnique);
  Places places(type);
  std::byte* a = places.New();
  std::byte* b = places.New();
  type.MakeZero(a);
  type.Copy(b, a);
  EXPECT_THAT(TakeMisuse(), HasSubstr("copied, though it can only be moved"));
  type.Destroy(a);
  type.Destroy(b);
  EXPECT_THAT(TakeMisuse(), IsEmpty());
}

TEST(TrackedType, SizesAndAlignments) {
  const auto shape = [](const char* text, Ownership ownership) {
    const TrackedType type(Plain(text), ownership);
    return std::vector<std::size_t>{type.size_bytes(), type.alignment_bytes()};
  };
  EXPECT_THAT(shape("u8", Ownership::kOwned), ElementsAre(24, 8));
  EXPECT_THAT(shape("f64[325]", Ownership::kUnique), ElementsAre(24, 8));
  EXPECT_THAT(shape("u8", Ownership::kSelf), ElementsAre(32, 8));
  EXPECT_THAT(shape("u64[4]", Ownership::kSelf), ElementsAre(56, 8));
  EXPECT_THAT(shape("u8", Ownership::kAligned), ElementsAre(64, 64));
  EXPECT_THAT(shape("u64[6]", Ownership::kAligned), ElementsAre(128, 64));
  for (const Ownership ownership :
       {Ownership::kOwned, Ownership::kSelf, Ownership::kUnique, Ownership::kAligned}) {
    EXPECT_THAT(shape("tag", ownership), ElementsAre(0, 1));
  }
}

// A tag's values have no place: they are counted, and their constructors may throw.
TEST(TrackedType, TagsAreCounted) {
  const TrackedType type(Plain("tag"), Ownership::kOwned);
  type.MakeZero(nullptr);
  type.MakeFromScalars(nullptr, {});
  type.Copy(nullptr, nullptr);
  EXPECT_EQ(type.live_count(), 3);
  type.Move(nullptr, nullptr);
  EXPECT_EQ(type.live_count(), 4);
  type.Relocate(nullptr, nullptr);
  type.ToScalars(nullptr, nullptr);
  EXPECT_EQ(type.live_count(), 4);
  ConstructionFault::Arm(2);
  type.MakeZero(nullptr);
  EXPECT_THROW(type.Copy(nullptr, nullptr), InjectedFailure);
  ConstructionFault::Disarm();
  EXPECT_EQ(type.live_count(), 5);
  for (int i = 0; i < 5; ++i) type.Destroy(nullptr);
  EXPECT_THAT(TakeMisuse(), IsEmpty());
  type.Destroy(nullptr);
  EXPECT_THAT(TakeMisuse(), HasSubstr("more were destroyed than made"));
}

TEST(TrackedType, CountsFromManyThreadsAndThrowsInTheArmedOne) {
  const TrackedType type(Plain("u64"), Ownership::kOwned);
  ConstructionFault::Arm(1);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&type] {
      Places places(type);
      for (int j = 0; j < 100; ++j) {
        std::byte* at = places.New();
        type.MakeZero(at);
        type.Destroy(at);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(ConstructionFault::fired());
  ConstructionFault::Disarm();
  EXPECT_EQ(type.live_count(), 0);
}

}  // namespace
}  // namespace ashlar::model
