// A std::string_view for Abseil, whose string_view may be a type of its own.
#pragma once

#include <string_view>

#include "absl/strings/string_view.h"

namespace ashlar::inline v0 {

inline absl::string_view TextView(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace ashlar::inline v0
