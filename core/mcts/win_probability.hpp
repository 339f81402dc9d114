// Values, scores and probabilities of the tree search, in integers, so that every machine agrees.
#pragma once

#include <cstdint>

namespace noughts {

// Values are for one side, from -CERTAIN for a loss to CERTAIN for a win; a draw is 0.
inline constexpr int CERTAIN = 1 << 16;

// The value of a score: CERTAIN * (2 / (1 + exp(-score / spread)) - 1), and back. The spread must be positive.
int value_of_score(int score, int spread);
int score_of_value(int value, int spread);

// CERTAIN * exp(-number / unit), for numbers of 0 or more; it is 0 from exp(-11) on.
int decay(std::int64_t number, int unit);

}  // namespace noughts
