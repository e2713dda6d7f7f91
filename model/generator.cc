// Which operation comes next: weights that swing. What it is about: operation_drawer.h.

#include "model/generator.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "ashlar/core/check.h"
#include "model/lockstep_schema.h"
#include "model/operation_drawer.h"
#include "model/sample_components.h"

namespace ashlar::model {
namespace {

using oplang::OpCode;

std::uint32_t& WeightOf(Weights& weights, OpCode code) {
  return weights[static_cast<std::size_t>(code)];
}

bool IsStructural(OpCode code) {
  switch (code) {
    case OpCode::kCreate:
    case OpCode::kDestroy:
    case OpCode::kAdd:
    case OpCode::kRemove:
    case OpCode::kExchange:
    case OpCode::kQuery:
    case OpCode::kPlaceGeneration:
      return true;
    default:
      return false;
  }
}

bool NamesEntity(OpCode code) {
  switch (code) {
    case OpCode::kDestroy:
    case OpCode::kAdd:
    case OpCode::kRemove:
    case OpCode::kExchange:
    case OpCode::kSet:
    case OpCode::kPut:
    case OpCode::kGet:
    case OpCode::kHas:
    case OpCode::kSetField:
    case OpCode::kPlaceGeneration:
      return true;
    default:
      return false;
  }
}

bool NamesQuery(OpCode code) {
  return code == OpCode::kIterate || code == OpCode::kFill || code == OpCode::kOpenScope;
}

// Weights that change in the course of a program: it grows for a while, shrinks for a while, or
// does neither. REASON
class Tides {
 public:
  Tides(const Weights& weights, const Profile& profile, Random* random)
      : weights_(weights), profile_(profile), random_(*random) {}

  // The weights for the next operation.
  const Weights& Next();

 private:
  static constexpr std::uint32_t kTilt = 8;

  const Weights& weights_;
  const Profile& profile_;
  Random& random_;
  Weights tilted_{};
  std::uint64_t left_ = 0;
};

const Weights& Tides::Next() {
  if (left_ > 0) {
    --left_;
    return tilted_;
  }
  const bool is_first = tilted_ == Weights{};
  left_ = 8 + random_.Below(profile_.operation_count / 4 + 8);
  tilted_ = weights_;
  std::uint32_t& create = WeightOf(tilted_, OpCode::kCreate);
  std::uint32_t& destroy = WeightOf(tilted_, OpCode::kDestroy);
  if (is_first && profile_.live_rows_max > 64) {
    create *= kTilt;
    left_ = profile_.operation_count / 2;
    return tilted_;
  }
  switch (random_.Below(3)) {
    case 0:
      create *= kTilt;
      break;
    case 1:
      destroy *= kTilt;
      break;
    default:
      break;
  }
  return tilted_;
}

OpCode DrawWeighted(const Weights& weights, Random* random) {
  std::uint64_t sum = 0;
  for (std::uint32_t weight : weights) sum += weight;
  std::uint64_t at = random->Below(sum);
  std::size_t code = 0;
  while (at >= weights[code]) at -= weights[code++];
  return static_cast<OpCode>(code);
}

// What the draw leans on: the state that the program has reached.
class CodeDrawer {
 public:
  CodeDrawer(const Profile& profile, const OperationDrawer& drawer, Random* random)
      : profile_(profile), drawer_(drawer), random_(*random) {}

  OpCode Draw(const Weights& weights);

