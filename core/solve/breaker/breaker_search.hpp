// Depth-first proof-number search of the Maker-Breaker game: can one side be kept from completing any line?
#pragma once

#include <array>
#include <span>
#include <vector>

#include "rules/symmetry.hpp"
#include "solve/breaker/breaker_state.hpp"
#include "solve/parallel/positions_in_progress.hpp"
#include "solve/progress_estimate.hpp"
#include "solve/proof_number/best_child.hpp"
#include "solve/proof_number/proof_table.hpp"
#include "solve/static_draw/pairing_search.hpp"
#include "support/work_limit.hpp"

namespace noughts {

// If the breaker wins this game, the maker cannot win the real one. If the maker wins it, that says nothing, because in
// the real game the breaker may have threats of its own.
//
// Before a position with the maker to move is searched, the moves are left out that one reply answers together with
// pairs or larger sets; often none remains.
class BreakerSearch {
  public:
    static constexpr int KEY_WORDS = 2;

    // The game must be one that BreakerState can represent, with a table of keys of KEY_WORDS words. `in_progress` is
    // for several threads, and null for one.
    BreakerSearch(const Position& position, const Symmetry& symmetry, ProofTable& table,
                  PositionsInProgress* in_progress = nullptr);

    // Whether `maker` completes a line: solved, unless the limit ended the search.
    ProofNumbers search(Side maker, WorkLimit& limit);
    // What is known of that without a search; other threads may have found it.
    ProofNumbers known_numbers(WorkLimit& limit);

    // Roughly how many nodes a search needs, if the breaker wins.
    static double expected_nodes(const BreakerState& state);

    // --- for a walk through a finished proof; the maker is that of the last search ---
    struct Key {
        std::array<Word, KEY_WORDS> words;
        int symmetry;  // leads from the state to its canonical image
    };
    // One reply to any of these moves of the maker, even to all of them at once, after which these sets stop all lines.
    struct Answer {
        Word moves;
        int reply;
        std::vector<std::vector<int>> sets;
    };
    BreakerState first_state() const { return BreakerState(position_, maker_); }
    Side maker() const { return maker_; }
    void set_maker(Side maker) { maker_ = maker; }
    Key key_of(const BreakerState& state) const;
    // Solves a state, which must be open, if the table has lost it.
    ProofNumbers settle(const BreakerState& state, WorkLimit& limit);
    // The breaker's move in a state where it wins and is to move. NO_CELL if the limit ended the search for it.
    int decisive_move(const BreakerState& state, WorkLimit& limit);
    // Sets that stop all lines, or nothing if none were found. This and the answers depend on the state alone, not on
    // what was searched before.
    std::vector<std::vector<int>> find_sets(const BreakerState& state);
    // For a state where the maker is to move. Every move has an answer, is open, or is dominated by such a move.
    struct Replies {
        std::vector<Answer> answers;
        Word open = 0;
    };
    Replies find_answers(const BreakerState& state, WorkLimit& limit);
    static bool sum_is_low(const BreakerState& state);

    const std::vector<int>& path() const { return path_; }  // to where the search is, without forced replies
    ProofNumbers root_numbers() const { return root_numbers_; }
    // Of the work of this many threads, if the breaker wins: the disproof number is about the nodes that are left.
    ProgressEstimate estimate_progress(int threads) const;

  private:
    // Numbers are those of the side to move at the parent, as in ProofNumberSearch.
    struct Child {
        int move;
        Key key;           // of the state after the move and a forced reply
        bool maker_moves;  // in that state
        std::uint32_t own, other;
        bool is_visited;                // the numbers are more than a guess
        std::uint32_t in_progress = 0;  // state of PositionsInProgress when the numbers were looked up
    };
    using Choice = BestChild<Child>;
    struct Evaluation {
        ProofNumbers numbers;
        bool is_final = true;  // if not, the moves that have an answer are not known
        Word open = 0;         // the maker's moves without an answer
    };
    struct OpenMoves {
        std::array<Word, KEY_WORDS> key{};
        Word moves = 0;
    };

    std::uint8_t tag(bool maker_moves) const;
    BreakerState canonical(const BreakerState& state, const Key& key) const;
    bool find_canonical_sets(const BreakerState& canonical);
    Evaluation evaluate(const BreakerState& state);
    ProofNumbers evaluate_defence(const BreakerState& state);
    Evaluation evaluate_with_answers(const BreakerState& canonical, WorkLimit& limit);
    Word unanswered(const BreakerState& canonical, std::vector<Answer>* answers, WorkLimit& limit);
    void answer_several(const BreakerState& state, Word& open, std::vector<Answer>* answers, WorkLimit& limit);
    void answer(const BreakerState& state, int move, Word& open, std::vector<Answer>* answers, WorkLimit& limit);
    std::vector<int> by_misses(const BreakerState& state) const;
    Word open_moves(const BreakerState& state, const Key& key, WorkLimit& limit);
    ProofNumbers visit(const BreakerState& state, const Key& key, WorkLimit& limit);
    ProofNumbers explore(const BreakerState& state, const Key& key, ProofNumbers thresholds, std::size_t depth,
                         WorkLimit& limit);
    static Choice choose(std::vector<Child>& children);
    void descend(const BreakerState& state, Child& child, ProofNumbers thresholds, std::size_t depth, WorkLimit& limit);
    void look_up_children(bool is_maker, std::size_t depth);
    static Word defences(const BreakerState& state);
    void expand(const BreakerState& state, Word moves, std::size_t depth, WorkLimit& limit);
    bool add_child(const BreakerState& state, int move, bool is_first, std::size_t depth, WorkLimit& limit);
    void store(const BreakerState& state, const Key& key, ProofNumbers numbers, std::uint64_t work, int move,
               bool is_final);
    OpenMoves& slot_of(const Key& key);
    Word image(int symmetry, Word cells) const;
    Word preimage(int symmetry, Word cells) const;
    int preimage_of(int symmetry, int cell) const { return lowest(preimage(symmetry, bit(cell))); }
    std::vector<std::vector<int>> preimage(int symmetry, std::vector<std::vector<int>> sets) const;

    static constexpr int BYTES = 8;
    using Images = std::array<std::array<Word, 256>, BYTES>;  // by byte of a word

    Position position_;
    const Symmetry& symmetry_;
    ProofTable& table_;
    PositionsInProgress* in_progress_;
    PairingSearch pairing_;
    Side maker_ = X;
    std::vector<Word> masks_;     // lines
    std::vector<Images> images_;  // by symmetry
    std::vector<OpenMoves> known_open_;
    std::uint64_t nodes_ = 0;  // searched for this maker
    ProofNumbers root_numbers_;
    std::vector<int> path_;
    std::vector<std::vector<Child>> children_;  // by depth
};

}  // namespace noughts
