// The plan of the house, held by reading the sources: who may include whom, how long a file may be,
// what the kernel may not use. Each rule is also shown a bad example, so that a rule that matches
// nothing is noticed.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct SourceFile {
  std::string path;  // From the root of the repository, with slashes.
  std::string text;
};
using Complaints = std::vector<std::string>;

constexpr std::size_t kLineCountMax = 400;

// A room's includes go to rooms of lower rank, or to itself.
const std::map<std::string, int, std::less<>>& Ranks() {
  static const std::map<std::string, int, std::less<>> ranks = {
      {"ashlar/core", 0},    {"ashlar/schema", 1},  {"ashlar/kernels", 2},
      {"ashlar/oplang", 2},  {"ashlar/storage", 2}, {"ashlar/query", 3},
      {"ashlar/world", 4},   {"ashlar/audit", 5},   {"ashlar/snapshot", 5},
      {"ashlar/systems", 6}, {"ashlar", 7},         {"bench", 8},
      {"example", 8},        {"model", 8},          {"cli", 9},
      {"props", 9},          {"fuzz", 9},
  };
  return ranks;
}

// The room of a path as includes write it ("ashlar/core/entity.h"); nothing for other people's.
std::optional<std::string> RoomOf(std::string_view include_path) {
  const std::string folder = fs::path(include_path).parent_path().generic_string();
  for (std::string at = folder; !at.empty(); at = fs::path(at).parent_path().generic_string()) {
    if (Ranks().contains(at)) return at;
  }
  return std::nullopt;
}

// The path of a file of ours as includes write it: src/ is an include root, and so is the root.
std::string IncludePathOf(const std::string& path) {
  return path.starts_with("src/") ? path.substr(4) : path;
}

