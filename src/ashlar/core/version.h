// The version of these headers. Semantic versioning: README, "Versions".
//
// The inline namespace changes with each release that breaks binary compatibility, so that two
// builds of Ashlar linked into one program fail at the link instead of at run time. The trace
// format, the fuzzer's record format and the digest have versions of their own.
#pragma once

#define ASHLAR_VERSION_MAJOR 0
#define ASHLAR_VERSION_MINOR 1
#define ASHLAR_VERSION_PATCH 0
#define ASHLAR_VERSION_STRING "0.1.0"
