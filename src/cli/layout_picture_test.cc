#include "cli/layout_picture.h"

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "cli/layout_svg.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ChunkPlan Plan(const std::vector<std::string>& arguments, std::uint32_t chunk_bytes = 4096,
               std::uint32_t rows_max = 0) {
  std::vector<ComponentDescriptor> components;
  for (const std::string& argument : arguments) {
    components.push_back(ParseComponentArgument(argument).value());
  }
  return MakeChunkPlan(components, chunk_bytes, rows_max).value();
}

const std::vector<std::string> kMoving = {"position:f32x3", "velocity:f32x3"};

TEST(LayoutMap, ShowsEveryCellOfTheChunk) {
  const std::string map = LayoutMap(Plan(kMoving), false);
  EXPECT_EQ(map,
            "         +0              +256            +512            +768\n"
            "      0  ####eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee\n"
            "   1024  e...PPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPP\n"
            "   2048  PPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVV\n"
            "   3072  VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVV....\n"
            "\n"
            "         one cell = 16 bytes   # header   e entity   P position\n"
            "         V velocity   . lost\n");
}

TEST(LayoutMap, ColourChangesNothingButColour) {
  const ChunkPlan plan = Plan(kMoving, 65536);
  const std::string coloured = LayoutMap(plan, true);
  EXPECT_THAT(coloured, HasSubstr("\x1b[38;5;16;48;5;"));
  std::string cells = coloured.substr(0, coloured.find("\n\n"));
  cells = std::regex_replace(cells, std::regex("\x1b\\[[0-9;]*m"), "");
  const std::string plain = LayoutMap(plan, false);
  EXPECT_EQ(cells, plain.substr(0, plain.find("\n\n")));
}

TEST(LayoutMap, LargeChunksHaveLargerCells) {
  EXPECT_EQ(MapCellBytes(Plan(kMoving, 4096)), 16u);
  EXPECT_EQ(MapCellBytes(Plan(kMoving, 16384)), 16u);
  EXPECT_EQ(MapCellBytes(Plan(kMoving, 32768)), 32u);
  EXPECT_EQ(MapCellBytes(Plan(kMoving, 65536)), 64u);
  const std::string map = LayoutMap(Plan(kMoving, 65536), false);
  EXPECT_EQ(std::count(map.begin(), map.end(), '\n'), 1 + 16 + 1 + 2);
}

TEST(PartLetters, AreOfTheNameAndDifferent) {
  // # e lost? P ...: the second p-name takes its next free letter.
  const std::string letters = PartLetters(Plan({"pose:i64", "port:i64", "p:i64", "_:i64"}));
  EXPECT_EQ(std::count(letters.begin(), letters.end(), 'P'), 1);
  EXPECT_EQ(std::count(letters.begin(), letters.end(), 'O'), 1);
  EXPECT_EQ(std::count(letters.begin(), letters.end(), 'A'), 1);  // p: its only letter is taken.
  EXPECT_EQ(std::count(letters.begin(), letters.end(), 'B'), 1);  // _ is no letter.
  EXPECT_EQ(letters.substr(0, 2), "#e");
}

TEST(PartLetters, ManyColumnsShareALetterAtLast) {
  std::vector<std::string> many;
  for (int i = 0; i < 90; ++i) many.push_back("c" + std::to_string(i) + ":u8");
  const ChunkPlan plan = Plan(many, 65536);
  EXPECT_EQ(PartLetters(plan).size(), plan.parts.size());
  EXPECT_THAT(PartLetters(plan), HasSubstr("?"));
}

TEST(LayoutTable, SaysWhereTheBytesGo) {
  const std::string table = LayoutTable(Plan({"position:f32x3", "velocity:f32x3", "health:i32"}));
  EXPECT_THAT(table, HasSubstr("112 rows of 36 bytes"));
  EXPECT_THAT(table, HasSubstr("health     i32         4      4    3648    4096     448       0"));
  EXPECT_THAT(table, Not(HasSubstr("tags")));
  const std::string capped = LayoutTable(Plan({"health:i32", "disabled:tag"}, 4096, 4));
  EXPECT_THAT(capped, HasSubstr("4 rows of 12 bytes, capped by --rows-max 4"));
  EXPECT_THAT(capped, HasSubstr("disabled (no bytes)"));
}

// Every element is closed, in the right order, and no text has a bare < or &.
void ExpectWellFormed(const std::string& svg) {
  std::vector<std::string> open;
  const std::regex tag("<(/?)([a-zA-Z]+)((?:\\s+[a-zA-Z:]+=\"[^\"<]*\")*)\\s*(/?)>");
  std::size_t end = 0;
  for (std::sregex_iterator it(svg.begin(), svg.end(), tag), last; it != last; ++it) {
    const auto between = svg.substr(end, static_cast<std::size_t>(it->position()) - end);
    EXPECT_THAT(between, Not(HasSubstr("<")));
    end = static_cast<std::size_t>(it->position() + it->length());
    if ((*it)[1].length() != 0) {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(open.back(), (*it)[2].str());
      open.pop_back();
    } else if ((*it)[4].length() == 0) {
      open.push_back((*it)[2].str());
    }
  }
  EXPECT_TRUE(open.empty());
  EXPECT_EQ(svg.substr(end), "\n");
  EXPECT_FALSE(std::regex_search(svg, std::regex("&(?!amp;|lt;|gt;|quot;)")));
}

TEST(LayoutSvg, IsWellFormedAndSelfContained) {
  for (const std::uint32_t bytes : {4096u, 8192u, 65536u}) {
    const std::string svg =
        LayoutSvg(Plan({"position:f32x3", "speed:f32 in [0,1] finite", "on:tag"}, bytes));
    ExpectWellFormed(svg);
    EXPECT_THAT(svg, Not(HasSubstr("href")));
    EXPECT_THAT(svg, Not(HasSubstr("<script")));
    EXPECT_THAT(svg, Not(HasSubstr("@import")));
  }
}

TEST(LayoutSvg, NamesEveryPartWithItsRange) {
  const std::string svg = LayoutSvg(Plan(kMoving));
  EXPECT_THAT(svg, HasSubstr("122 rows of 32 bytes in a chunk of 4,096 bytes"));
  EXPECT_THAT(svg, HasSubstr("<title>position f32[3] [1088, 2552)</title>"));
  EXPECT_THAT(svg, HasSubstr("<title>velocity f32[3] [2560, 4024)</title>"));
  EXPECT_THAT(svg, HasSubstr("<title>lost [1040, 1088)</title>"));
}

TEST(LayoutSvg, AreasAddUpToTheChunk) {
  // Parts are drawn to scale: 512 bytes are 1024 pixels wide in a small chunk.
  const std::string svg = LayoutSvg(Plan(kMoving));
  const std::regex stretch("width=\"([0-9.]+)\" height=\"40\" fill=\"[^\"]*\"><title>");
  double width = 0;
  for (std::sregex_iterator it(svg.begin(), svg.end(), stretch), last; it != last; ++it) {
    width += std::stod((*it)[1].str());
  }
  EXPECT_NEAR(width, 4096 * 2.0, 0.5);
}

}  // namespace
}  // namespace ashlar::cli
