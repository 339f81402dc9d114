#include "search/time_manager.hpp"

#include <algorithm>
#include <cstdlib>

namespace noughts {
namespace {

constexpr double CALM_SHARE = 0.5;     // of the target, if nothing has changed for several depths
constexpr double CHANGE_SHARE = 0.55;  // added for a change of the best move at the last depth
constexpr double FALL_SHARE = 0.35;    // added for each unit by which the score has fallen
constexpr double MAX_SHARE = 2.5;
constexpr double FORGETTING = 0.6;  // factor of the weight of earlier changes and falls, at each depth
constexpr double MAX_FALL = 4;
constexpr double MIN_GROWTH = 1.5, MAX_GROWTH = 6;  // bounds of the ratio between the times of successive depths

}  // namespace

bool TimeManager::is_enough(double seconds, Cell best, int score) {
    if (target_ <= 0) return false;
    note(seconds, best, score);
    const double goal = std::min(share() * target_, maximum_);
    if (seconds >= goal) return true;
    const double growth = before_last_ > 0 ? std::clamp(last_ / before_last_, MIN_GROWTH, MAX_GROWTH) : MIN_GROWTH;
    return seconds >= goal / 2 && seconds + last_ * growth > maximum_;
}

double TimeManager::share() const {
    return std::min(CALM_SHARE + CHANGE_SHARE * changes_ + FALL_SHARE * fall_, MAX_SHARE);
}

void TimeManager::note(double seconds, Cell best, int score) {
    before_last_ = last_;
    last_ = seconds - end_of_last_;
    end_of_last_ = seconds;
    changes_ *= FORGETTING;
    fall_ *= FORGETTING;
    if (depths_ > 0) {
        if (best != best_) changes_ += 1;
        const double unit = 40 + std::abs(score_) / 16;  // as wide as the aspiration window of the search
        fall_ = std::clamp(fall_ + (score_ - score) / unit, 0.0, MAX_FALL);
    }
    ++depths_;
    best_ = best;
    score_ = score;
}

}  // namespace noughts
