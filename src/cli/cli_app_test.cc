#include "cli/cli_app.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "cli/cli_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class CliTest : public ::testing::Test {
 protected:
  CliTest() : folder_(fs::temp_directory_path() / ("ashlar_cli_test_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~CliTest() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return Path(name);
  }
  std::string Read(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // Traces that pass; the audit's own are tested where they lie.
  std::string GoodTraces() const {
    fs::create_directories(folder_ / "good");
    Write("good/one.trace",
          "component health i32\ncreate e1 health=5\nadd e1 health=6 -> ALREADY_EXISTS\n");
    Write("good/two.trace", "create e1\ndestroy e1\nexpect e1 dead\n");
    Write("good/notes.txt", "not a trace\n");
    return Path("good");
  }

  fs::path folder_;
};

TEST_F(CliTest, HelpAndVersionEverywhere) {
  for (const std::string name : {"", "audit", "replay", "shrink", "layout", "lines", "simulate"}) {
    std::vector<std::string> arguments;
    if (!name.empty()) arguments.push_back(name);
    arguments.push_back("--help");
    const Result help = RunAshlar(arguments);
    EXPECT_EQ(help.status, 0) << name;
    EXPECT_THAT(help.out, HasSubstr("--help")) << name;
    EXPECT_THAT(help.out, HasSubstr("Usage: ashlar")) << name;
    EXPECT_EQ(help.err, "") << name;
    arguments.back() = "--version";
    const Result version = RunAshlar(arguments);
    EXPECT_EQ(version.status, 0) << name;
    EXPECT_TRUE(std::regex_match(version.out, std::regex("ashlar [0-9]+\\.[0-9]+\\.[0-9]+\n")))
        << version.out;
  }
}

TEST_F(CliTest, BadCommandLines) {
  ExpectUsageError({}, "a subcommand is needed");
  ExpectUsageError({"audti"}, "there is no subcommand 'audti'");
  ExpectUsageError({"--nonsense"}, "--nonsense");
  ExpectUsageError({"audit", "--nonsense"}, "audit: ");
  ExpectUsageError({"audit", "--seed"}, "--seed");
  ExpectUsageError({"audit", "--seed", "x"}, "'x' is not a whole number");
  ExpectUsageError({"audit", "--seed", "-5"}, "'-5' is not a whole number");
  ExpectUsageError({"audit", "--seed", "18446744073709551616"}, "18446744073709551615");
  ExpectUsageError({"audit", "--operations", "1e6"}, "--operations");
  ExpectUsageError({"audit", "--seconds", "soon"}, "--seconds");
  ExpectUsageError({"audit", "--seconds=-1"}, "--seconds");
  ExpectUsageError({"audit", "--seconds", "nan"}, "--seconds");
  ExpectUsageError({"audit", "--seed", "1", "--seed", "2"}, "--seed");
  ExpectUsageError({"audit", "stray"}, "stray");
  ExpectUsageError({"replay"}, "files");
  ExpectUsageError({"shrink"}, "a trace file or --generated");
  ExpectUsageError({"shrink", "a", "b"}, "b");
  ExpectUsageError({"simulate", "--simd", "avx9"}, "'avx9' is none of scalar, avx2 and avx512");
  ExpectUsageError({"simulate", "--entities", "0"}, "--entities");
  ExpectUsageError({"simulate", "--dt", "inf"}, "--dt");
  ExpectUsageError({"simulate", "--dt", "1e39"}, "--dt");
  ExpectUsageError({"simulate", "--chunk-bytes", "5000"}, "--chunk-bytes");
  ExpectUsageError({"simulate", "--threads", "1025"}, "--threads");
  ExpectUsageError({"audit", "--seed", "1\n2"}, "'1 2'");
}

TEST_F(CliTest, BadFiles) {
  ExpectUsageError({"replay", Path("none.trace")}, Path("none.trace"));
  ExpectUsageError({"replay", folder_.string()}, folder_.string());
  ExpectUsageError({"shrink", Path("none.trace")}, Path("none.trace"));
  ExpectUsageError({"audit", "--traces", Path("none")}, "is not a folder");
  fs::create_directories(folder_ / "empty");
  ExpectUsageError({"audit", "--traces", Path("empty")}, "has no files *.trace");
  ExpectUsageError({"audit", "--traces", GoodTraces(), "--failure-dir", Path("none")},
                   "--failure-dir");
  const std::string bad = Write("bad.trace", "component health i32\ncreate e1 health=1.5\n");
  ExpectUsageError({"replay", bad}, "bad.trace:2:");
  ExpectUsageError({"shrink", bad}, "bad.trace:2:");
  fs::create_directories(folder_ / "one_bad");
  Write("one_bad/a.trace", "create e1\n");
  Write("one_bad/b.trace", "crate e1\n");
  ExpectUsageError({"audit", "--traces", Path("one_bad"), "--operations", "0"}, "b.trace:1:");
  ExpectUsageError({"replay", Write("options.trace", "option chunk_bytes 5000\ncreate e1\n")},
                   "options.trace");
}

TEST_F(CliTest, ReplayTellsPassFromFailure) {
  const std::string good = Write("good.trace", "create e1\ndestroy e1\nexpect e1 dead\n");
  const std::string wrong = Write("wrong.trace", "create e1\nexpect e1 dead\n");
  const Result pass = RunAshlar({"replay", good});
  EXPECT_EQ(pass.status, 0);
  EXPECT_THAT(pass.out, StartsWith("pass  " + good + "  3 operations"));
  const Result fail = RunAshlar({"replay", good, wrong});
  EXPECT_EQ(fail.status, 1);
  EXPECT_THAT(fail.out, HasSubstr("FAIL  " + wrong));
  EXPECT_THAT(fail.out, HasSubstr("an expectation is not met"));
  EXPECT_THAT(fail.out, HasSubstr("line 2"));
  // A file that cannot be read does not keep the others from being run.
  const Result mixed = RunAshlar({"replay", Path("none"), wrong, good});
  EXPECT_EQ(mixed.status, 2);
  EXPECT_THAT(mixed.out, HasSubstr("pass  " + good));
}

TEST_F(CliTest, VerboseReplayShowsOperationsAndRows) {
  const std::string file = Write("verbose.trace",
                                 "# what it shows\ncomponent health i32\ncreate e1\nadd e1 "
                                 "health=80\nadd e9 health=1 -> any\n");
  const Result result = RunAshlar({"replay", "-v", file});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, HasSubstr("# what it shows\n"));
  EXPECT_THAT(result.out, HasSubstr("     4  add e1 health=80  -> OK\n"));
  EXPECT_THAT(result.out, HasSubstr("e1 0v1: + health=80"));
  EXPECT_THAT(result.out,
              HasSubstr("\n     5  add e9 health=1  -> NOT_FOUND entity_not_alive\npass"));
}

