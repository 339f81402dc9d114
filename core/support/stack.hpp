// The recursion limit of solvers. A browser gives WebAssembly about a megabyte of stack, less than the longest
// sequences of moves on boards with a thousand cells need, and a stack overflow cannot be handled there. At this depth
// a solve ends without a result.
#pragma once

#include <limits>

namespace noughts {

#ifdef __wasm__
inline constexpr int MAX_RECURSION = 600;
#else
inline constexpr int MAX_RECURSION = std::numeric_limits<int>::max();
#endif

}  // namespace noughts
