#include "ashlar/storage/signature.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

namespace ashlar {
namespace {

Signature Of(std::initializer_list<int> ids) {
  Signature signature;
  for (int id : ids) signature.Insert(ComponentId(static_cast<std::uint16_t>(id)));
  return signature;
}

TEST(Signature, KeepsEveryBitOfEveryWord) {
  for (int id : {0, 1, 62, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511}) {
    Signature signature = Of({id});
    EXPECT_TRUE(signature.Contains(ComponentId(static_cast<std::uint16_t>(id))));
    EXPECT_EQ(signature.size(), 1u);
    EXPECT_FALSE(signature.empty());
    std::vector<int> visited;
    signature.ForEach([&](ComponentId component) { visited.push_back(component.value()); });
    EXPECT_EQ(visited, std::vector<int>{id});
    signature.Erase(ComponentId(static_cast<std::uint16_t>(id)));
    EXPECT_TRUE(signature.empty());
    EXPECT_EQ(signature, Signature());
  }
}

TEST(Signature, ComparesByContentWhateverTheSumOrXorOfIds) {
  EXPECT_NE(Of({1, 4}), Of({2, 3}));
  EXPECT_NE(Of({1, 2, 3}), Signature());  // 1 ^ 2 ^ 3 == 0.
  EXPECT_NE(Of({0}), Signature());
  EXPECT_EQ(Of({3, 1}), Of({1, 3}));
}

TEST(Signature, SetRelations) {
  EXPECT_TRUE(Of({1, 70, 300}).Includes(Of({70, 300})));
  EXPECT_FALSE(Of({1, 70}).Includes(Of({70, 300})));
  EXPECT_TRUE(Of({1}).Includes(Signature()));
  EXPECT_TRUE(Of({1, 300}).Intersects(Of({300})));
  EXPECT_FALSE(Of({1, 300}).Intersects(Of({2, 301})));
  EXPECT_FALSE(Of({1}).Intersects(Signature()));
}

TEST(Signature, VisitsInRisingOrder) {
  std::vector<int> visited;
  Of({500, 3, 64, 63}).ForEach([&](ComponentId id) { visited.push_back(id.value()); });
  EXPECT_EQ(visited, (std::vector<int>{3, 63, 64, 500}));
}

}  // namespace
}  // namespace ashlar
