// The sample components, as the text that a trace would declare them with.

#include "model/sample_components.h"

#include <optional>
#include <string_view>
#include <vector>

#include "ashlar/core/check.h"
#include "ashlar/schema/field_type.h"

namespace ashlar::model {
namespace {

struct Sample {
  std::string_view name;
  std::string_view type;
  oplang::Ownership ownership = oplang::Ownership::kPlain;
  bool is_enableable = false;
};

constexpr bool kEnableable = true;

// Append only: a seed names components by their place.
constexpr Sample kSamples[] = {
    {"position", "f32[3]"},
    {"velocity", "f32[3]"},

    // Values that people write fit; the extremes of an i32 are refused by the rule, those of an i64
    // do not fit at all.
    {"health", "i32 in [-1000,1000000]"},

    // Movement leaves out those in which it is there and enabled.
    {"disabled", "tag", oplang::Ownership::kPlain, kEnableable},
    {"target", "entity"},

    // 7 bytes of padding behind the flag and 4 behind the target, which nobody may compare.
    {"body", "{flag: bool, weight: f64, axis: f32[3], target: entity}"},
    {"mana", "u8", oplang::Ownership::kPlain, kEnableable},

    // 64 bytes: each row of the column has cache lines of its own.
    {"matrix", "f64[8]"},
    {"frozen", "tag", oplang::Ownership::kPlain, kEnableable},
    {"score", "{best: i64, stamp: u64}"},
    {"cell", "{kind: i8, column: i16, row: u16, region: u32}"},

    // Zero is refused: adding it without a value breaks a rule.
    {"level", "u16 in [1,100]"},
    {"mass", "f32 finite"},

    // 1504 and 2600 bytes. Each fits a chunk of 4096 bytes alone; both together need 4288, so they
    // do not, and do fit every larger chunk. The scalars are wide, because neutral values cost by
    // the scalar.
    {"cargo", "u64[188]"},
    {"terrain", "f64[325]"},
    {"links", "entity[4]"},

    // Values that own: in a block of the heap, pointing at themselves, that can only be moved, and
    // a tag with a constructor.
    {"label", "{text: u64[2], team: u8 in [0,9]}", oplang::Ownership::kOwned},
    {"anchor", "{at: f32[2], holder: entity}", oplang::Ownership::kSelf, kEnableable},
    {"handle", "i64", oplang::Ownership::kUnique},
    {"token", "tag", oplang::Ownership::kAligned},
};

std::vector<oplang::ComponentDeclaration> Declare() {
  std::vector<oplang::ComponentDeclaration> declarations;
  for (const Sample& sample : kSamples) {
    oplang::ComponentDeclaration declaration;
    declaration.name = sample.name;
    declaration.ownership = sample.ownership;
    declaration.is_enableable = sample.is_enableable;
    const std::optional<TextError> error = ParseType(sample.type, &declaration.type);
    ASHLAR_CHECK(!error.has_value());
    declarations.push_back(declaration);
  }
  return declarations;
}

}  // namespace

std::span<const oplang::ComponentDeclaration> SampleComponents() {
  static const std::vector<oplang::ComponentDeclaration> declarations = Declare();
  return declarations;
}

}  // namespace ashlar::model
