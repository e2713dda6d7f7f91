// make_corpus: seeds for the fuzz targets, from traces and, for the kernels, from special floats.
//
//   make_corpus OUT TRACE...
//
// Writes OUT/world_fuzz/NAME and OUT/commands_fuzz/NAME (the operations, over the sample
// components), OUT/trace_fuzz/NAME.trace (the text), OUT/layout_fuzz/NAME (its components as
// columns of a chunk), and OUT/kernels_fuzz/KERNEL_FLOATS. Exit status 2 for a trace that cannot be
// read and for a file that cannot be written.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "ashlar/oplang/binary_codec.h"
#include "ashlar/oplang/trace_text.h"
#include "ashlar/schema/component_descriptor.h"
#include "fuzz/corpus_mapping.h"

namespace {

namespace fs = std::filesystem;
using ashlar::oplang::Program;

// The input of layout_fuzz (see there): every component with bytes is a column.
std::vector<std::uint8_t> LayoutInput(const Program& program) {
  const std::uint32_t chunk_size = std::max(program.options.chunk_size_bytes, 4096u);
  const std::uint32_t cap = program.options.rows_per_chunk_max;
  std::vector<std::uint8_t> bytes(8, 0);
  bytes[0] = static_cast<std::uint8_t>((std::bit_width(chunk_size / 4096) - 1) % 5);
  bytes[1] = cap != 0 ? 1 : 0;
  bytes[2] = static_cast<std::uint8_t>(cap);
  bytes[3] = static_cast<std::uint8_t>(cap >> 8);
  for (const ashlar::oplang::ComponentDeclaration& component : program.components) {
    const auto descriptor = ashlar::ComponentDescriptor::FromSpec(component.name, component.type);
    if (!descriptor.ok() || descriptor->is_tag()) continue;
    const std::size_t size = descriptor->size_bytes();
    bytes.insert(bytes.end(), {std::uint8_t{2}, static_cast<std::uint8_t>(size),
                               static_cast<std::uint8_t>(size >> 8)});
  }
  return bytes;
}

bool WriteFile(const fs::path& path, std::span<const std::uint8_t> bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) std::fprintf(stderr, "make_corpus: cannot write %s\n", path.c_str());
  return static_cast<bool>(file);
}

bool Convert(const fs::path& trace, const fs::path& out) {
  const auto program = ashlar::oplang::ReadTraceFile(trace.string());
  if (!program.ok()) {
    std::fprintf(stderr, "make_corpus: %s\n", program.status().ToString().c_str());
    return false;
  }
  std::error_code error;
  fs::copy_file(trace, out / "trace_fuzz" / trace.filename(), fs::copy_options::overwrite_existing,
                error);
  if (error) {
    std::fprintf(stderr, "make_corpus: cannot copy %s: %s\n", trace.c_str(),
                 error.message().c_str());
    return false;
  }
  const Program mapped = ashlar::fuzz::OverSampleComponents(*program);
  const std::vector<std::uint8_t> operations = ashlar::oplang::EncodeProgram(mapped);
  return WriteFile(out / "world_fuzz" / trace.stem(), operations) &&
         WriteFile(out / "commands_fuzz" / trace.stem(), operations) &&
         WriteFile(out / "layout_fuzz" / trace.stem(), LayoutInput(*program));
}

// The input of kernels_fuzz (see there): `count` floats in turn from those where arithmetic is
// special and some that are not, taken once or, `is_long`, 17 times.
std::vector<std::uint8_t> KernelInput(std::uint8_t kernel, std::size_t count, bool is_long) {
  constexpr std::uint32_t kFloats[] = {0x3f800000, 0xc0490fdb, 0x7f800001, 0x3dcccccd, 0x80000000,
                                       0x00000001, 0xff800000, 0x7f7fffff, 0xbf000000, 0xffc12345,
                                       0x007fffff, 0x40e00000, 0x7f800000};
  constexpr std::uint32_t kTimeStep = 0x3c800000;  // 1/64.
  const std::uint8_t stride = is_long ? 0x62 : 0x02;
  std::vector<std::uint8_t> bytes = {kernel, static_cast<std::uint8_t>(count), stride, 0};
  const auto append = [&bytes](std::uint32_t bits) {
    for (int shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<std::uint8_t>(bits >> shift));
    }
  };
  append(kTimeStep);
  for (std::size_t i = 0; i < count; ++i) append(kFloats[i % std::size(kFloats)]);
  return bytes;
}

// Some lengths around those of vectors, for each of the kernels.
bool WriteKernelSeeds(const fs::path& folder) {
  constexpr const char* kKernels[] = {"movement", "fused", "rows", "axis", "age", "sum"};
  for (std::size_t kernel = 0; kernel < std::size(kKernels); ++kernel) {
    const std::string name = kKernels[kernel];
    const auto number = static_cast<std::uint8_t>(kernel);
    for (std::size_t count : {0, 10, 33, 170, 500}) {
      const fs::path path = folder / (name + "_" + std::to_string(count));
      if (!WriteFile(path, KernelInput(number, count, false))) return false;
    }
    if (!WriteFile(folder / (name + "_long"), KernelInput(number, 269, true))) return false;
  }
  return true;
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count < 3) {
    std::fprintf(stderr, "usage: make_corpus OUT TRACE...\n");
    return 2;
  }
  const fs::path out = arguments[1];
  std::error_code error;
  // Seeds of traces that are gone must not stay behind.
  for (const char* target :
       {"world_fuzz", "commands_fuzz", "trace_fuzz", "layout_fuzz", "kernels_fuzz"}) {
    fs::remove_all(out / target, error);
    fs::create_directories(out / target, error);
  }
  if (error) {
    std::fprintf(stderr, "make_corpus: cannot make folders in %s\n", out.c_str());
    return 2;
  }
  if (!WriteKernelSeeds(out / "kernels_fuzz")) return 2;
  for (int i = 2; i < argument_count; ++i) {
    if (!Convert(arguments[i], out)) return 2;
  }
  std::printf("make_corpus: %d traces\n", argument_count - 2);
  return 0;
}
