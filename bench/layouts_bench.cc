// What a layout costs: 2^20 elements of four floats, laid out in ten ways, summed in two ways.
//
// `sum_all` reads all four fields of each element, `sum_one` one of them. Every layout runs in a
// process of its own. `touched` counts the distinct cache lines that a sum reads, for each element;
// `resident` is what the process grew by when the elements were made.
#include <cstdio>

#include "ashlar/core/cpu.h"
#include "bench/isolated.h"
#include "bench/layouts.h"

namespace ashlar::bench {
namespace {

constexpr std::size_t kPasses = 4;  // In one sample.

template <typename Layout, bool kAll>
float SumPlain(const Layout& layout) {
  return layout.template Sum<kAll>();
}

// The same loop with AVX2, which x86-64 compilers do not use unless they are told that it is there.
#if defined(__x86_64__)
template <typename Layout, bool kAll>
[[gnu::target("avx2")]] float SumAvx2(const Layout& layout) {
  return layout.template Sum<kAll>();
}
#else
template <typename Layout, bool kAll>
float SumAvx2(const Layout& layout) {
  return SumPlain<Layout, kAll>(layout);
}
#endif

std::string SumText(float sum) {
  char text[40];
  std::snprintf(text, sizeof text, "sum %a", static_cast<double>(sum));
  return text;
}

template <typename Layout, bool kAll>
IsolatedWork MakeWork() {
  const std::size_t before = ResidentBytes();
  const auto layout = std::make_shared<const Layout>(kLayoutElements);
  const double resident = static_cast<double>(ResidentBytes() - before);
  TouchedLines lines;
  layout->Touch(kAll, &lines);

  const auto count = static_cast<double>(kLayoutElements);
  const auto sum =
      BestSimdLevel() >= SimdLevel::kAvx2 ? SumAvx2<Layout, kAll> : SumPlain<Layout, kAll>;
  IsolatedWork work;
  work.items = count * kPasses;
  work.sample = [=] {
    const Stopwatch watch;
    for (std::size_t pass = 0; pass < kPasses; ++pass) Keep(sum(*layout));
    return watch.Nanoseconds();
  };
  work.figures = {{"touched", static_cast<double>(lines.Bytes()) / count, "bytes/element"},
                  {"resident", resident / count, "bytes/element"}};
  work.outcome = [=] { return SumText(sum(*layout)); };
  return work;
}

template <bool kAll>
IsolatedCase MakeCase(const char* workload) {
  return {workload,
          kLayoutElements,
          "ns/element",
          {{"soa", MakeWork<StructOfArrays, kAll>},
           {"aos", MakeWork<ArrayOfStructs, kAll>},
           {"heap_shuffled", MakeWork<HeapObjects, kAll>},
           {"aosoa4", MakeWork<ArrayOfBlocks<4>, kAll>},
           {"aosoa8", MakeWork<ArrayOfBlocks<8>, kAll>},
           {"aosoa16", MakeWork<ArrayOfBlocks<16>, kAll>},
           {"chunked", MakeWork<Chunked<false, false>, kAll>},
           {"chunked_split", MakeWork<Chunked<true, false>, kAll>},
           {"chunked_slabs", MakeWork<Chunked<false, true>, kAll>},
           {"split_slabs", MakeWork<Chunked<true, true>, kAll>}}};
}

}  // namespace
}  // namespace ashlar::bench

int main(int argc, char** argv) {
  using ashlar::bench::MakeCase;
  return ashlar::bench::RunIsolatedBenchmarks(
      argc, argv,
      "Sums over 2^20 elements of four floats: a struct of arrays, an array of structs, objects "
      "on\n"
      "the heap in random order, blocks of 4, 8 and 16, and the chunks of a world, with whole\n"
      "components and with split ones (`_slabs`: in huge pages, where the system gives them). "
      "Each\n"
      "variant is a process of its own, warmed up until the median of five samples moves by less\n"
      "than five percent and then sampled 21 times; the order of the processes turns from run to\n"
      "run, and --seconds changes nothing. `touched` counts the distinct cache lines that a sum\n"
      "reads, `resident` what the process grew by. The values are small whole numbers, so every\n"
      "partial sum is exact, and all variants must give the same sum to the last bit in any order\n"
      "of additions.",
      {MakeCase<true>("sum_all"), MakeCase<false>("sum_one")});
}
