// How a player under a clock spends its time: easy moves fast, unclear ones slowly.
#pragma once

#include "rules/cell_set.hpp"

namespace noughts {

class TimeManager {
  public:
    // `target` is the time that a move should take on average, `maximum` the time after which the search is cut off,
    // both in seconds. Without a target the time_manager never ends a search.
    TimeManager(double target, double maximum) : target_(target), maximum_(maximum) {}

    // Whether to stop after a depth that was finished `seconds` after the start with this best move and score: the move
    // has had its time, or the next depth could not be finished. Must be called after each depth.
    bool is_enough(double seconds, Cell best, int score);

    // The share of the target that the move deserves: little if the best move and its score have not changed for some
    // depths, much if the move changes or its score falls.
    double share() const;

  private:
    void note(double seconds, Cell best, int score);

    double target_, maximum_;
    int depths_ = 0;
    Cell best_ = NO_CELL;
    int score_ = 0;
    double changes_ = 0;                                   // of the best move; older ones count less
    double fall_ = 0;                                      // of the score, in units of the window of the search
    double end_of_last_ = 0, last_ = 0, before_last_ = 0;  // seconds
};

}  // namespace noughts
