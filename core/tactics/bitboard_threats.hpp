// Forced wins on boards of at most 64 cells: chains of threats found on two words, one for each side's marks.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rules/position.hpp"

namespace noughts {

// For flat games of at most 64 cells without gravity, misère and guards. A pair is a line of the attacker's that lacks
// two cells: to play one of them forces the other. Success is a proof. What failed without reaching the limit is
// remembered.
class Chains {
  public:
    explicit Chains(const Game& game);

    static bool can_serve(const Game& game) {
        return game.words() == 1 && game.blocks() == 1 && !game.has_gravity() && !game.misere() && !game.has_guards();
    }

    // Whether the side with `attacker` marks wins, being to move, by threats alone; at most `nodes` of them are tried.
    bool search(Word attacker, Word defender, int nodes);
    bool is_exhausted() const { return !cut_short_; }  // the last failure is final
    std::uint64_t played() const { return total_; }    // threats tried since the beginning

    // The attacker's moves of the last win, and the forced replies between them. The last move makes two threats, or
    // completes a line.
    const std::vector<std::uint8_t>& attacks() const { return attacks_; }
    const std::vector<std::uint8_t>& replies() const { return replies_; }

    // The last win was found with the attacker to move though it is the defender's turn: where the defender must play,
    // since after a move anywhere else the same chain wins. See find_zone.
    Word zone(Word attacker, Word defender) const;

    Word completing(Word own, Word rival) const;  // empty cells that complete a line of one's own

  private:
    static constexpr int MOST_PAIRS = 128;
    static constexpr int LONGEST = 32;

    struct Pairs {
        int count = 0;
        std::array<Word, MOST_PAIRS> cells;
        void add(Word pair) {
            if (count == MOST_PAIRS) return;
            for (int i = 0; i < count; ++i)
                if (cells[i] == pair) return;
            cells[count++] = pair;
        }
        Word shared() const {
            Word once = 0, twice = 0;
            for (int i = 0; i < count; ++i) twice |= once & cells[i], once |= cells[i];
            return twice;
        }
    };
    struct Failure {
        Word attacker, defender;
    };

    bool attack(Word attacker, Word defender, Word threat, int depth);
    bool answer_threat(Word attacker, Word defender, Word threat, int depth);
    bool wins_next(Word attacker, Word defender, Word gain, Word cost, int depth, Word& fresh);
    bool advance(Word attacker, Word defender, Word gain, Word cost, int depth);
    Word threats_through(Word own, Word rival, int cell) const;
    void add_pairs_through(Word own, Word rival, int cell, Pairs& pairs) const;
    void note(Word gain, Word cost, int depth);
    void finish(Word gain, int depth);
    Failure& failure(Word attacker, Word defender) {
        return failed_[mix(attacker * 0x9e3779b97f4a7c15ull ^ defender) & (failed_.size() - 1)];
    }

    std::vector<Word> lines_;
    Rows lines_of_;
    std::vector<Word> through_;  // masks of the lines of each cell, as lines_of_ lists them
    std::vector<Pairs> pairs_;   // per depth
    std::vector<Failure> failed_;
    std::vector<std::uint8_t> attacks_, replies_;
    std::uint64_t total_ = 0, limit_ = 0;
    bool cut_short_ = false;
};

}  // namespace noughts
