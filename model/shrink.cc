// Shrinking: every step makes the program smaller in one way, asks whether it still fails, and
// takes the step back if it does not. Steps change the program in place, because copying a thousand
// operations for each of some thousand questions would take longer than the questions.

#include "model/shrink.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "model/operation_parts.h"

namespace ashlar::model {
namespace {

using Clock = std::chrono::steady_clock;
using oplang::ComponentArg;
using oplang::ComponentRef;

Scalar ZeroLike(const Scalar& scalar) {
  switch (scalar.kind) {
    case Scalar::Kind::kF32:
      return Scalar::F32(0.0f);
    case Scalar::Kind::kF64:
      return Scalar::F64(0.0);
    case Scalar::Kind::kBool:
      return Scalar::Bool(false);
    case Scalar::Kind::kEntity:
    case Scalar::Kind::kLabel:
      return Scalar::EntityValue(Entity());
    case Scalar::Kind::kInt:
    case Scalar::Kind::kUint:
      break;
  }
  return Scalar::Int(0);
}

// Simpler scalars than this one, simplest first. Following them always ends: zero is simplest, then
// one, then numbers nearer to zero, then numbers without a fraction.
std::vector<Scalar> SimplerThan(const Scalar& scalar) {
  const Scalar zero = ZeroLike(scalar);
  if (scalar == zero) return {};
  switch (scalar.kind) {
    case Scalar::Kind::kInt: {
      const auto value = static_cast<std::int64_t>(scalar.bits);
      if (value == 1) return {zero};
      return {zero, Scalar::Int(1), Scalar::Int(value / 2)};
    }
    case Scalar::Kind::kUint:
      return {zero, Scalar::Int(1), Scalar::Uint(scalar.bits / 2)};
    case Scalar::Kind::kF32: {
      const float value = std::bit_cast<float>(static_cast<std::uint32_t>(scalar.bits));
      if (value == 1.0f) return {zero};
      return {zero, Scalar::F32(1.0f), Scalar::F32(std::trunc(value))};
    }
    case Scalar::Kind::kF64: {
      const double value = std::bit_cast<double>(scalar.bits);
      if (value == 1.0) return {zero};
      return {zero, Scalar::F64(1.0), Scalar::F64(std::trunc(value))};
    }
    case Scalar::Kind::kBool:
    case Scalar::Kind::kEntity:
    case Scalar::Kind::kLabel:
      break;
  }
  return {zero};
}

// Calls `visit` on every number of a component that the operation says.
template <typename Visit>
void VisitComponentRefs(oplang::Action& action, Visit visit) {
  VisitParts(action, Overloaded{
                         [&](std::vector<ComponentArg>& args) {
                           for (ComponentArg& arg : args) visit(arg.component);
                         },
                         [&](std::vector<ComponentRef>& refs) {
                           for (ComponentRef& ref : refs) visit(ref);
                         },
                         [&](std::vector<oplang::QueryTerm>& terms) {
                           for (oplang::QueryTerm& term : terms) visit(term.component);
                         },
                         [&](ComponentArg& arg) { visit(arg.component); },
                         [&](ComponentRef& ref) { visit(ref); },
                         [](std::vector<oplang::EntityRef>&) {},
                         [](Scalar&) {},
                         [](std::uint32_t&) {},
                         [](std::uint64_t&) {},
                         [](FloatBits) {},
                         [](Ordinal) {},
                         [](CommandBufferNumber) {},
                         [](bool&) {},
                         [](oplang::HookReaction&) {},
                     });
}

class Shrinker {
 public:
  Shrinker(const oplang::Program& program, const StillFails& still_fails,
           const ShrinkOptions& options)
      : program_(program), still_fails_(still_fails), end_(Clock::now() + options.time_limit) {}

  ShrinkResult Run();

 private:
  // Whether the program as it stands now fails. Time out: no, so that the last step is taken back.
  bool Fails();

  // Puts `simpler` in the place of a part of the program if the program then still fails.
  template <typename Part>
  bool Replace(Part& part, Part simpler);

  // Takes the runs out of a list that the failure does not need; see below.
  template <typename Element>
  bool CutRuns(std::vector<Element>& list);

