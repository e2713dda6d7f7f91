// The parts of an operation that can be made smaller, for shrinking and renumbering.
#pragma once

#include <cstdint>
#include <variant>

#include "ashlar/oplang/operation.h"

namespace ashlar::model {

// Lambdas as one overload set.
template <typename... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <typename... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

// The bits of a float inside an operation.
struct FloatBits {
  std::uint32_t& bits;
};

// A number inside an operation that counts from 1.
struct Ordinal {
  std::uint32_t& number;
};

// Which of a program's command buffers an operation is about.
struct CommandBufferNumber {
  std::uint8_t& number;
};

// What a RecordOp, ByQueryOp or ManyOp takes off and gives.
template <typename Op, typename Visit>
void VisitChange(Op& op, Visit visit) {
  visit(op.removed);
  visit(op.values);
}

// Calls visit(part) for each list, component, value and number of the operation, in the order in
// which they are written. A part is one of
//   std::vector<oplang::ComponentArg>&, std::vector<oplang::ComponentRef>&,
//   std::vector<oplang::QueryTerm>&, std::vector<oplang::EntityRef>&,
//   oplang::ComponentArg&, oplang::ComponentRef&, Scalar&,
//   std::uint32_t& (a scalar's index, a generation), std::uint64_t& (an index, a version),
//   FloatBits (of dt), Ordinal, CommandBufferNumber, bool&, oplang::HookReaction&.
// Labels are not parts: they are names, and no name is smaller than another. One overload for each
// operation, so that a new one does not compile until its parts are told.
template <typename Visit>
void VisitParts(oplang::Action& action, Visit visit) {
  using namespace oplang;  // NOLINT(google-build-using-namespace): twenty names, here only.
  std::visit(Overloaded{
                 [](NopOp&) {},
                 [&](CreateOp& op) { visit(op.values); },
                 [&](CreateManyOp& op) {
                   visit(Ordinal{op.count});
                   visit(op.values);
                 },
                 [](DestroyAllOp&) {},
                 [](DestroyOp&) {},
                 [&](AddOp& op) { visit(op.values); },
                 [&](RemoveOp& op) { visit(op.components); },
                 [&](ExchangeOp& op) {
                   visit(op.removed);
                   visit(op.added);
                 },
                 [&](SetOp& op) { visit(op.values); },
                 [&](PutOp& op) { visit(op.values); },
                 [&](GetOp& op) { visit(op.component); },
                 [&](HasOp& op) { visit(op.component); },
                 [&](SetFieldOp& op) {
                   visit(op.component);
                   visit(op.scalar);
                   visit(op.value);
                 },
                 [&](QueryOp& op) { visit(op.terms); },
                 [](IterateOp&) {},
                 [&](FillOp& op) { visit(op.value); },
                 [](OpenScopeOp&) {},
                 [](CloseScopeOp&) {},
                 [&](MoveOp& op) { visit(FloatBits{op.dt_bits}); },
                 [&](PlaceGenerationOp& op) { visit(op.generation); },
                 [&](ExpectOp& op) {
                   visit(op.values);
                   visit(op.components);
                   visit(op.entities);
                 },
                 [&](FailAllocationOp& op) {
                   visit(Ordinal{op.nth});
                   visit(op.sticky);
                 },
                 [&](FailConstructionOp& op) { visit(Ordinal{op.nth}); },
                 [&](PlaceIndexOp& op) { visit(op.index); },
                 [&](PlaceVersionOp& op) { visit(op.version); },
                 [](TrimOp&) {},
                 [](DanglingOp&) {},
                 [](MarkOp&) {},
                 [&](ChangedOp& op) { visit(op.component); },
                 [&](AddedOp& op) { visit(op.component); },
                 [&](EnableOp& op) { visit(op.component); },
                 [&](DisableOp& op) { visit(op.component); },
                 [&](IsEnabledOp& op) { visit(op.component); },
                 [&](FlipOp& op) { visit(op.component); },
                 [&](RecordOp& op) {
                   VisitChange(op, visit);
                   visit(CommandBufferNumber{op.buffer});
                   visit(op.is_late);
                 },
                 [&](ApplyOp& op) { visit(op.skip_dead); },
                 [](DiscardOp&) {},
                 [&](ByQueryOp& op) { VisitChange(op, visit); },
                 [&](ManyOp& op) {
                   visit(op.entities);
                   VisitChange(op, visit);
                 },
                 [&](SortOp& op) { visit(op.component); },
                 [](SortByEntityOp&) {},
                 [&](PutSingleOp& op) { visit(op.value); },
                 [&](RemoveSingleOp& op) { visit(op.component); },
                 [&](GetSingleOp& op) { visit(op.component); },
                 [&](HookOp& op) {
                   visit(op.component);
                   visit(op.reaction);
                 },
                 [&](UnhookOp& op) { visit(op.component); },
             },
             action);
}

}  // namespace ashlar::model
