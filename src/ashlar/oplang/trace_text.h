// Traces: programs as text that people read, write and hand each other.
//
//   # A comment runs to the end of its line, and may stand alone.
//   trace 1                              the format's version; optional, first statement
//   option chunk_bytes 4096              options come before the first component
//   option rows_per_chunk 2
//   option index_limit 8
//   component position f32[3]            components come before the first operation
//   component health i32 in [0,100]
//   component disabled tag
//   component body {pos: f32x3, mass: f32, target: entity}
//   component name u64[4] as owned       how a value lives: owned, self, unique or aligned
//   component shield i32 enableable      may be switched off and on
//   component force f32[3] split         each scalar has a column of its own; stands last
//   create e1 position=(1,2,3) disabled
//   add e1 health=80
//   add e1 health=4294967296 -> INVALID_ARGUMENT
//   expect e1 position=(1,2,3) health=80
//
// One statement a line; the operations and expectations are those of operation.h, in the text that
// stands beside each. Words are separated by spaces or tabs; lines end with LF or CRLF; lists
// inside query terms are separated by commas.
//
//   component  a declared name, or "#N": the N-th declared component, counted from 0; past the end
//              it names nothing registered. ("#" and a digit begin a comment only where a
//              statement would begin.) Where a keyword may stand (only, without, dead, id and
//              chunk, on and off after `expect e1`; add and remove in an exchange), a component of
//              that name is written "#N".
//   entity     "e7" (label 7, up to e65535), "4v2" (index 4, generation 2), "null"; a list of them
//              ends with ":" where components follow
//   value      "80", "(1,2,3)", "(1,(2,3),e4)": by the type of its component; 1 in an f32 is the
//              float 1.0. Or exact, in brackets, whatever the type: [f32:1.5, int:-3,
//              uint:18446744073709551615, f64:0.1, bool:true, entity:4v2, label:e3], any number
//              of scalars. What text by type cannot say (a wrong kind or number, a value for an
//              unregistered component) is said so.
//   scalar     in a setfield: "health", "position[1]", "body.mass", "body.axis[2]"; or "body.#3",
//              the scalar with that number, counted from 0, which may be past the end.
//
// `-> any` accepts every outcome on which kernel and model agree; `-> CODE [reason]` demands one.
// Without it the operation must succeed. A value by type that does not fit its field is an error of
// the text unless the statement says how the world refuses it (`->` something): so a slip of the
// pen is found by the parser, and a refusal that is meant can be written. Exact values are not
// checked: nobody writes those by a slip.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ashlar/oplang/operation.h"

namespace ashlar::inline v0::oplang {

inline constexpr int kTraceVersion = 1;

// No line of a trace may be longer. A longer one is refused without being parsed.
inline constexpr std::size_t kTraceLineBytesMax = 1u << 20;

// No file that is read as a trace may be larger.
inline constexpr std::size_t kTraceFileBytesMax = 64u << 20;

// The components of one trace may have this many scalars in all (sixteen components of
// u8[65536], say): a few bytes of text would else ask for gigabytes.
inline constexpr std::size_t kTraceScalarsMax = 1u << 20;

// Reads a whole trace. `source_name` stands before line and column (both counted from 1, columns in
// bytes) in errors: "walls.trace:7:15: health: 4294967296 does not fit ...". A message is one line.
// Errors: DATA_LOSS / kTextMalformed; UNIMPLEMENTED / kTextMalformed for a version above
// kTraceVersion. Every byte string gives a program or an error; memory is linear in the text (plus
// a constant, see kTraceScalarsMax).
absl::StatusOr<Program> ParseTrace(std::string_view text, std::string_view source_name);

// Reads a trace from a file. Further errors, "PATH: what is wrong": kFileUnreadable (NOT_FOUND) for
// a file that is missing, is a directory, or cannot be read; kTextMalformed (DATA_LOSS) for one
// above kTraceFileBytesMax.
absl::StatusOr<Program> ReadTraceFile(const std::string& path);

// The text of a program; ParseTrace makes an equal program from it, if the program's components can
// be registered, its chunk size can be chosen, and no line is above kTraceLineBytesMax. Notes come
// first, as comments.
std::string PrintTrace(const Program& program);

// The text of one operation, without its expectation: "add e1 health=80". Cost: that of the
// components whose values it names.
std::string PrintAction(const Program& program, const Action& action);

}  // namespace ashlar::inline v0::oplang
