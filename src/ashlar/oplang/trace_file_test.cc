#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "ashlar/core/status.h"
#include "ashlar/oplang/trace_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar::oplang {
namespace {

using ::testing::StartsWith;

std::string LongText() {
  std::string text;
  text.resize(10'000'000, 'x');
  return text;
}

class TraceFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string path = (std::filesystem::temp_directory_path() / "ashlar_trace_XXXXXX").string();
    ASSERT_NE(::mkdtemp(path.data()), nullptr);
    folder_ = path;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }

  std::string Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(Path(name), std::ios::binary) << bytes;
    return Path(name);
  }

  std::filesystem::path folder_;
};

TEST_F(TraceFile, ReadsAFile) {
  const auto program = ReadTraceFile(Write("good.trace", "component a u8\ncreate e1 a=5\n"));
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(program->operations.size(), 1u);
}

TEST_F(TraceFile, ErrorsBeginWithThePath) {
  const std::string path = Write("bad.trace", "nop\ncrate e1\n");
  const auto program = ReadTraceFile(path);
  EXPECT_EQ(program.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(program.status().message()), StartsWith(path + ":2:1: unknown"));
}

TEST_F(TraceFile, AMissingFileIsUnreadable) {
  const auto program = ReadTraceFile(Path("none.trace"));
  EXPECT_EQ(program.status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ReasonOf(program.status()), Reason::kFileUnreadable);
  EXPECT_EQ(program.status().message(),
            Path("none.trace") + ": cannot be read: No such file or directory");
  EXPECT_EQ(ReasonOf(ReadTraceFile("").status()), Reason::kFileUnreadable);
}

TEST_F(TraceFile, ADirectoryIsUnreadable) {
  const auto program = ReadTraceFile(folder_.string());
  EXPECT_EQ(program.status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ReasonOf(program.status()), Reason::kFileUnreadable);
  EXPECT_EQ(program.status().message(), folder_.string() + ": cannot be read: Is a directory");
}

TEST_F(TraceFile, AFileWithoutPermissionIsUnreadable) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const std::string path = Write("closed.trace", "nop\n");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const auto program = ReadTraceFile(path);
  EXPECT_EQ(ReasonOf(program.status()), Reason::kFileUnreadable);
  EXPECT_EQ(program.status().message(), path + ": cannot be read: Permission denied");
}

TEST_F(TraceFile, AnEmptyFileIsTheEmptyProgram) {
  const auto program = ReadTraceFile(Write("empty.trace", ""));
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(*program, Program());
}

TEST_F(TraceFile, NulBytesAreRefused) {
  const std::string path = Write("nul.trace", std::string("nop\nnop \0\n", 10));
  EXPECT_EQ(ReadTraceFile(path).status().message(), path + ":2:5: a NUL byte; a trace is text");
}

TEST_F(TraceFile, ALongLineIsRefused) {
  const std::string path = Write("long.trace", "nop\n" + LongText());
  EXPECT_EQ(ReadTraceFile(path).status().message(),
            path + ":2:1048577: this line has 10000000 bytes; a line has at most 1048576");
}

TEST_F(TraceFile, ACutFileIsRefusedWhereItEnds) {
  const std::string path = Write("cut.trace", "component a f32[3]\ncreate e1 a=(1,2");
  EXPECT_THAT(std::string(ReadTraceFile(path).status().message()), StartsWith(path + ":2:17: "));
}

TEST_F(TraceFile, AFileAboveTheLimitIsRefused) {
  // A file with nothing but a hole in it: as long as it may be, it is read (and is no text).
  const std::string path = Write("huge.trace", "");
  std::filesystem::resize_file(path, kTraceFileBytesMax);
  EXPECT_THAT(std::string(ReadTraceFile(path).status().message()),
              StartsWith(path + ":1:1048577: this line has 67108864 bytes"));
  std::filesystem::resize_file(path, kTraceFileBytesMax + 1);
  const auto program = ReadTraceFile(path);
  EXPECT_EQ(program.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(ReasonOf(program.status()), Reason::kTextMalformed);
  EXPECT_EQ(program.status().message(),
            path + ": a trace file has at most 67108864 bytes; this one is larger");
}

// A device has no size; reading it ends at the limit.
TEST_F(TraceFile, AnEndlessDeviceIsRefused) {
  if (!std::filesystem::exists("/dev/zero")) GTEST_SKIP() << "no such device";
  EXPECT_THAT(std::string(ReadTraceFile("/dev/zero").status().message()),
              StartsWith("/dev/zero: a trace file has at most "));
}

}  // namespace
}  // namespace ashlar::oplang
