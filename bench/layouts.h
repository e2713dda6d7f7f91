// Elements of four floats, laid out in different ways, and the two sums over each layout: of all
// fields, and of the field x alone.
//
// Each layout adds in the order that suits it, in sixteen lanes that are added at the end. The
// lanes are written as vectors, since compilers find them by themselves in some layouts and not in
// others, and that is not what is compared here.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

#include "ashlar/core/slab_memory.h"
#include "bench/components.h"
#include "bench/fixtures.h"
#include "bench/touched.h"

namespace ashlar::bench {

struct Element {
  float x, y, z, w;
};

// Whole numbers so small that every partial sum of 2^20 elements is below 2^24 and exact in a
// float. The sums are therefore the same in any order of additions, and can be compared bit by bit.
inline constexpr std::size_t kLayoutElements = std::size_t{1} << 20;
inline Element ElementOf(std::size_t i) {
  const auto digit = [i](unsigned shift) {
    return static_cast<float>(i * 2654435761u >> shift & 3);
  };
  return {digit(8), digit(10), digit(12), digit(14)};
}

inline constexpr std::size_t kLanes = 16;

// kWidth floats, added side by side; compiled for the instructions that the function around it may
// use.
template <std::size_t kWidth>
struct VectorOf {
  typedef float Type __attribute__((vector_size(4 * kWidth)));
};

// Sixteen lanes as vectors of kWidth.
template <std::size_t kWidth>
struct Lanes {
  using Vector = typename VectorOf<kWidth>::Type;
  static constexpr std::size_t kVectors = kLanes / kWidth;

  Vector lane[kVectors] = {};
};

// Each layout has Sum<kAll>, inlined into functions that are compiled for one instruction set each,
// and Touch, which names what that sum reads.
#define ASHLAR_BENCH_INLINE [[gnu::always_inline]] inline

template <std::size_t kWidth>
ASHLAR_BENCH_INLINE void AddFloats(const float* values, std::size_t vector, Lanes<kWidth>* sum) {
  typename Lanes<kWidth>::Vector loaded;
  std::memcpy(&loaded, values, sizeof loaded);
  sum->lane[vector] += loaded;
}

template <std::size_t kWidth>
ASHLAR_BENCH_INLINE void AddFields(const float* x, const float* y, const float* z, const float* w,
                                   std::size_t vector, Lanes<kWidth>* sum) {
  typename Lanes<kWidth>::Vector a, b, c, d;
  std::memcpy(&a, x, sizeof a);
  std::memcpy(&b, y, sizeof b);
  std::memcpy(&c, z, sizeof c);
  std::memcpy(&d, w, sizeof d);
  sum->lane[vector] += ((a + b) + c) + d;
}

template <std::size_t kWidth>
ASHLAR_BENCH_INLINE float TotalOf(const Lanes<kWidth>& sum) {
  float total = 0;
  for (std::size_t v = 0; v < sum.kVectors; ++v) {
    for (std::size_t k = 0; k < kWidth; ++k) total += sum.lane[v][k];
  }
  return total;
}

template <bool kAll>
ASHLAR_BENCH_INLINE float ValueOf(const Element& e) {
  return kAll ? ((e.x + e.y) + e.z) + e.w : e.x;
}

// Adds elements that lie one behind the other, and answers with what was left over. All fields are
// added float by float: which field a float belongs to does not matter to the sum.
template <bool kAll>
ASHLAR_BENCH_INLINE float AddElements(const Element* e, std::size_t count, Lanes<8>* total) {
  Lanes<8> sum = *total;  // A copy, which can stay in registers.
  constexpr std::size_t kStep = kAll ? kLanes / 4 : kLanes;
  std::size_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    for (std::size_t v = 0; v < 2; ++v) {
      const Element* at = e + i + v * kStep / 2;
      if constexpr (kAll) {
        AddFloats<8>(&at->x, v, &sum);
      } else {
        sum.lane[v] += Lanes<8>::Vector{at[0].x, at[1].x, at[2].x, at[3].x,
                                        at[4].x, at[5].x, at[6].x, at[7].x};
      }
    }
  }
  *total = sum;
  float rest = 0;
  for (; i < count; ++i) rest += ValueOf<kAll>(e[i]);
  return rest;
}

