// Which operation comes next: weights that swing, and lean on the state that the program has
// reached. What the operation is about: operation_drawer.h.
//
// Each lean says what 20,000 programs from GenerateFromSeed (2.9 million operations, 389 of the
// programs large) reach with it and without it, all others being as they are.

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

// Of at most 32: what is armed changes how the next operation goes, so it takes one away. As many
// singletons are put: most programs need no more.
constexpr std::uint32_t kArmingWeightMax = 4;

// And of what is done to a world now and then.
constexpr std::uint32_t kRareWeightMax = 2;

bool IsOfCommands(OpCode code) {
  return code == OpCode::kRecord || code == OpCode::kApply || code == OpCode::kDiscard ||
         code == OpCode::kByQuery || code == OpCode::kMany;
}

bool IsOfTheWorld(OpCode code) {
  return code == OpCode::kSort || code == OpCode::kSortByEntity || code == OpCode::kRemoveSingle ||
         code == OpCode::kGetSingle || code == OpCode::kHook || code == OpCode::kUnhook;
}

bool IsRare(OpCode code) {
  return code == OpCode::kPlaceIndex || code == OpCode::kPlaceVersion || code == OpCode::kTrim ||
         code == OpCode::kDangling || code == OpCode::kMark || code == OpCode::kChanged ||
         code == OpCode::kAdded || code == OpCode::kDestroyAll || IsOfCommands(code) ||
         IsOfTheWorld(code);
}

std::size_t IndexOf(OpCode code) { return static_cast<std::size_t>(code); }

bool IsStructural(OpCode code) {
  switch (code) {
    case OpCode::kCreate:
    case OpCode::kCreateMany:
    case OpCode::kDestroy:
    case OpCode::kDestroyAll:
    case OpCode::kAdd:
    case OpCode::kRemove:
    case OpCode::kExchange:
    case OpCode::kQuery:
    case OpCode::kPlaceGeneration:
    case OpCode::kPlaceIndex:
    case OpCode::kPlaceVersion:
    case OpCode::kTrim:
    case OpCode::kMark:
    case OpCode::kApply:
    case OpCode::kByQuery:
    case OpCode::kMany:
    case OpCode::kSort:
    case OpCode::kSortByEntity:
    case OpCode::kHook:
    case OpCode::kUnhook:
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
    case OpCode::kEnable:
    case OpCode::kDisable:
    case OpCode::kIsEnabled:
    case OpCode::kMany:
      return true;
    default:
      return false;
  }
}

// What allocates or constructs, so that it can fail on its way.
bool CanFailOnItsWay(OpCode code) {
  switch (code) {
    case OpCode::kCreate:
    case OpCode::kCreateMany:
    case OpCode::kAdd:
    case OpCode::kRemove:
    case OpCode::kExchange:
    case OpCode::kSet:
    case OpCode::kPut:
    case OpCode::kQuery:
    case OpCode::kRecord:
    case OpCode::kApply:
    case OpCode::kByQuery:
    case OpCode::kMany:
    case OpCode::kSort:
    case OpCode::kSortByEntity:
    case OpCode::kPutSingle:
    case OpCode::kHook:
      return true;
    default:
      return false;
  }
}

bool NamesQuery(OpCode code) {
  return code == OpCode::kIterate || code == OpCode::kFill || code == OpCode::kOpenScope ||
         code == OpCode::kChanged || code == OpCode::kAdded || code == OpCode::kFlip ||
         code == OpCode::kByQuery || code == OpCode::kSort || code == OpCode::kSortByEntity;
}

// Draws the kinds of a program's operations, one after the other.
class CodeDrawer {
 public:
  CodeDrawer(const Weights& weights, const Profile& profile, const OperationDrawer& drawer,
             Random* random)
      : weights_(weights), profile_(profile), drawer_(drawer), random_(*random) {}

  OpCode Draw();

 private:
  // How much likelier creates are while the tide is rising, and destroys while it falls.
  static constexpr std::uint64_t kTilt = 8;

  std::uint64_t WeightNow(OpCode code) const;
  OpCode DrawWeighted();
  void TurnTide();
  OpCode DrawInScope(OpCode code, std::uint32_t depth);
  OpCode DrawArmed(OpCode code);

  const Weights& weights_;
  const Profile& profile_;
  const OperationDrawer& drawer_;
  Random& random_;
  std::uint64_t create_tilt_ = 1;
  std::uint64_t destroy_tilt_ = 1;
  std::uint64_t tide_left_ = 0;  // Operations until it turns.
  bool is_first_tide_ = true;
  bool is_armed_ = false;  // The operation before arms this one.
};