  bool ShortenLists();
  bool SimplifyValues();
  bool SimplifyScalar(Scalar& scalar);
  bool SimplifyOrdinal(std::uint32_t& ordinal);
  bool Halve(std::uint64_t& number);
  bool SimplifyValue(std::vector<Scalar>& value);
  bool MakeOptionsPlain();
  bool MakeComponentsPlain();
  bool DropUnusedComponents();

  oplang::Program program_;  // The smallest that fails so far; inside a step, the candidate.
  const StillFails& still_fails_;
  const Clock::time_point end_;
  std::uint64_t tries_ = 0;
  bool out_of_time_ = false;
};

// A part may become smaller only when another has (a list, when the operation that needed it is
// gone), so all steps are repeated until none of them finds anything. Then the last cut of
// operations has found every single one to be needed, and nothing has changed since.
ShrinkResult Shrinker::Run() {
  bool changed = true;
  while (changed && !out_of_time_) {
    changed = CutRuns(program_.operations);
    changed |= ShortenLists();
    changed |= SimplifyValues();
    changed |= MakeOptionsPlain();
    changed |= MakeComponentsPlain();
    changed |= DropUnusedComponents();
  }
  return {std::move(program_), tries_, !out_of_time_};
}

bool Shrinker::Fails() {
  out_of_time_ = out_of_time_ || Clock::now() >= end_;
  if (out_of_time_) return false;
  ++tries_;
  return still_fails_(program_);
}

template <typename Part>
bool Shrinker::Replace(Part& part, Part simpler) {
  if (part == simpler) return false;
  std::swap(part, simpler);
  if (Fails()) return true;
  std::swap(part, simpler);
  return false;
}

// The complement half of ddmin: runs of half the list, a quarter, ... one. From the back, because
// later operations lean on earlier ones and not the other way round: what made an early one needed
// is then gone before its own turn comes. Single elements are tried until a whole round finds none.
template <typename Element>
bool Shrinker::CutRuns(std::vector<Element>& list) {
  bool changed = false;
  for (std::size_t length = list.size(); length > 0;) {
    bool cut = false;
    for (std::size_t end = list.size(); end > 0 && !out_of_time_;) {
      const std::size_t first = end > length ? end - length : 0;
      const auto from = list.begin() + static_cast<std::ptrdiff_t>(first);
      const auto to = list.begin() + static_cast<std::ptrdiff_t>(end);
      std::vector<Element> run(std::make_move_iterator(from), std::make_move_iterator(to));
      const auto at = list.erase(from, to);
      if (Fails()) {
        cut = true;
      } else {
        list.insert(at, std::make_move_iterator(run.begin()), std::make_move_iterator(run.end()));
      }
      end = first;
    }
    changed = changed || cut;
    if (length > 1) {
      length = (length + 1) / 2;
    } else if (!cut) {
      break;
    }
  }
  return changed;
}

bool Shrinker::ShortenLists() {
  bool changed = false;
  for (oplang::Operation& operation : program_.operations) {
    VisitParts(operation.action,
               Overloaded{
                   [&]<typename Element>(std::vector<Element>& list) { changed |= CutRuns(list); },
                   [](auto&&) {},
               });
  }
  return changed;
}

bool Shrinker::SimplifyValues() {
  bool changed = false;
  // The first of these that still fails, unless the number is as simple already.
  const auto simplify_number = [&](std::uint32_t& number, std::uint32_t zero, std::uint32_t one) {
    if (number == zero) return;
    changed |= Replace(number, zero) || Replace(number, one);
  };
  for (oplang::Operation& operation : program_.operations) {
    VisitParts(
        operation.action,
        Overloaded{
            [&](std::vector<ComponentArg>& args) {
              for (ComponentArg& arg : args) changed |= SimplifyValue(arg.value);
            },
            [&](ComponentArg& arg) { changed |= SimplifyValue(arg.value); },
            [&](Scalar& scalar) { changed |= SimplifyScalar(scalar); },
            [&](std::uint32_t& number) { simplify_number(number, 0, 1); },
            [&](std::uint64_t& number) { changed |= Halve(number); },
            [&](Ordinal ordinal) { changed |= SimplifyOrdinal(ordinal.number); },
            [&](std::vector<oplang::QueryTerm>& terms) {
              for (oplang::QueryTerm& term : terms) changed |= Replace(term.with_disabled, false);
            },
            [&](CommandBufferNumber buffer) { changed |= Replace(buffer.number, std::uint8_t{0}); },
            [&](bool& flag) { changed |= Replace(flag, false); },
            [&](oplang::HookReaction& reaction) {
              changed |= Replace(reaction, oplang::HookReaction::kNone);
            },
            [&](FloatBits dt) { simplify_number(dt.bits, 0, std::bit_cast<std::uint32_t>(1.0f)); },
            [](auto&&) {},
        });
  }
  return changed;
}

// Nearer to the first, which it never passes.
bool Shrinker::SimplifyOrdinal(std::uint32_t& ordinal) {
  bool changed = false;
  while (ordinal > 1 &&
         (Replace(ordinal, 1u) || Replace(ordinal, ordinal / 2) || Replace(ordinal, ordinal - 1))) {
    changed = true;
  }
  return changed;
}

// Zero, or halved as often as may be.
bool Shrinker::Halve(std::uint64_t& number) {
  bool changed = false;
  while (number != 0 && (Replace(number, std::uint64_t{0}) || Replace(number, number / 2))) {
    changed = true;
  }
  return changed;
}

bool Shrinker::SimplifyScalar(Scalar& scalar) {
  bool changed = false;
  for (bool found = true; found;) {
    const std::vector<Scalar> simpler = SimplerThan(scalar);
    found = std::ranges::any_of(simpler, [&](const Scalar& s) { return Replace(scalar, s); });
    changed = changed || found;
  }
  return changed;
}

// No value at all; else zeros in ever shorter runs, so that of 325 scalars the two that matter are
// found in some twenty tries; then what is left, scalar by scalar.
bool Shrinker::SimplifyValue(std::vector<Scalar>& value) {
  if (Replace(value, {})) return true;
  bool changed = false;
  for (std::size_t length = value.size(); length > 1; length = (length + 1) / 2) {
    for (std::size_t first = 0; first < value.size(); first += length) {
      std::vector<Scalar> zeroed = value;
      const std::size_t end = std::min(first + length, value.size());
      std::transform(value.begin() + static_cast<std::ptrdiff_t>(first),
                     value.begin() + static_cast<std::ptrdiff_t>(end),
                     zeroed.begin() + static_cast<std::ptrdiff_t>(first), ZeroLike);
      changed |= Replace(value, std::move(zeroed));
    }
  }
  for (Scalar& scalar : value) changed |= SimplifyScalar(scalar);
  return changed;
}

bool Shrinker::MakeComponentsPlain() {
  bool changed = false;
  for (oplang::ComponentDeclaration& component : program_.components) {
    changed |= Replace(component.ownership, oplang::Ownership::kPlain);
    changed |= Replace(component.is_enableable, false);
    changed |= Replace(component.is_split, false);
  }
  return changed;
}

bool Shrinker::MakeOptionsPlain() {
  const oplang::Options plain;
  oplang::Options& options = program_.options;
  if (Replace(options, plain)) return true;
  bool changed = Replace(options.chunk_size_bytes, plain.chunk_size_bytes);
  changed |= Replace(options.rows_per_chunk_max, plain.rows_per_chunk_max);
  changed |= Replace(options.entity_index_limit, plain.entity_index_limit);
  return changed;
}

// The components behind a dropped one move up, and every number with them; a number past the end
// stays past the end. Whether something leans on a component by name (movement does) is for the
// predicate to say.
bool Shrinker::DropUnusedComponents() {
  std::vector<bool> used(program_.components.size(), false);
  for (oplang::Operation& operation : program_.operations) {
    VisitComponentRefs(operation.action, [&](ComponentRef& ref) {
      if (ref < used.size()) used[ref] = true;
    });
  }
  bool changed = false;
  for (std::size_t i = used.size(); i-- > 0;) {
    if (used[i]) continue;
    oplang::Program without = program_;
    without.components.erase(without.components.begin() + static_cast<std::ptrdiff_t>(i));
    for (oplang::Operation& operation : without.operations) {
      VisitComponentRefs(operation.action, [i](ComponentRef& ref) {
        if (ref > i) --ref;
      });
    }
    changed |= Replace(program_, std::move(without));
  }
  return changed;
}

}  // namespace

ShrinkResult Shrink(const oplang::Program& program, const StillFails& still_fails,
                    const ShrinkOptions& options) {
  return Shrinker(program, still_fails, options).Run();
}

}  // namespace ashlar::model
