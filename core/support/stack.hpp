// How deep a solver may recurse. A browser gives WebAssembly about a megabyte of stack, which is less than the deepest
// lines of boards with a thousand cells need, and its overflow cannot be handled: there a solve ends without a result.
#pragma once

#include <limits>

namespace noughts {

#ifdef __wasm__
inline constexpr int MAX_RECURSION = 600;
#else
inline constexpr int MAX_RECURSION = std::numeric_limits<int>::max();
#endif

}  // namespace noughts
