// The question whether a side wins by quiet moves, as one of those that the solver asks.
#pragma once

#include <memory>

#include "solve/method.hpp"
#include "solve/quiet_win/quiet_win_search.hpp"

namespace noughts {

// For each side: is there a win by quiet moves? If none is found, nothing follows.
class QuietWinQuestions {
  public:
    // Keeps at most about `megabytes` of positions for each side.
    QuietWinQuestions(const Position& position, std::size_t megabytes) : position_(position), megabytes_(megabytes) {}

    void start_from(const Position& position);

    // Whether the question is open for this side and worth asking.
    bool may_ask(Side attacker) const;
    // Searches for at most `nodes` nodes, continuing the last search. Returns YES if `attacker` wins, NO if there is
    // nothing left to try.
    Answer ask(Side attacker, std::uint64_t nodes, WorkLimit& limit);
    Answer answer(Side attacker) const { return answers_[attacker]; }
    // The first move of the win of the side to move, for which the answer must be YES.
    Cell move() const { return searches_[position_.turn()]->first_move(); }

    bool is_running() const { return running_ != NO_SIDE; }
    void report(SolveProgress& progress) const;
    // The certificate of a win; the answer must be YES.
    Certificate prove(Side attacker, WorkLimit& limit);

  private:
    Position position_;
    std::size_t megabytes_;
    PerSide<std::unique_ptr<QuietWinSearch>> searches_;  // made when the question is first asked
    PerSide<Answer> answers_ = {{Answer::UNKNOWN, Answer::UNKNOWN}};
    Side running_ = NO_SIDE;
};

}  // namespace noughts