 private:
  const Profile& profile_;
  const OperationDrawer& drawer_;
  Random& random_;
};

OpCode CodeDrawer::Draw(const Weights& weights) {
  const std::size_t live = drawer_.world().entities().size();
  const std::uint32_t depth = drawer_.world().scope_depth();
  OpCode code = DrawWeighted(weights, &random_);
  if (depth > 0) {
    if (random_.Chance(1, 4)) return OpCode::kCloseScope;
    if (IsStructural(code) && random_.Chance(1, 2)) code = DrawWeighted(weights, &random_);
    if (code == OpCode::kOpenScope && depth >= 3) return OpCode::kCloseScope;
  } else if (code == OpCode::kCloseScope && random_.Chance(7, 8)) {
    code = DrawWeighted(weights, &random_);
  }
  if (live == 0 && NamesEntity(code) && random_.Chance(7, 8)) code = OpCode::kCreate;
  if (!drawer_.has_query() && NamesQuery(code) && random_.Chance(7, 8)) code = OpCode::kQuery;
  if (code == OpCode::kCreate && live >= profile_.live_rows_max) code = OpCode::kDestroy;
  return code;
}

}  // namespace

std::uint64_t Random::Next() {
  state_ += 0x9E3779B97F4A7C15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// The first 2^64 mod bound numbers are drawn again, so that the rest divides evenly.
std::uint64_t Random::Below(std::uint64_t bound) {
  ASHLAR_CHECK(bound > 0);
  const std::uint64_t uneven = (0 - bound) % bound;
  std::uint64_t drawn = Next();
  while (drawn < uneven) drawn = Next();
  return drawn % bound;
}

bool Random::Chance(std::uint32_t numerator, std::uint32_t denominator) {
  return Below(denominator) < numerator;
}

Weights SwarmWeights(Random* random) {
  Weights weights{};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (random->Chance(5, 8)) weights[i] = 1u << random->Below(6);
  }
  WeightOf(weights, OpCode::kNop) = random->Chance(1, 4) ? 1 : 0;
  WeightOf(weights, OpCode::kExpect) = 0;
  std::uint32_t sum = 0;
  for (std::uint32_t weight : weights) sum += weight;
  std::uint32_t& create = WeightOf(weights, OpCode::kCreate);
  create = std::max({create, 1u, sum >> random->Below(5)});
  // What needs a query is refused without one.
  std::uint32_t& query = WeightOf(weights, OpCode::kQuery);
  if (query == 0 && random->Chance(7, 8)) query = 1;
  return weights;
}

Profile SwarmProfile(Random* random) {
  static constexpr std::uint32_t kRowsPerChunk[] = {1, 2, 4, 0};
  Profile profile;
  profile.operation_count = static_cast<std::uint32_t>(16 + random->Below(240));
  profile.live_rows_max = static_cast<std::uint32_t>(4 + random->Below(61));
  profile.options.rows_per_chunk_max = kRowsPerChunk[random->Below(4)];
  profile.options.chunk_size_bytes = random->Chance(1, 8) ? 4096u << random->Below(5) : 4096u;
  if (random->Chance(1, 6)) profile.options.entity_index_limit = 1 + random->Below(24);
  if (random->Chance(1, 50)) {
    profile.operation_count = static_cast<std::uint32_t>(400 + random->Below(600));
    profile.live_rows_max = static_cast<std::uint32_t>(130 + random->Below(270));
    profile.options = {};
  }
  // Some more names than rows: a create then finds a name that is free.
  profile.label_count = profile.live_rows_max + profile.live_rows_max / 4 + 2;
  return profile;
}

oplang::Program Generate(std::span<const oplang::ComponentDeclaration> components,
                         const Profile& profile, const Weights& weights, Random* random) {
  const auto schema = SchemaOf(components);
  ASHLAR_CHECK(schema.ok());
  OperationDrawer drawer(components, **schema, profile, weights, random);
  CodeDrawer codes(profile, drawer, random);
  Tides tides(weights, profile, random);
  oplang::Program program;
  program.options = profile.options;
  program.components.assign(components.begin(), components.end());
  program.operations.reserve(profile.operation_count);
  for (std::uint32_t i = 0; i < profile.operation_count; ++i) {
    oplang::Operation operation;
    operation.action = drawer.Draw(codes.Draw(tides.Next()));
    program.operations.push_back(std::move(operation));
  }
  return program;
}

oplang::Program GenerateFromSeed(std::uint64_t seed) {
  Random random(seed);
  const Profile profile = SwarmProfile(&random);
  const Weights weights = SwarmWeights(&random);
  return Generate(SampleComponents(), profile, weights, &random);
}

}  // namespace ashlar::model
