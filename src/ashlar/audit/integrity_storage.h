// The parts of the integrity check that look at the storage. CheckIntegrity calls them.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "ashlar/world/world.h"

namespace ashlar::inline v0::integrity {

// kInternal / kInvariantBroken with the message "I<number>: <text>".
absl::Status Broken(int invariant, const std::string& text);

absl::Status CheckSignatures(const World& world);  // I4
absl::Status CheckLayouts(const World& world);     // I5
absl::Status CheckQueries(const World& world);     // I7
absl::Status CheckObjects(const World& world);     // I8
absl::Status CheckEnableBits(const World& world);  // I9
absl::Status CheckVersions(const World& world);    // I10
absl::Status CheckPool(const World& world);        // I11, the chunks
absl::Status CheckMemory(const World& world);      // I11, the bytes
absl::Status CheckUnusedRows(const World& world);  // I13

}  // namespace ashlar::inline v0::integrity