std::uint64_t CodeDrawer::WeightNow(OpCode code) const {
  const std::uint64_t weight = weights_[IndexOf(code)];
  if (code == OpCode::kCreate) return weight * create_tilt_;
  if (code == OpCode::kDestroy) return weight * destroy_tilt_;
  return code == OpCode::kExpect ? 0 : weight;
}

OpCode CodeDrawer::DrawWeighted() {
  std::uint64_t sum = 0;
  for (int i = 0; i < oplang::kOpCodeCount; ++i) sum += WeightNow(static_cast<OpCode>(i));
  if (sum == 0) return OpCode::kNop;
  std::uint64_t at = random_.Below(sum);
  int i = 0;
  while (at >= WeightNow(static_cast<OpCode>(i))) at -= WeightNow(static_cast<OpCode>(i++));
  return static_cast<OpCode>(i);
}

// A program grows for a while, shrinks for a while, or does neither. With weights that stay,
// creates and destroys take turns: a free list deeper than 16 was in none of the programs, now
// in 1.9 %; five rows of one signature in 58 %, now in 72 %.
//
// A large program begins by growing through half of it: more than 122 rows of one signature in 257
// of 389, without that in 158.
void CodeDrawer::TurnTide() {
  create_tilt_ = destroy_tilt_ = 1;
  tide_left_ = 8 + random_.Below(profile_.operation_count / 4 + 8);
  if (is_first_tide_ && profile_.live_rows_max > kSmallRowsMax) {
    create_tilt_ = kTilt;
    tide_left_ = profile_.operation_count / 2;
  } else if (random_.Chance(1, 3)) {
    create_tilt_ = kTilt;
  } else if (random_.Chance(1, 2)) {
    destroy_tilt_ = kTilt;
  }
  is_first_tide_ = false;
}

// Inside a scope structural operations are all refused alike, so scopes are kept short, shallow,
// and half of those operations are drawn again. 9 % of operations are inside a scope, and 5 % of
// creates refused for it; without this 31 % and 31 %.
OpCode CodeDrawer::DrawInScope(OpCode code, std::uint32_t depth) {
  if (random_.Chance(1, 4)) return OpCode::kCloseScope;
  if (IsStructural(code) && random_.Chance(1, 2)) code = DrawWeighted();
  return code == OpCode::kOpenScope && depth >= 3 ? OpCode::kCloseScope : code;
}

// What cannot fail takes away what is armed for it, so it is drawn again, up to three times: 19 %
// of the allocations that are armed fail; without this 13 %.
OpCode CodeDrawer::DrawArmed(OpCode code) {
  for (int i = 0; i < 3 && !CanFailOnItsWay(code); ++i) code = DrawWeighted();
  return code;
}

// What has nothing to work on would be refused for that alone, so mostly an entity or a query is
// made instead. 17 % of destroys name nothing alive and 13 % of iterates no query; without this 28
// % and 48 %.
OpCode CodeDrawer::Draw() {
  if (tide_left_ == 0) TurnTide();
  --tide_left_;
  const std::size_t live = drawer_.live_rows();
  const std::uint32_t depth = drawer_.world().scope_depth();
  OpCode code = DrawWeighted();
  if (is_armed_) code = DrawArmed(code);
  // What ends everything keeps a program small, so it is mostly drawn again.
  if (code == OpCode::kDestroyAll && depth == 0 && random_.Chance(7, 8)) code = DrawWeighted();
  if (depth > 0) {
    code = DrawInScope(code, depth);
  } else if (code == OpCode::kCloseScope && random_.Chance(7, 8)) {
    code = DrawWeighted();
  }
  const bool can_create = weights_[IndexOf(OpCode::kCreate)] > 0;
  const bool can_query = weights_[IndexOf(OpCode::kQuery)] > 0;
  if (live == 0 && can_create && NamesEntity(code) && random_.Chance(7, 8)) {
    code = OpCode::kCreate;
  }
  if (can_query && !drawer_.has_query() && NamesQuery(code) && random_.Chance(7, 8)) {
    code = OpCode::kQuery;
  }
  const bool creates = code == OpCode::kCreate || code == OpCode::kCreateMany;
  if (creates && live >= profile_.live_rows_max) code = OpCode::kDestroy;
  is_armed_ = oplang::IsArming(code);
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

// One program in so many is mostly about commands: the others apply one or two at a time. 2,431
// applies are of eight commands or more; without this one.
constexpr std::uint32_t kWithCommands = 6;

// `sum`: the weights of all that is on.
void LeanToCommands(std::uint32_t sum, Weights* weights, Random* random) {
  const std::uint32_t record = std::max(4u, sum >> random->Below(3));
  (*weights)[IndexOf(OpCode::kRecord)] = record;
  (*weights)[IndexOf(OpCode::kApply)] = std::max(1u, record >> (2 + random->Below(4)));
  (*weights)[IndexOf(OpCode::kDiscard)] = random->Chance(1, 4) ? 1 : 0;
  (*weights)[IndexOf(OpCode::kByQuery)] = record >> random->Below(5);
  (*weights)[IndexOf(OpCode::kMany)] = record >> random->Below(5);
}

// A program of which every weight is alike is a bit of everything: five rows of one signature were
// in 42 % of such programs, now in 72 %; more than 122 rows in 3 of the 389 large ones, now in 257.
// (With constant weights and without tides it is 4 % and none, at 2.7 live rows on average;
// now 27.)
Weights SwarmWeights(Random* random) {
  Weights weights{};
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    std::uint32_t& weight = weights[i];
    if (random->Chance(5, 8)) weight = 1u << random->Below(6);
    const bool is_put = static_cast<OpCode>(i) == OpCode::kPutSingle;
    if (is_put || oplang::IsArming(static_cast<OpCode>(i)))
      weight = std::min(weight, kArmingWeightMax);
    if (IsRare(static_cast<OpCode>(i))) weight = std::min(weight, kRareWeightMax);
    sum += weight;
  }
  weights[IndexOf(OpCode::kNop)] = random->Chance(1, 4) ? 1 : 0;
  weights[IndexOf(OpCode::kExpect)] = 0;
  // Creates make up between all and a sixteenth of the rest. With a weight as any other 38 % of
  // programs have five rows of one signature, not 72 %, and 12 rows live on average, not 27.
  std::uint32_t& create = weights[IndexOf(OpCode::kCreate)];
  create = std::max({create, 1u, sum >> random->Below(5)});
  if (random->Chance(1, kWithCommands)) LeanToCommands(sum, &weights, random);
  // Without queries three operations are refused always.
  std::uint32_t& query = weights[IndexOf(OpCode::kQuery)];
  if (query == 0 && random->Chance(7, 8)) query = 1;
  return weights;
}