TEST_F(CliTest, ShrinkFindsTheShortestTrace) {
  std::string text = "component health i32\n";
  for (int i = 0; i < 30; ++i) text += "create e" + std::to_string(i) + " health=7\n";
  text += "expect e3 dead\n";
  const std::string file = Write("long.trace", text);
  const Result result = RunAshlar({"shrink", file, "-o", Path("short.trace")});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("shrunk from 31 operations to 2"));
  EXPECT_THAT(Read("short.trace"), HasSubstr("create e3\nexpect e3 dead\n"));
  EXPECT_EQ(RunAshlar({"replay", Path("short.trace")}).status, 1);
  // Without a file to save to, it is printed, and nothing else.
  const Result printed = RunAshlar({"shrink", file});
  EXPECT_EQ(printed.status, 0);
  EXPECT_EQ(printed.out, Read("short.trace"));
}

TEST_F(CliTest, ShrinkRefusesWhatDoesNotFail) {
  ExpectUsageError({"shrink", Write("good.trace", "create e1\n")}, "does not fail");
  ExpectUsageError({"shrink", "--generated", "5"}, "does not fail");
  ExpectUsageError({"shrink", Path("x.trace"), "--generated", "5"}, "--generated");
  const std::string wrong = Write("wrong.trace", "create e1\nexpect e1 dead\n");
  const Result unwritable = RunAshlar({"shrink", wrong, "-o", Path("none/short.trace")});
  EXPECT_EQ(unwritable.status, 2);
  EXPECT_THAT(unwritable.err, HasSubstr("cannot be written"));
}

// Lines of the report that depend on the machine.
std::string WithoutTimes(const std::string& report) {
  return std::regex_replace(report, std::regex("(^|\n)(rate|peak memory) [^\n]*"), "");
}

TEST_F(CliTest, AuditPassesAndDoesTheSameAgain) {
  const std::vector<std::string> arguments = {"audit", "--traces",     GoodTraces(), "--seed",
                                              "12",    "--operations", "20000"};
  const Result result = RunAshlar(arguments);
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("audit: 2 traces, then random programs, seed 12\n"));
  EXPECT_THAT(result.out, HasSubstr("\ncreate "));
  EXPECT_THAT(result.out, HasSubstr("integrity checks"));
  EXPECT_THAT(result.out, HasSubstr("state digest        0x"));
  EXPECT_THAT(result.out, EndsWith("PASS\n"));
  // On a slow machine it says how far it has come, a line in ten seconds.
  EXPECT_EQ(std::regex_replace(result.err, std::regex("audit: 2 of 2 traces, [^\n]*\n"), ""), "");

  // Probes are counted over the life of the process, so their table is another one here.
  const auto comparable = [](const Result& r) {
    const std::string text = WithoutTimes(r.out);
    const std::size_t probes = text.find("probe hit");
    return text.substr(0, probes) + text.substr(text.find("traces  ", probes));
  };
  EXPECT_EQ(comparable(RunAshlar(arguments)), comparable(result));
  std::vector<std::string> another = arguments;
  another[4] = "13";
  EXPECT_NE(comparable(RunAshlar(another)), comparable(result));
}

