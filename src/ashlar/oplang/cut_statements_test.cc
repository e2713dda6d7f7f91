// Statements that end too early, or break off in the middle of a word: each is either a statement
// of its own or an error that names its place; and what is read prints as itself.
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "ashlar/oplang/trace_text.h"
#include "gtest/gtest.h"

namespace ashlar::oplang {
namespace {

constexpr char kDeclarations[] =
    "component position f32[3]\n"
    "component health i32 in [0,100] enableable\n"
    "component disabled tag\n";

// One of every operation and of every form of operand.
const std::vector<std::string>& Statements() {
  static const auto& statements = *new std::vector<std::string>{
      "nop",
      "create e1 position=(1,2,3) health=80",
      "create_many e1 3 health=80",
      "destroy e1",
      "destroy_all",
      "add e1 health=80 disabled",
      "set e1 position=[f32:-1.5,f64:0.1,int:2]",
      "put e1 health=80",
      "remove e1 health disabled",
      "exchange e1 remove health add disabled",
      "get e1 health",
      "has e1 health",
      "setfield e1 position.#1=2.5",
      "setfield e1 health=[int:5]",
      "query q1 all(position, health with_disabled) any(disabled) none(health)",
      "iterate q1",
      "fill q1 health=3",
      "flip q1 health",
      "open q1",
      "close",
      "move dt=0.5",
      "place_generation e1 7",
      "place_index 9",
      "place_version 9",
      "fail_allocation 3 sticky",
      "fail_construction 3",
      "trim",
      "dangling",
      "mark",
      "changed q1 health",
      "added q1 health",
      "enable e1 health",
      "disable e1 health",
      "enabled e1 health",
      "record create e1 health=80",
      "record destroy e1",
      "record add q1 health=80",
      "record exchange e1 remove health add disabled",
      "record remove q1 health",
      "apply skip_dead",
      "discard",
      "by_query add q1 health=80",
      "by_query remove q1 health disabled",
      "by_query destroy q1",
      "many add e1 e2 : health=80",
      "many remove e1 e2 : health",
      "many destroy e1 e2",
      "expect e1 only health=80 disabled",
      "expect live 3",
  };
  return statements;
}

// The error's place, or that what was read is written and read as the same.
void ExpectWholeOrRefused(const std::string& statement) {
  const auto program = ParseTrace(absl::StrCat(kDeclarations, statement, "\n"), "cut");
  if (!program.ok()) {
    EXPECT_EQ(program.status().code(), absl::StatusCode::kDataLoss) << statement;
    EXPECT_TRUE(absl::StrContains(program.status().message(), "cut:4:"))
        << statement << ": " << program.status();
    return;
  }
  const auto again = ParseTrace(PrintTrace(*program), "again");
  ASSERT_TRUE(again.ok()) << statement << ": " << again.status();
  EXPECT_EQ(*again, *program) << statement;
}

TEST(CutStatements, WholeOnesAreRead) {
  for (const std::string& statement : Statements()) {
    const auto program = ParseTrace(absl::StrCat(kDeclarations, statement, "\n"), "whole");
    EXPECT_TRUE(program.ok()) << statement << ": " << program.status();
  }
}

TEST(CutStatements, EndAnywhere) {
  for (const std::string& statement : Statements()) {
    for (std::size_t length = 0; length < statement.size(); ++length) {
      ExpectWholeOrRefused(statement.substr(0, length));
    }
  }
}

TEST(CutStatements, WithOneCharacterThatDoesNotBelong) {
  for (const std::string& statement : Statements()) {
    for (std::size_t at = 0; at < statement.size(); ++at) {
      for (const char wrong : {'?', ' ', ']', '9'}) {
        std::string changed = statement;
        changed[at] = wrong;
        ExpectWholeOrRefused(changed);
        ExpectWholeOrRefused(statement.substr(0, at) + wrong + statement.substr(at));
      }
    }
  }
}

TEST(CutStatements, WithOneWordLeftOut) {
  for (const std::string& statement : Statements()) {
    for (std::size_t at = statement.find(' '); at != std::string::npos;
         at = statement.find(' ', at + 1)) {
      const std::size_t end = statement.find(' ', at + 1);
      ExpectWholeOrRefused(statement.substr(0, at) +
                           (end == std::string::npos ? "" : statement.substr(end)));
    }
  }
}

TEST(CutStatements, ScalarsThatAreNone) {
  for (const char* statement :
       {"setfield e1 position.#4294967296=1", "setfield e1 position.#=1",
        "setfield e1 position.w=1", "setfield e1 health=[int:5", "setfield e1 health=[int:5 ]",
        "setfield e1 health=[]", "setfield e1 #9.#0=1", "setfield e1 health"}) {
    const auto program = ParseTrace(absl::StrCat(kDeclarations, statement, "\n"), "cut");
    EXPECT_FALSE(program.ok()) << statement;
  }
}

}  // namespace
}  // namespace ashlar::oplang
