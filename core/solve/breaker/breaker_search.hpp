// Depth-first proof-number search of the Maker-Breaker game: can the maker complete a line, or does the breaker stop
// them all?
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

// If the breaker wins the Maker-Breaker game, the maker cannot win the real game. If the maker wins it, nothing
// follows: in the real game the breaker may have threats of its own.
//
// Before a state with the maker to move is searched, all moves are dropped to which one reply, followed by pairs or
// larger sets, is an answer. Often no move remains.
class BreakerSearch {
  public:
    static constexpr int KEY_WORDS = 2;

    // The game must be one that BreakerState can represent, and the table must have keys of KEY_WORDS words.
    // `in_progress` is shared by the threads of a team; null for a single thread.
    BreakerSearch(const Position& position, const Symmetry& symmetry, ProofTable& table,
                  PositionsInProgress* in_progress = nullptr);

    // Continues the search whether `maker` completes a line. The result is solved unless the limit ended the search;
    // proved means that the maker does.
    ProofNumbers search(Side maker, WorkLimit& limit);
    // The numbers that the table has for the last question, without a search; another thread may have stored them.
    ProofNumbers known_numbers(WorkLimit& limit);

    // Rough number of nodes that a search needs if the breaker wins.
    static double expected_nodes(const BreakerState& state);

    // --- for a walk through a finished proof; the maker is that of the last search ---
    struct Key {
        std::array<Word, KEY_WORDS> words;
        int symmetry;  // the symmetry that maps the state to its canonical image
    };
    // One reply that answers each of `moves`, even if the maker makes all of them at once: afterwards `sets` stop all
    // lines.
    struct Answer {
        Word moves;
        int reply;
        std::vector<std::vector<int>> sets;
    };
    BreakerState first_state() const { return BreakerState(position_, maker_); }
    Side maker() const { return maker_; }
    void set_maker(Side maker) { maker_ = maker; }
    Key key_of(const BreakerState& state) const;
    // Returns the numbers of an open state, and searches it if the table does not have them.
    ProofNumbers settle(const BreakerState& state, WorkLimit& limit);
    // A winning move of the breaker, in a state where it is to move and wins. NO_CELL if the limit ended the search for
    // the move.
    int decisive_move(const BreakerState& state, WorkLimit& limit);
    // Sets that stop all lines; empty if none were found. The results of find_sets and find_answers depend only on the
    // state, not on earlier searches.
    std::vector<std::vector<int>> find_sets(const BreakerState& state);
    // The maker's moves in a state where it is to move: each has an answer, is open, or is dominated by one that is.
    struct Replies {
        std::vector<Answer> answers;
        Word open = 0;
    };
    Replies find_answers(const BreakerState& state, WorkLimit& limit);
    static bool sum_is_low(const BreakerState& state);

    const std::vector<int>& path() const { return path_; }  // the moves to the current state, without forced replies
    ProofNumbers root_numbers() const { return root_numbers_; }
    // The progress of a search by this many threads, on the assumption that the breaker wins: then the disproof number
    // is proportional to the nodes left.
    ProgressEstimate estimate_progress(int threads) const;

  private:
    // Numbers are those of the side to move at the parent, as in ProofNumberSearch.
    struct Child {
        int move;
        Key key;           // of the state after the move and the forced reply
        bool maker_moves;  // whether the maker is to move in that state
        std::uint32_t own, other;
        bool is_visited;                // the numbers come from a search, not from a guess
        std::uint32_t in_progress = 0;  // state of PositionsInProgress when the numbers were looked up
    };
    using Choice = BestChild<Child>;
    struct Evaluation {
        ProofNumbers numbers;
        bool is_final = true;  // if false, an estimate without a search for answers: `open` is not set
        Word open = 0;         // the maker's moves to which no reply is known that stops all lines
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
    using Images = std::array<std::array<Word, 256>, BYTES>;  // the image of each byte of a word

    Position position_;
    const Symmetry& symmetry_;
    ProofTable& table_;
    PositionsInProgress* in_progress_;
    PairingSearch pairing_;
    Side maker_ = X;
    std::vector<Word> masks_;     // the cells of each line
    std::vector<Images> images_;  // by symmetry
    std::vector<OpenMoves> known_open_;
    std::uint64_t nodes_ = 0;  // searched so far for this maker
    ProofNumbers root_numbers_;
    std::vector<int> path_;
    std::vector<std::vector<Child>> children_;  // by depth
};

}  // namespace noughts
