// Change versions, exactly: what an operation did to the rows and columns of each chunk, found by
// comparing them, against what their versions say.
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ashlar/oplang/trace_text.h"
#include "ashlar/world/world.h"
#include "model/generator.h"
#include "model/lockstep_runner.h"
#include "model/lockstep_schema.h"
#include "model/sample_components.h"
#include "props/property.h"

namespace ashlar::props {
namespace {

using oplang::OpCode;

struct ChunkState {
  std::uint64_t order = 0;
  std::uint64_t arrival = 0;
  std::vector<std::uint64_t> written;           // By column.
  std::vector<Entity> entities;                 // By row.
  std::vector<std::vector<std::byte>> columns;  // The bytes of all rows.
};
using ChunkKey = std::pair<std::uint32_t, std::uint32_t>;  // Archetype, chunk.
using WorldState = std::map<ChunkKey, ChunkState>;

WorldState StateOf(const World& world) {
  WorldState state;
  for (std::uint32_t id = 0; id < world.archetypes().size(); ++id) {
    const Archetype& archetype = world.archetypes()[ArchetypeId(id)];
    for (std::uint32_t i = 0; i < archetype.chunk_count(); ++i) {
      const ChunkIndex chunk(i);
      const std::byte* base = archetype.ChunkBase(chunk);
      const std::uint32_t rows = archetype.RowsInChunk(chunk);
      ChunkState& now = state[{id, i}];
      now.order = archetype.versions().order(chunk);
      now.arrival = archetype.versions().arrival(chunk);
      for (std::uint32_t row = 0; row < rows; ++row) {
        now.entities.push_back(archetype.EntityAt(chunk, RowIndex(row)));
      }
      for (const Column& column : archetype.columns()) {
        now.written.push_back(archetype.versions().written(chunk, column.place));
        now.columns.emplace_back(column.At(base, 0), column.At(base, rows));
      }
    }
  }
  return state;
}

// Whether a row lies where it did not before.
bool HasArrival(const ChunkState& before, const ChunkState& now) {
  for (std::size_t row = 0; row < now.entities.size(); ++row) {
    if (row >= before.entities.size() || before.entities[row] != now.entities[row]) return true;
  }
  return false;
}

// A batch puts its rows behind the last and then fills its holes from there: what came to a chunk
// and was gone again before the end counts as a change of it.
bool IsBatch(OpCode code) {
  return code == OpCode::kApply || code == OpCode::kByQuery || code == OpCode::kMany;
}

// What is wrong with the versions of one chunk; empty when nothing is.
std::string Fault(const ChunkState& before, const ChunkState& now, std::uint64_t version_before,
                  OpCode code) {
  const bool same_rows = before.entities == now.entities;
  const bool has_arrival = HasArrival(before, now);
  const bool is_exact = !IsBatch(code);
  if (before.order == now.order ? !same_rows : same_rows && is_exact) return "order";
  if (before.arrival == now.arrival ? has_arrival : !has_arrival && is_exact) return "arrival";
  if (now.arrival > version_before) return "";  // Every column counts as written.
  for (std::size_t column = 0; column < now.columns.size(); ++column) {
    const std::size_t kept = now.columns[column].size();
    const bool same_bytes = std::equal(
        now.columns[column].begin(), now.columns[column].end(), before.columns[column].begin(),
        before.columns[column].begin() + static_cast<std::ptrdiff_t>(kept));
    if (!same_bytes && now.written[column] <= version_before) return "column";
  }
  return "";
}

// The columns of one chunk that have got a higher version.
std::set<std::size_t> Written(const ChunkState& before, const ChunkState& now) {
  std::set<std::size_t> columns;
  for (std::size_t i = 0; i < now.written.size(); ++i) {
    if (now.written[i] != before.written[i]) columns.insert(i);
  }
  return columns;
}

// The places in their archetype of the columns that an operation in place names.
std::set<std::size_t> Named(const World& world, Entity entity,
                            const std::vector<oplang::ComponentArg>& values) {
  std::set<std::size_t> places;
  const Archetype& archetype = world.archetypes()[world.Locate(entity)->archetype];
  for (const oplang::ComponentArg& value : values) {
    const Column column = archetype.ColumnOf(ComponentId(value.component));
    if (column.begin_bytes != 0) places.insert(column.place);
  }
  return places;
}

// A world that runs one program, with its versions looked at after each operation.
std::string RunProgram(const oplang::Program& program, std::uint64_t* operations) {
  const auto schema = model::SchemaOf(program.components).value();
  WorldOptions options;
  options.chunk_size_bytes = program.options.chunk_size_bytes;
  options.rows_per_chunk_max = program.options.rows_per_chunk_max;
  if (program.options.entity_index_limit != 0) {
    options.entity_index_limit = program.options.entity_index_limit;
  }
  const auto world = World::Make(options).value();
  for (const ComponentDescriptor& descriptor : schema->stored()) {
    if (!world->Register(descriptor).ok()) return "a component is refused";
  }
  const QueryId all_rows = world->MakeQuery(QuerySpec()).value();
  model::Runner runner(program.options, schema.get(), world.get(), all_rows, {});
  WorldState before = StateOf(*world);
  for (const oplang::Operation& operation : program.operations) {
    const std::uint64_t version_before = world->version();
    const model::StepResult& result = runner.Run(operation.action);
    WorldState now = StateOf(*world);
    ++*operations;
    const auto fault = [&](const ChunkKey& key, const std::string& what) {
      return what + " of archetype " + std::to_string(key.first) + " chunk " +
             std::to_string(key.second) +
             " after: " + oplang::PrintAction(program, operation.action);
    };
    // The hook renames a row where it lies.
    const bool is_rename = CodeOf(operation.action) == OpCode::kPlaceGeneration;
    const auto* set = std::get_if<oplang::SetOp>(&operation.action);
    const bool is_set =
        set != nullptr && result.world.code == absl::StatusCode::kOk && set->entity.is_label;
    for (const auto& [key, chunk] : now) {
      const auto old = before.find(key);
      if (old == before.end()) {
        if (chunk.arrival <= version_before) return fault(key, "arrival of a new chunk");
        continue;
      }
      if (is_rename) continue;
      const std::string what = Fault(old->second, chunk, version_before, CodeOf(operation.action));
      if (!what.empty()) return fault(key, what);
      const std::set<std::size_t> written = Written(old->second, chunk);
      if (world->version() == version_before && !written.empty()) {
        return fault(key, "a column without a version");
      }
      if (!is_set) continue;
      const Entity entity = runner.bindings().Resolve(set->entity);
      const Location location = *world->Locate(entity);
      const bool is_here =
          location.archetype.value() == key.first && location.chunk.value() == key.second;
      const auto wanted = is_here ? Named(*world, entity, set->values) : std::set<std::size_t>();
      if (written != wanted) return fault(key, "the columns of a set");
    }
    before = std::move(now);
  }
  runner.CloseScopes();
  return "";
}

TEST(VersionProperty, VersionsSayWhatAnOperationDid) {
  std::uint64_t operations = 0;
  Holds("each chunk's versions rise exactly with its rows and columns", [&] {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    model::Random random(seed);
    model::Profile profile = model::SwarmProfile(&random);
    profile.options.rows_per_chunk_max = *rc::gen::element<std::uint32_t>(1, 2, 4);
    const oplang::Program program =
        model::Generate(model::SampleComponents(), profile, model::SwarmWeights(&random), &random);
    const std::string fault = RunProgram(program, &operations);
    if (!fault.empty()) RC_FAIL(fault + "\nseed: " + std::to_string(seed));
  });
  EXPECT_GE(operations, 5'000u);
  RecordProperty("operations_checked", std::to_string(operations));
}

}  // namespace
}  // namespace ashlar::props
