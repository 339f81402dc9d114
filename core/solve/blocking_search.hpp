// Depth-first proof-number search of the Maker-Breaker game: can one side be kept from completing any line?
#pragma once

#include <array>
#include <span>
#include <vector>

#include "rules/symmetry.hpp"
#include "solve/blocking_state.hpp"
#include "solve/proof_table.hpp"
#include "solve/set_matching.hpp"
#include "support/work_limit.hpp"

namespace noughts {

// If the breaker wins this game, the maker cannot win the real one. If the maker wins it, that says nothing, because in
// the real game the breaker may have threats of its own.
//
// Before a position with the maker to move is searched, the moves are left out that one reply answers together with
// pairs or larger sets; often none remains.
class BlockingSearch {
  public:
    static constexpr int KEY_WORDS = 2;

    // The game must be one that BlockingState can represent, with a table of keys of KEY_WORDS words.
    BlockingSearch(const Position& position, const Symmetry& symmetry, ProofTable& table);

    // Whether `maker` completes a line: solved, unless the limit ended the search.
    ProofNumbers search(Side maker, WorkLimit& limit);

    // Roughly how many nodes a search needs, if the breaker wins.
    static double expected_nodes(const BlockingState& state);

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
    BlockingState first_state() const { return BlockingState(position_, maker_); }
    Side maker() const { return maker_; }
    void set_maker(Side maker) { maker_ = maker; }
    Key key_of(const BlockingState& state) const;
    // Solves a state, which must be open, if the table has lost it.
    ProofNumbers settle(const BlockingState& state, WorkLimit& limit);
    // The breaker's move in a state where it wins and is to move. NO_CELL if the limit ended the search for it.
    int decisive_move(const BlockingState& state, WorkLimit& limit);
    // Returns those of the maker's moves that no reply was found to answer at once. The others have one of `answers`.
    Word unanswered(const BlockingState& state, Word moves, std::vector<Answer>* answers = nullptr);
    bool find_sets(const BlockingState& state) { return matching_.find(state.lines()); }
    const std::vector<std::vector<int>>& sets() const { return matching_.sets(); }
    static bool sum_is_low(const BlockingState& state);

    const std::vector<int>& line() const { return line_; }  // the moves to where the search is
    ProofNumbers root_numbers() const { return root_numbers_; }

  private:
    // Numbers are those of the side to move at the parent, as in ProofNumberSearch.
    struct Child {
        int move;
        Key key;
        std::uint32_t own, other;
        bool is_visited;  // the numbers are more than a guess
    };
    struct Choice {
        std::uint32_t own = INFINITE, second = INFINITE, other = 0;
        Child* child = nullptr;
    };
    struct Evaluation {
        ProofNumbers numbers;
        bool is_final = true;  // if not, the moves that have an answer are not known
        Word open = 0;         // the maker's moves without an answer
    };
    struct OpenMoves {
        std::array<Word, KEY_WORDS> key{};
        Word moves = 0;
    };

    std::uint8_t tag(const BlockingState& state) const;
    Evaluation evaluate(const BlockingState& state, bool with_answers);
    Word open_moves(const BlockingState& state, const Key& key);
    ProofNumbers visit(const BlockingState& state, const Key& key);
    ProofNumbers explore(const BlockingState& state, const Key& key, ProofNumbers thresholds, std::size_t depth,
                         WorkLimit& limit);
    static Choice choose(std::vector<Child>& children);
    void descend(const BlockingState& state, Child& child, ProofNumbers thresholds, std::size_t depth,
                 WorkLimit& limit);
    static Word defences(const BlockingState& state);
    void expand(const BlockingState& state, Word moves, std::size_t depth);
    bool add_child(const BlockingState& state, int move, bool is_first, std::size_t depth);
    void store(const BlockingState& state, const Key& key, ProofNumbers numbers, std::uint64_t work, int move,
               bool is_final);
    OpenMoves& slot_of(const Key& key);
    Word image(int symmetry, Word cells) const;
    Word preimage(int symmetry, Word cells) const;
    void add_answer(std::vector<Answer>* answers, Word moves, int reply) const;

    static constexpr int BYTES = 8;
    using Images = std::array<std::array<Word, 256>, BYTES>;  // by byte of a word

    Position position_;
    const Symmetry& symmetry_;
    ProofTable& table_;
    SetMatching matching_;
    Side maker_ = X;
    std::vector<Word> masks_;     // lines
    std::vector<Images> images_;  // by symmetry
    std::vector<OpenMoves> known_open_;
    std::uint64_t nodes_ = 0;
    ProofNumbers root_numbers_;
    std::vector<int> line_;
    std::vector<std::vector<Child>> children_;  // by depth
};

}  // namespace noughts