Profile SwarmProfile(Random* random) {
  static constexpr std::uint32_t kRowsPerChunk[] = {1, 2, 4, 0};
  Profile profile;
  profile.operation_count = static_cast<std::uint32_t>(16 + random->Below(240));
  profile.live_rows_max = static_cast<std::uint32_t>(4 + random->Below(kSmallRowsMax - 3));
  profile.options.rows_per_chunk_max = kRowsPerChunk[random->Below(4)];
  // Layouts have tests of their own; here larger chunks only make room.
  if (random->Chance(1, 8)) profile.options.chunk_size_bytes = 4096u << random->Below(5);
  // So few that they run out: 9 % of creates find none. Nothing else reaches that.
  if (random->Chance(1, 6)) profile.options.entity_index_limit = 1 + random->Below(24);
  // 2 % are large, for real capacities; state is compared row by row, so they are slow.
  if (random->Chance(1, 50)) {
    profile.operation_count = static_cast<std::uint32_t>(400 + random->Below(600));
    profile.live_rows_max = static_cast<std::uint32_t>(130 + random->Below(270));
    profile.options = {};
  }
  // Some more names than rows: a create then finds one that is free.
  profile.label_count = profile.live_rows_max + profile.live_rows_max / 4 + 2;
  return profile;
}

oplang::Program Generate(std::span<const oplang::ComponentDeclaration> components,
                         const Profile& profile, const Weights& weights, Random* random) {
  const auto schema = SchemaOf(components);
  ASHLAR_CHECK(schema.ok());
  OperationDrawer drawer(components, (*schema)->ForModel(), profile, weights, random);
  CodeDrawer codes(weights, profile, drawer, random);
  oplang::Program program;
  program.options = profile.options;
  program.components.assign(components.begin(), components.end());
  program.operations.reserve(profile.operation_count);
  for (std::uint32_t i = 0; i < profile.operation_count; ++i) {
    oplang::Operation operation;
    operation.action = drawer.Draw(codes.Draw());
    program.operations.push_back(std::move(operation));
  }
  return program;
}

oplang::Program GenerateFromSeed(std::uint64_t seed) {
  Random random(seed);
  const Profile profile = SwarmProfile(&random);
  const Weights weights = SwarmWeights(&random);
  // In half of the programs some components are split, or all that can be.
  const auto samples = SampleComponents();
  std::vector<oplang::ComponentDeclaration> components(samples.begin(), samples.end());
  const bool some = random.Chance(1, 2);
  oplang::ApplySplit(static_cast<oplang::SplitPattern>(some ? 1 + random.Below(3) : 0), components);
  return Generate(components, profile, weights, &random);
}

}  // namespace ashlar::model
