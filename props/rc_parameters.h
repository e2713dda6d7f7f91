// RC_PARAMS, checked before RapidCheck sees it.
//
// RapidCheck ignores a key that it does not know, calls zero cases a success, and with a
// `reproduce` for one property lets every other one pass without a case. A run that looks green and
// tested nothing is worse than none, so the runner refuses all three.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ashlar::props {

// What is wrong with the text of RC_PARAMS; nothing when it may be used.
std::optional<std::string> RcParametersProblem(std::string_view text);

// `text` with noshrink=1 unless it says something about shrinking itself: failing sequences are
// shrunk by model/shrink.h, which takes milliseconds where RapidCheck takes minutes.
std::string WithoutShrinking(std::string_view text);

}  // namespace ashlar::props