// The same for elements whose fields lie apart.
template <bool kAll>
ASHLAR_BENCH_INLINE float AddColumns(const float* x, const float* y, const float* z, const float* w,
                                     std::size_t count, Lanes<8>* total) {
  Lanes<8> sum = *total;
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::size_t v = 0; v < 2; ++v) {
      const std::size_t at = i + 8 * v;
      if constexpr (kAll) {
        AddFields<8>(x + at, y + at, z + at, w + at, v, &sum);
      } else {
        AddFloats<8>(x + at, v, &sum);
      }
    }
  }
  *total = sum;
  float rest = 0;
  for (; i < count; ++i) rest += kAll ? ((x[i] + y[i]) + z[i]) + w[i] : x[i];
  return rest;
}

// x y z w  x y z w ...
class ArrayOfStructs {
 public:
  explicit ArrayOfStructs(std::size_t count) {
    elements_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) elements_.push_back(ElementOf(i));
  }
  template <bool kAll>
  ASHLAR_BENCH_INLINE float Sum() const {
    Lanes<8> sum;
    const float rest = AddElements<kAll>(elements_.data(), elements_.size(), &sum);
    return TotalOf(sum) + rest;
  }
  void Touch(bool all, TouchedLines* lines) const {
    for (const Element& e : elements_) lines->Add(&e, all ? sizeof e : sizeof e.x);
  }

 private:
  std::vector<Element> elements_;
};

// A pointer to each, and the objects anywhere: allocated one by one, then visited in random order.
class HeapObjects {
 public:
  explicit HeapObjects(std::size_t count) {
    elements_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      elements_.push_back(std::make_unique<Element>(ElementOf(i)));
    }
    Random(count).Shuffle(elements_);
  }
  template <bool kAll>
  ASHLAR_BENCH_INLINE float Sum() const {
    float lane[8] = {};
    for (std::size_t i = 0; i + 8 <= elements_.size(); i += 8) {
      for (std::size_t k = 0; k < 8; ++k) lane[k] += ValueOf<kAll>(*elements_[i + k]);
    }
    float total = 0;
    for (const float part : lane) total += part;
    return total;
  }
  void Touch(bool all, TouchedLines* lines) const {
    for (const auto& e : elements_) lines->Add(e.get(), all ? sizeof *e : sizeof e->x);
    lines->Add(elements_.data(), elements_.size() * sizeof elements_[0]);
  }

 private:
  std::vector<std::unique_ptr<Element>> elements_;
};

// x x x ...  y y y ...  z z z ...  w w w ...
class StructOfArrays {
 public:
  explicit StructOfArrays(std::size_t count) {
    for (auto* field : {&x_, &y_, &z_, &w_}) field->reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Element e = ElementOf(i);
      x_.push_back(e.x), y_.push_back(e.y), z_.push_back(e.z), w_.push_back(e.w);
    }
  }
  template <bool kAll>
  ASHLAR_BENCH_INLINE float Sum() const {
    Lanes<8> sum;
    const float rest =
        AddColumns<kAll>(x_.data(), y_.data(), z_.data(), w_.data(), x_.size(), &sum);
    return TotalOf(sum) + rest;
  }
  void Touch(bool all, TouchedLines* lines) const {
    lines->Add(x_.data(), x_.size() * sizeof(float));
    if (!all) return;
    for (const auto* field : {&y_, &z_, &w_}) lines->Add(field->data(), field->size() * 4);
  }

 private:
  std::vector<float> x_, y_, z_, w_;
};