TEST_F(CliTest, AuditWithoutASeedPrintsTheOneThatItTook) {
  const Result result = RunAshlar({"audit", "--traces", GoodTraces(), "--operations", "1"});
  std::smatch match;
  ASSERT_TRUE(std::regex_search(result.out, match, std::regex(", seed ([0-9]+)\n")));
  const Result again =
      RunAshlar({"audit", "--traces", GoodTraces(), "--operations", "1", "--seed", match[1].str()});
  const std::regex digest("state digest +0x[0-9a-f]+");
  std::smatch a;
  std::smatch b;
  ASSERT_TRUE(std::regex_search(result.out, a, digest));
  ASSERT_TRUE(std::regex_search(again.out, b, digest));
  EXPECT_EQ(a.str(), b.str());
}

TEST_F(CliTest, AuditFailsOnATraceThatFails) {
  fs::create_directories(folder_ / "wrong");
  const std::string wrong = Write("wrong/wrong.trace", "create e1\nexpect e1 dead\n");
  const Result result = RunAshlar({"audit", "--traces", Path("wrong"), "--operations", "100",
                                   "--failure-dir", folder_.string()});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("FAIL  " + wrong));
  EXPECT_THAT(result.out, HasSubstr("run it again:  ashlar replay " + wrong));
  EXPECT_THAT(result.out, HasSubstr("random programs     0\n"));
  EXPECT_THAT(result.out, EndsWith("FAIL  1 failure\n"));
}

TEST_F(CliTest, LayoutDrawsTheChunk) {
  const Result result = RunAshlar(
      {"layout", "position:f32x3", "velocity:f32x3", "health:i32", "--svg", Path("c.svg")});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("112 rows of 36 bytes"));
  EXPECT_THAT(result.out, HasSubstr("####eeee"));
  EXPECT_THAT(result.out, HasSubstr("written: " + Path("c.svg")));
  EXPECT_THAT(Read("c.svg"), StartsWith("<svg xmlns="));
  EXPECT_EQ(RunAshlar({"layout"}).status, 0);
}

TEST_F(CliTest, LayoutRefusesWhatCannotBe) {
  ExpectUsageError({"layout", "health"}, "name:type");
  ExpectUsageError({"layout", "health:i33"}, "'health:i33'");
  ExpectUsageError({"layout", "a:i32", "a:i32"}, "named twice");
  ExpectUsageError({"layout", "a:f64[1000]"}, "does not fit");
  ExpectUsageError({"layout", "a:i32", "--chunk-bytes", "5000"}, "5000");
  ExpectUsageError({"layout", "a:i32", "--chunk-bytes", "2048"}, "--chunk-bytes");
  ExpectUsageError({"layout", "a:i32", "--rows-max", "x"}, "--rows-max");
  ExpectUsageError({"layout", "a:i32", "--svg", Path("none/c.svg")}, "cannot be written");
  ExpectUsageError({"layout", "a\x1b[31m:i\n32"}, "\\x1B");
}

std::string Checksum(const Result& result) {
  std::smatch match;
  const bool is_found =
      std::regex_search(result.out, match, std::regex("checksum +(0x[0-9a-f]{16})\n"));
  EXPECT_TRUE(is_found) << result.out << result.err;
  return is_found ? match[1].str() : "";
}

TEST_F(CliTest, SimulateHasOneChecksum) {
  const std::vector<std::string> base = {"simulate", "--entities", "1003", "--steps", "7"};
  const auto with = [&base](std::vector<std::string> more) {
    more.insert(more.begin(), base.begin(), base.end());
    return RunAshlar(more);
  };
  const Result scalar = with({"--simd", "scalar"});
  EXPECT_EQ(scalar.status, 0);
  EXPECT_THAT(scalar.out, HasSubstr("scalar, chunks of 4096 bytes, 1 thread\n"));
  EXPECT_THAT(scalar.out, HasSubstr(" ns/entity"));
  EXPECT_THAT(scalar.out, HasSubstr("941 of them moving"));
  EXPECT_EQ(Checksum(with({"--chunk-bytes", "65536"})), Checksum(scalar));
  EXPECT_NE(Checksum(with({"--dt", "-0.5"})), Checksum(scalar));
  const Result threads = with({"--threads", "3"});
  EXPECT_THAT(threads.out, HasSubstr("bytes, 3 threads\n"));
  EXPECT_EQ(Checksum(threads), Checksum(scalar));
  for (const std::string level : {"avx2", "avx512"}) {
    const Result vector = with({"--simd", level});
    if (vector.status == 0) {
      EXPECT_THAT(vector.out, HasSubstr(level + ", chunks of"));
      EXPECT_EQ(Checksum(vector), Checksum(scalar));
    } else {
      EXPECT_EQ(vector.status, 2) << "a machine without " << level << " refuses it";
    }
  }
}

TEST_F(CliTest, OutputThatCannotBeWrittenIsAnError) {
  std::ostringstream err;
  std::ofstream full("/dev/full");
  const Console console{full, err};
  const std::vector<std::string> arguments = {"layout", "health:i32"};
  EXPECT_EQ(RunCli(arguments, console), 1);
  EXPECT_THAT(err.str(), HasSubstr("could not be written"));
}

}  // namespace
}  // namespace ashlar::cli
