// Divides the time under a clock: little for easy moves, more for unclear ones.
#pragma once

#include "rules/cell_set.hpp"

namespace noughts {

class TimeManager {
  public:
    // `target` is the average time for a move, `maximum` the time after which the search is cut off, both in seconds.
    // Without a target, the time manager never ends a search.
    TimeManager(double target, double maximum) : target_(target), maximum_(maximum) {}

    // Whether to stop after a depth that was finished `seconds` after the start with this best move and score: either
    // the move has had its time, or there is no time to finish the next depth. Must be called after each depth.
    bool is_enough(double seconds, Cell best, int score);

    // The share of the target that this move should get: little if the best move and its score have not changed for
    // several depths, more if the move changes or the score falls.
    double share() const;

  private:
    void note(double seconds, Cell best, int score);

    double target_, maximum_;
    int depths_ = 0;
    Cell best_ = NO_CELL;
    int score_ = 0;
    double changes_ = 0;  // recent changes of the best move; older ones count less
    double fall_ = 0;     // recent fall of the score, in units of the aspiration window
    double end_of_last_ = 0, last_ = 0, before_last_ = 0;  // seconds
};

}  // namespace noughts
