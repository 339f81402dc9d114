// Search for wins by threats alone on boards of at most 64 cells, with the marks of each side in one word.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rules/game.hpp"

namespace noughts {

// A faster version of ThreatSearch, for static games of at most 64 cells without guards. A pair is a line that lacks
// two cells of the attacker and has no mark of the defender: playing one of the cells (the gain) forces the other (the
// cost). Success is a proof. Positions where the search failed without reaching its limit are remembered.
class BitboardThreatSearch {
  public:
    explicit BitboardThreatSearch(const Game& game);

    static bool supports(const Game& game) { return game.words() == 1 && game.marks_never_hurt(); }

    // Whether the side with the marks `attacker` wins by threats alone if it is to move; tries at most `nodes` moves.
    bool search(Word attacker, Word defender, int nodes);

    // The attacker's moves of the last win, and the forced replies between them. The last move makes two threats or
    // completes a line.
    const std::vector<std::uint8_t>& attacks() const { return attacks_; }
    const std::vector<std::uint8_t>& replies() const { return replies_; }

    // The cells in which the defender, whose turn it is, must play to stop the last win, which was found with the
    // attacker to move: after a move anywhere else, the same sequence wins. See defence_zone in threat_search.hpp.
    Word defence_zone(Word attacker, Word defender) const;

  private:
    static constexpr int MAX_PAIRS = 128;
    static constexpr int MAX_DEPTH = 32;

    struct Pairs {
        int count = 0;
        std::array<Word, MAX_PAIRS> cells;

        void add(Word pair);
        Word shared() const;  // cells in two or more pairs
    };
    struct Failure {
        Word attacker, defender;
    };
    // A threat: the attacker plays `gain`, and the defender must answer with `cost`.
    struct Exchange {
        Word gain, cost;
    };
    static Exchange exchange(const Pairs& pairs, int index);

    // Of the pairs that an exchange makes: all their cells, and the cells that are in two pairs after the exchange.
    struct NewPairs {
        Word cells = 0, shared = 0;
    };

    bool attack(Word attacker, Word defender, Word threat, int depth);
    bool answer_threat(Word attacker, Word defender, Word threat, int depth);
    NewPairs pairs_made_by(Word attacker, Word defender, Exchange move, const Pairs& pairs) const;
    bool advance(Word attacker, Word defender, Exchange move, int depth);
    Word completing(Word own, Word rival) const;
    Word completing_through(Word own, Word rival, Cell cell) const;
    void add_pairs_through(Word own, Word rival, Cell cell, Pairs& pairs) const;
    void record(Exchange move, int depth);
    void finish(Word gain, int depth);
    std::span<const Word> lines_through(Cell cell) const {
        return {through_.data() + first_through_[cell], through_.data() + first_through_[cell + 1]};
    }
    Failure& failure(Word attacker, Word defender) {
        return failed_[mix(attacker * 0x9e3779b97f4a7c15ull ^ defender) & (failed_.size() - 1)];
    }

    std::vector<Word> lines_;
    std::vector<Word> through_;  // lines without the cell itself, grouped by cell
    std::vector<std::size_t> first_through_;
    std::vector<Pairs> pairs_;  // by depth
    std::vector<Failure> failed_;
    std::vector<std::uint8_t> attacks_, replies_;
    std::uint64_t played_ = 0, limit_ = 0;
    bool cut_short_ = false;  // whether the limit was reached, so that failures prove nothing
};

}  // namespace noughts
