// What the storage costs, beside what it can cost at least.
#include "bench/cases.h"

int main(int argc, char** argv) {
  std::vector<ashlar::bench::CaseMaker> makers;
  ashlar::bench::AddIterateCases(&makers);
  ashlar::bench::AddLookupCases(&makers);
  ashlar::bench::AddStructuralCases(&makers);
  ashlar::bench::AddManyCases(&makers);
  ashlar::bench::AddBatchCases(&makers);
  ashlar::bench::AddToggleCases(&makers);
  return ashlar::bench::RunBenchmarks(
      argc, argv,
      "Storage operations of Ashlar beside the same work without safety: a bare chunked "
      "prototype,\n"
      "and for iteration two plain arrays. The variants of a case take turns in one run.",
      makers);
}
