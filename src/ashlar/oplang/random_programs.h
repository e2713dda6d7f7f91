// Random programs for the tests of this room: every operation, every kind of operand, sensible or
// not, but only what a trace can say (components that can be registered).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ashlar/oplang/operation.h"

namespace ashlar::inline v0::oplang {

// The type of that text. REQUIRES: it is one.
TypeSpec TypeOfText(std::string_view text);

// Everything follows from the seed.
class ProgramMaker {
 public:
  explicit ProgramMaker(std::uint64_t seed) : state_(seed) {}

  Program Make(std::size_t operation_count);

  std::uint64_t Next();
  std::uint64_t Below(std::uint64_t bound) { return Next() % bound; }
  bool Chance(std::uint64_t one_in) { return Below(one_in) == 0; }

 private:
  template <typename T>
  const T& Pick(const std::vector<T>& choices) {
    return choices[Below(choices.size())];
  }

  void MakeComponents();
  Action MakeAction();
  ExpectOp MakeExpect();
  QueryOp MakeQueryOp();
  RecordOp MakeRecord();
  Action MakeOfCommands();
  Action MakeOfLimits();
  Action MakeBare();
  Action MakeOfTheWorld();
  SetFieldOp MakeSetField();
  template <typename Op>
  Op WithChange(Op op);
  Expectation MakeExpectation();

  Label MakeLabel();
  EntityRef MakeEntity();
  QueryLabel MakeQuery();
  std::uint32_t MakeCount();
  ComponentRef MakeComponent();
  std::vector<ComponentRef> MakeComponents(std::size_t count_max);
  std::vector<EntityRef> MakeEntities();
  ComponentArg MakeArg();
  std::vector<ComponentArg> MakeArgs(std::size_t count_max);
  Scalar MakeScalar(ScalarType type);
  Scalar MakeAnyScalar();

  std::uint64_t state_;
  Program program_;
};

}  // namespace ashlar::inline v0::oplang
