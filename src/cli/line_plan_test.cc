#include "cli/line_plan.h"

#include <regex>
#include <string>
#include <vector>

#include "cli/chunk_plan.h"
#include "cli/cli_testing.h"

namespace ashlar::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

LinePlan LinesOf(const std::vector<std::string>& arguments, std::uint64_t entities,
                 const std::vector<std::string>& hot) {
  std::vector<ComponentDescriptor> components;
  for (const std::string& argument : arguments) {
    components.push_back(ParseComponentArgument(argument).value());
  }
  return MakeLinePlan(components, entities, hot).value();
}

const std::vector<std::string> kRecord64 = {"position:f32x3", "velocity:f32x3", "rest:u8[40]"};
const std::vector<std::string> kHot24 = {"position", "velocity"};

TEST(LinePlan, SixtyFourRecordsOf64Bytes) {
  const LinePlan plan = LinesOf(kRecord64, 64, kHot24);
  EXPECT_EQ(plan.record_bytes, 64u);
  EXPECT_EQ(plan.hot_bytes, 24u);
  EXPECT_EQ(plan.records.lines, 64u);
  EXPECT_EQ(plan.records.bytes_touched, 4096u);
  EXPECT_EQ(plan.records.bytes_useful, 1536u);
  EXPECT_EQ(plan.columns.lines, 24u);
  EXPECT_EQ(plan.columns.bytes_touched, 1536u);
  EXPECT_EQ(LineTable(plan),
            "64 records of 64 bytes, 24 of them read\n"
            "\n"
            "             lines of 64 B     bytes touched      bytes useful    useful\n"
            "records                 64             4,096             1,536    37.5 %\n"
            "columns                 24             1,536             1,536   100.0 %\n"
            "\n"
            "columns touch fewer lines, by a factor of 2.67\n");
}

TEST(LinePlan, OneEntityIsCheaperAsARecord) {
  const LinePlan plan = LinesOf(kRecord64, 1, kHot24);
  EXPECT_EQ(plan.records.lines, 1u);
  EXPECT_EQ(plan.columns.lines, 2u);
  EXPECT_EQ(plan.columns.bytes_touched, 128u);
  EXPECT_THAT(LineTable(plan), EndsWith("records touch fewer lines, by a factor of 2.00\n"));
  EXPECT_THAT(LineTable(plan), StartsWith("1 record of 64 bytes"));
}

TEST(LinePlan, TheRecordIsPaddedAsAStruct) {
  const LinePlan plan = LinesOf({"flag:bool", "weight:f64", "dead:tag", "kind:u8"}, 3, {"kind"});
  ASSERT_EQ(plan.fields.size(), 3u);
  EXPECT_EQ(plan.fields[1].offset, 8u);
  EXPECT_EQ(plan.fields[2].offset, 16u);
  EXPECT_EQ(plan.record_bytes, 24u);
  // The bytes 16, 40 and 64.
  EXPECT_EQ(plan.records.lines, 2u);
  EXPECT_EQ(plan.columns.lines, 1u);
  EXPECT_EQ(LinesOf({"flag:bool", "weight:f64"}, 3, {}).hot_bytes, 9u) << "all, where none is said";
}

TEST(LinePicture, ShowsEveryByteOfTheFirstLines) {
  EXPECT_EQ(LinePicture(LinesOf(kRecord64, 2, kHot24), false),
            "records\n"
            "        0  PPPPPPPPPPPPVVVVVVVVVVVV::::::::::::::::::::::::::::::::::::::::\n"
            "        1  PPPPPPPPPPPPVVVVVVVVVVVV::::::::::::::::::::::::::::::::::::::::\n"
            "column position\n"
            "        0  PPPPPPPPPPPPPPPPPPPPPPPP::::::::::::::::::::::::::::::::::::::::\n"
            "column velocity\n"
            "        0  VVVVVVVVVVVVVVVVVVVVVVVV::::::::::::::::::::::::::::::::::::::::\n"
            "\n"
            "  P position   V velocity   : touched and not read   . not touched\n");
  const std::string large = LinePicture(LinesOf({"a:u8[128]", "b:i32"}, 1000, {"b"}), false);
  EXPECT_THAT(large, HasSubstr("        0  " + std::string(64, '.') + '\n'));
  EXPECT_THAT(large, HasSubstr("        2  BBBB" + std::string(60, ':') + '\n'));
  EXPECT_THAT(large, HasSubstr("\n           and 2,055 lines\ncolumn b\n"));
}

TEST(LinePicture, ColourChangesNothingButColour) {
  const LinePlan plan = LinesOf(kRecord64, 3, kHot24);
  const std::string coloured = LinePicture(plan, true);
  EXPECT_THAT(coloured, HasSubstr("\x1b[38;5;16;48;5;"));
  EXPECT_EQ(std::regex_replace(coloured, std::regex("\x1b\\[[0-9;]*m"), ""),
            LinePicture(plan, false));
}

TEST(LinesCommand, PrintsTableAndPicture) {
  const Result result = RunAshlar({"lines", "position:f32x3", "velocity:f32x3", "rest:u8[40]",
                                   "--entities", "64", "--hot", "position,velocity"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("4,096             1,536    37.5 %"));
  EXPECT_THAT(result.out, HasSubstr("column velocity\n"));
  EXPECT_EQ(RunAshlar({"lines", "--hot", "a", "a:i32", "b:tag"}).status, 0)
      << "components may stand behind the flag";
  EXPECT_EQ(RunAshlar({"lines", "b:tag"}).status, 0);
}

TEST(LinesCommand, RefusesWhatCannotBe) {
  ExpectUsageError({"lines"}, "at least one component");
  ExpectUsageError({"lines", "health"}, "name:type");
  ExpectUsageError({"lines", "a:i32", "a:i32"}, "named twice");
  ExpectUsageError({"lines", "a:i32", "--hot", "b"}, "--hot: 'b' is none of the components");
  ExpectUsageError({"lines", "a:i32", "--hot", "a,a"}, "--hot: 'a' is named twice");
  ExpectUsageError({"lines", "a:i32", "--entities", "0"}, "--entities");
  ExpectUsageError({"lines", "a:i32", "--entities", "x"}, "'x' is not a whole number");
  ExpectUsageError({"lines", "a:i32", "--hot"}, "--hot");
}

}  // namespace
}  // namespace ashlar::cli