std::vector<std::string> QuotedIncludes(const std::string& text) {
  static const std::regex pattern(R"re((?:^|\n)[ \t]*#[ \t]*include[ \t]*"([^"\n]+)")re");
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
    found.push_back((*it)[1].str());
  }
  return found;
}

// What is wrong with one include, or nothing.
std::optional<std::string> IncludeFault(const SourceFile& file, const std::string& include) {
  if (include.find("..") != std::string::npos || include.starts_with("src/")) {
    return "names a path that is not from an include root";
  }
  const std::optional<std::string> target = RoomOf(include);
  if (!target.has_value()) {
    const fs::path beside = fs::path(file.path).parent_path() / include;
    if (fs::exists(fs::path(ASHLAR_SOURCE_DIR) / beside)) {
      return "must be written as " + IncludePathOf(beside.generic_string());
    }
    return std::nullopt;
  }
  const std::string own = RoomOf(IncludePathOf(file.path)).value_or("?");
  if (own == *target) return std::nullopt;
  if (!Ranks().contains(own)) return "is in no room";
  if (Ranks().at(own) <= Ranks().at(*target)) return own + " may not see " + *target;
  // The benchmarks and the example use what users use.
  if ((own == "bench" || own == "example") && !target->starts_with("ashlar")) {
    return own + " may not see " + *target;
  }
  // The reference model shares the words and the schema with the kernel, nothing else.
  constexpr std::array<std::string_view, 11> kReference = {
      "model/reference_world",     "model/reference_ids.",     "model/reference_queries.",
      "model/reference_run.",      "model/reference_kernels.", "model/reference_systems.",
      "model/reference_commands.", "model/reference_order.",   "model/reference_parts.",
      "model/reference_hooks.",    "model/model_schema."};
  const bool reference = std::ranges::any_of(
      kReference, [&](std::string_view start) { return file.path.starts_with(start); });
  if (reference && *target != "ashlar/core" && *target != "ashlar/schema" &&
      *target != "ashlar/oplang") {
    return "the reference model may not see " + *target;
  }
  return std::nullopt;
}

Complaints CheckIncludes(const SourceFile& file) {
  Complaints complaints;
  for (const std::string& include : QuotedIncludes(file.text)) {
    if (const auto fault = IncludeFault(file, include)) {
      complaints.push_back(file.path + ": #include \"" + include + "\": " + *fault);
    }
  }
  return complaints;
}

Complaints CheckLength(const SourceFile& file) {
  const auto lines = static_cast<std::size_t>(std::ranges::count(file.text, '\n'));
  if (lines <= kLineCountMax) return {};
  return {file.path + ": " + std::to_string(lines) + " lines, at most " +
          std::to_string(kLineCountMax) + "; is it two concepts?"};
}

// What the kernel may not use, and why.
Complaints CheckBannedTokens(const SourceFile& file) {
  static const std::vector<std::pair<std::string, std::string>> banned = {
      {"absl::flat_hash_", "a throwing allocator leaves it broken; std::pmr instead"},
      {"absl::node_hash_", "a throwing allocator leaves it broken; std::pmr instead"},
      {"absl/container/", "a throwing allocator leaves it broken; std::pmr instead"},
      {"absl::btree_", "a throwing allocator makes it leak; std::pmr::map instead"},
      {"absl::Mutex", "ThreadSanitizer reports it falsely; std::mutex instead"},
      {"absl/synchronization/", "ThreadSanitizer reports it falsely; std::mutex instead"},
      {"target_clones", "crashes at start under ThreadSanitizer"},
      {"std::fma", "contraction changes the bits between scalar and vector twins"},
  };
  Complaints complaints;
  if (!file.path.starts_with("src/ashlar/")) return complaints;
  // The one kernel that says in its name that it rounds once.
  const bool fused = file.path == "src/ashlar/kernels/movement_fused.cc";
  for (const auto& [token, why] : banned) {
    if (fused && token == "std::fma") continue;
    if (file.text.find(token) != std::string::npos) {
      complaints.push_back(file.path + ": " + token + ": " + why);
    }
  }
  return complaints;
}

// Absolute paths that exist on one machine only.
Complaints CheckMachinePaths(const SourceFile& file) {
  static const std::regex pattern(R"re((^|[\s"'=:(`])/(home|root|work|farm|mnt|Users)/)re");
  std::smatch match;
  if (!std::regex_search(file.text, match, pattern)) return {};
  return {file.path + ": mentions a path of one machine: " +
          file.text.substr(static_cast<std::size_t>(match.position(0)), 40)};
}

Complaints CheckHeaderGuard(const SourceFile& file) {
  const bool header = file.path.ends_with(".h");
  if (!header || file.text.find("\n#pragma once\n") != std::string::npos) return {};
  return {file.path + ": has no #pragma once"};
}

Complaints CheckOpensWithItsJob(const SourceFile& file) {
  if (!file.path.ends_with(".h") || file.text.starts_with("// ")) return {};
  return {file.path + ": does not open with a comment that says its job"};
}

bool IsCode(const fs::path& path) { return path.extension() == ".h" || path.extension() == ".cc"; }

std::string ReadAll(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Every file of the repository that people wrote, in order of path. Build folders, hidden folders
// but .ci, and fuzz corpora (bytes, not text) are left out.
std::vector<SourceFile> ReadRepository() {
  const fs::path root = ASHLAR_SOURCE_DIR;
  std::vector<SourceFile> files;
  for (auto it = fs::recursive_directory_iterator(root); it != fs::recursive_directory_iterator();
       ++it) {
    const std::string path = it->path().lexically_relative(root).generic_string();
    const std::string name = it->path().filename().string();
    if (it->is_directory()) {
      const bool hidden = name.starts_with(".") && name != ".ci";
      if (hidden || path == "build" || name == "corpus") it.disable_recursion_pending();
      continue;
    }
    if (name == ".git") continue;  // A file in a git worktree, which names the repository's place.
    if (it->is_regular_file()) files.push_back({path, ReadAll(it->path())});
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

class Structure : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { files_ = new std::vector<SourceFile>(ReadRepository()); }
  static void TearDownTestSuite() { delete files_; }

  // Runs a rule over all files, or over the code alone.
  template <typename Rule>
  static Complaints Run(Rule rule, bool code_only = true) {
    Complaints all;
    for (const SourceFile& file : *files_) {
      if (code_only && !IsCode(file.path)) continue;
      for (std::string& complaint : rule(file)) all.push_back(std::move(complaint));
    }
    return all;
  }

  static std::vector<SourceFile>* files_;
};
std::vector<SourceFile>* Structure::files_ = nullptr;

TEST_F(Structure, SourcesAreFound) {
  const auto code = std::ranges::count_if(*files_, [](const auto& f) { return IsCode(f.path); });
  EXPECT_GT(code, 60);
  for (const auto& [room, rank] : Ranks()) {
    if (room == "ashlar/snapshot") continue;  // Not built yet.
    EXPECT_TRUE(std::ranges::any_of(*files_,
                                    [&wanted = room](const SourceFile& file) {
                                      return IsCode(file.path) &&
                                             RoomOf(IncludePathOf(file.path)) == wanted;
                                    }))
        << room << " has no sources";
  }
}

TEST_F(Structure, IncludesPointDown) { EXPECT_THAT(Run(CheckIncludes), IsEmpty()); }
TEST_F(Structure, FilesAreShort) { EXPECT_THAT(Run(CheckLength), IsEmpty()); }
TEST_F(Structure, KernelUsesNothingBanned) { EXPECT_THAT(Run(CheckBannedTokens), IsEmpty()); }
TEST_F(Structure, HeadersAreGuarded) { EXPECT_THAT(Run(CheckHeaderGuard), IsEmpty()); }
TEST_F(Structure, HeadersOpenWithTheirJob) { EXPECT_THAT(Run(CheckOpensWithItsJob), IsEmpty()); }
TEST_F(Structure, NoMachinePaths) { EXPECT_THAT(Run(CheckMachinePaths, false), IsEmpty()); }

TEST_F(Structure, ReferenceModelIsShort) {
  std::ptrdiff_t lines = 0;
  for (const SourceFile& file : *files_) {
    if (file.path == "model/reference_world.h" || file.path == "model/reference_world.cc") {
      lines += std::ranges::count(file.text, '\n');
    }
  }
  EXPECT_GT(lines, 0);
  EXPECT_LE(lines, 400);
}

TEST_F(Structure, VersionIsOneNumber) {
  const std::string text = ReadAll(fs::path(ASHLAR_SOURCE_DIR) / "src/ashlar/core/version.h");
  const auto number = [&text](const std::string& name) {
    std::smatch match;
    const std::regex pattern("#define ASHLAR_VERSION_" + name + " \"?([0-9.]+)\"?");
    return std::regex_search(text, match, pattern) ? match[1].str() : "absent";
  };
  EXPECT_EQ(number("STRING"), number("MAJOR") + "." + number("MINOR") + "." + number("PATCH"));
}

// --- The rules themselves ---

TEST(StructureRules, IncludeRanks) {
  struct Case {
    const char* path;
    const char* include;
    const char* fault;  // Empty: allowed.
  };
  const Case cases[] = {
      {"src/ashlar/storage/a.h", "ashlar/core/entity.h", ""},
      {"src/ashlar/storage/a.h", "ashlar/storage/chunk_layout.h", ""},
      {"src/ashlar/storage/a.h", "absl/status/status.h", ""},
      {"src/ashlar/storage/a.h", "ashlar/world/world.h", "may not see ashlar/world"},
      {"src/ashlar/storage/a.h", "ashlar/kernels/movement.h", "may not see ashlar/kernels"},
      {"src/ashlar/core/a.h", "ashlar/ashlar.h", "may not see ashlar"},
      {"src/ashlar/ashlar.h", "ashlar/world/world.h", ""},
      {"src/ashlar/audit/a.cc", "model/lockstep.h", "may not see model"},
      {"src/cli/a.cc", "model/lockstep.h", ""},
      {"src/cli/a.cc", "props/a.h", "may not see props"},
      {"props/a.cc", "fuzz/a.h", "may not see fuzz"},
      {"fuzz/a.cc", "props/a.h", "may not see props"},
      {"fuzz/a.cc", "model/lockstep.h", ""},
      {"bench/a.cc", "model/lockstep.h", "may not see model"},
      {"bench/a.cc", "ashlar/world/world.h", ""},
      {"model/lockstep.cc", "ashlar/world/world.h", ""},
      {"model/reference_world.cc", "ashlar/oplang/operation.h", ""},
      {"model/reference_world.cc", "ashlar/storage/signature.h", "reference model may not see"},
      {"src/ashlar/core/a.cc", "entity.h", "must be written as ashlar/core/entity.h"},
      {"src/ashlar/core/a.cc", "../schema/scalar.h", "not from an include root"},
      {"src/ashlar/core/a.cc", "src/ashlar/core/entity.h", "not from an include root"},
  };
  for (const Case& c : cases) {
    const SourceFile file{c.path, std::string("// Job.\n  # include \"") + c.include + "\"\n"};
    const Complaints complaints = CheckIncludes(file);
    if (std::string_view(c.fault).empty()) {
      EXPECT_THAT(complaints, IsEmpty()) << c.path;
    } else {
      ASSERT_THAT(complaints, SizeIs(1)) << c.path << " " << c.include;
      EXPECT_THAT(complaints[0], HasSubstr(c.fault));
    }
  }
}

TEST(StructureRules, Length) {
  std::string text;
  for (std::size_t i = 0; i < kLineCountMax; ++i) text += "x\n";
  EXPECT_THAT(CheckLength({"a.cc", text}), IsEmpty());
  EXPECT_THAT(CheckLength({"a.cc", text + "x\n"}), SizeIs(1));
}

TEST(StructureRules, BannedTokens) {
  const std::string text = "absl::flat_hash_map<int, int> m; absl::Mutex mutex;";
  EXPECT_THAT(CheckBannedTokens({"src/ashlar/world/a.cc", text}), SizeIs(2));
  EXPECT_THAT(CheckBannedTokens({"src/cli/a.cc", text}), IsEmpty());
  const std::string fused = "std::fma(a, b, c); absl::Mutex mutex;";
  EXPECT_THAT(CheckBannedTokens({"src/ashlar/kernels/a.cc", fused}), SizeIs(2));
  EXPECT_THAT(CheckBannedTokens({"src/ashlar/kernels/movement_fused.cc", fused}), SizeIs(1));
}

TEST(StructureRules, MachinePaths) {
  const std::string slash = "/";
  EXPECT_THAT(CheckMachinePaths({"a", "see " + slash + "home/me/x"}), SizeIs(1));
  EXPECT_THAT(CheckMachinePaths({"a", "\"" + slash + "work/x\""}), SizeIs(1));
  EXPECT_THAT(CheckMachinePaths({"a", "a frame" + slash + "work/x and src" + slash + "root/x"}),
              IsEmpty());
}

TEST(StructureRules, Headers) {
  EXPECT_THAT(CheckHeaderGuard({"a.h", "// Job.\nint x;\n"}), SizeIs(1));
  EXPECT_THAT(CheckHeaderGuard({"a.h", "// Job.\n#pragma once\n"}), IsEmpty());
  EXPECT_THAT(CheckOpensWithItsJob({"a.h", "#pragma once\n"}), SizeIs(1));
}

}  // namespace
