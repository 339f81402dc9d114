// Conversions between scores and values of the tree search, in integers, so that all machines agree.
#pragma once

#include <cstdint>

namespace noughts {

// Values are for one side: from -CERTAIN for a loss, over 0 for a draw, to CERTAIN for a win.
inline constexpr int CERTAIN = 1 << 16;

// The value of a score, CERTAIN * (2 / (1 + exp(-score / spread)) - 1), and its inverse. The spread must be positive.
int value_of_score(int score, int spread);
int score_of_value(int value, int spread);

// CERTAIN * exp(-number / unit), for numbers from 0 on; 0 below exp(-11).
int decay(std::int64_t number, int unit);

}  // namespace noughts