// Blocks of kWidth elements, field by field inside a block.
template <std::size_t kWidth>
class ArrayOfBlocks {
 public:
  explicit ArrayOfBlocks(std::size_t count) : blocks_(count / kWidth) {
    for (std::size_t i = 0; i < count; ++i) {
      const Element e = ElementOf(i);
      Block& block = blocks_[i / kWidth];
      const std::size_t k = i % kWidth;
      block.x[k] = e.x, block.y[k] = e.y, block.z[k] = e.z, block.w[k] = e.w;
    }
  }
  template <bool kAll>
  ASHLAR_BENCH_INLINE float Sum() const {
    constexpr std::size_t kVector = kWidth < 8 ? kWidth : 8;
    constexpr std::size_t kStep = kLanes / kWidth;  // Blocks at a time.
    Lanes<kVector> sum;
    for (std::size_t b = 0; b + kStep <= blocks_.size(); b += kStep) {
      for (std::size_t v = 0; v < sum.kVectors; ++v) {
        const Block& at = blocks_[b + v * kVector / kWidth];
        const std::size_t k = v * kVector % kWidth;
        if constexpr (kAll) {
          AddFields<kVector>(at.x + k, at.y + k, at.z + k, at.w + k, v, &sum);
        } else {
          AddFloats<kVector>(at.x + k, v, &sum);
        }
      }
    }
    return TotalOf(sum);
  }
  void Touch(bool all, TouchedLines* lines) const {
    for (const Block& block : blocks_) lines->Add(&block, all ? sizeof block : sizeof block.x);
  }

 private:
  struct alignas(4 * kWidth) Block {
    float x[kWidth], y[kWidth], z[kWidth], w[kWidth];
  };
  std::vector<Block> blocks_;
};

// A component of four floats in a world, as its chunks show it: whole, or, with kSplit, each field
// in a column of its own. With kSlabs, the world's memory comes from SlabMemory, which asks for
// huge pages; else from operator new.
template <bool kSplit, bool kSlabs>
class Chunked {
 public:
  explicit Chunked(std::size_t count)
      : world_(Require(World::Make({.memory = kSlabs ? &slabs_ : nullptr}))) {
    auto element = Describe<Element>("element")
                       .Field("x", &Element::x)
                       .Field("y", &Element::y)
                       .Field("z", &Element::z)
                       .Field("w", &Element::w);
    if (kSplit) element.Split();
    element_ = Require(world_->Register(element));
    for (std::size_t i = 0; i < count; ++i) {
      Require(world_->Create({ComponentValue(element_, ElementOf(i))}).status());
    }
    query_ = Require(world_->MakeQuery(QuerySpec().Read(element_)));
  }
  template <bool kAll>
  ASHLAR_BENCH_INLINE float Sum() const {
    Lanes<8> sum;
    float rest = 0;
    const IterationScope scope = Require(world_->OpenScope(query_));
    for (const ChunkView& view : scope) {
      if constexpr (kSplit) {
        const float* field[4];
        for (std::size_t f = 0; f < 4; ++f) field[f] = FieldOf(view, f).data();
        rest += AddColumns<kAll>(field[0], field[1], field[2], field[3], view.row_count(), &sum);
      } else {
        const std::span<const Element> rows = view.Read(element_);
        rest += AddElements<kAll>(rows.data(), rows.size(), &sum);
      }
    }
    return TotalOf(sum) + rest;
  }
  void Touch(bool all, TouchedLines* lines) const {
    const IterationScope scope = Require(world_->OpenScope(query_));
    for (const ChunkView& view : scope) {
      if constexpr (kSplit) {
        for (std::size_t f = 0; f < (all ? 4 : 1); ++f) {
          lines->Add(FieldOf(view, f).data(), FieldOf(view, f).size_bytes());
        }
      } else {
        for (const Element& e : view.Read(element_)) lines->Add(&e, all ? sizeof e : sizeof e.x);
      }
    }
  }

 private:
  std::span<const float> FieldOf(const ChunkView& view, std::size_t field) const {
    return view.ReadField<float>(element_.id(), field);
  }

  SlabMemory slabs_;  // Outlives the world.
  std::unique_ptr<World> world_;
  Component<Element> element_;
  QueryId query_;
};

}  // namespace ashlar::bench
