// Exact values of the endings of Ultimate: positions with one or two open blocks.
//
// The closed blocks only matter through their effect: the result of the game for each way in which the open blocks can
// be decided. Boards that differ elsewhere share an effect, so an ending is the marks in its open blocks, the places of
// these blocks (which say where cells send), the block to play and the effect. That fits into one word, and the tables
// serve all boards alike.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "rules/position.hpp"
#include "support/work_limit.hpp"
#include "tactics/bounds_table.hpp"

namespace noughts {

class BlockEndings {
  public:
    // Games of at most nine blocks of at most nine cells, all with the same lines, that close when they are won.
    static bool fits(const Game& game);

    // The game must fit, and outlive this. The table of endings with two open blocks takes at most `bytes`. Its nodes
    // are faster than those of other searches, which can count several as one.
    BlockEndings(const Game& game, std::size_t bytes, unsigned nodes_per_count = 1);

    // Whether the position, which is not over, has one or two open blocks.
    bool covers(const Position& position) const;

    // Whether the side to move of a covered position can reach the goal: 1 a win, 0 at least a draw. Meaningless if the
    // limit ended the search.
    bool reaches(const Position& position, int goal, WorkLimit& limit);

  private:
    using Mask = std::uint16_t;  // cells of a block

    // The sides seen from the one to move.
    enum Outcome { OWN, RIVAL, DEAD, OUTCOMES };
    // Results are values for the side to move; as long as the game continues, CONTINUES.
    static constexpr int CONTINUES = 2;
    using Results = std::array<std::int8_t, OUTCOMES>;  // by the outcome of the last open block
    struct Effect {
        std::array<Results, 2> first;         // by the block decided first
        std::array<Results, OUTCOMES> final;  // by the outcomes of both

        auto operator<=>(const Effect&) const = default;
    };
    struct Marks {
        Mask own, rival;

        Marks swapped() const { return {rival, own}; }
    };
    // Two open blocks; `to_play` is one of them, or EITHER.
    static constexpr int EITHER = 2;
    struct Ending {
        std::array<Marks, 2> marks;
        int to_play;
    };
    // Places of two blocks and the symmetry that brings them to the places used in the table.
    struct Places {
        std::array<int, 2> cells;  // that send to each of the two
        bool is_exchanged;
        int symmetry;
    };
    // The part of an ending that does not change until a block is decided.
    struct Frame {
        std::uint64_t board = ~0ull;  // the closed blocks and the places of the open ones
        const Places* places = nullptr;
        std::array<Effect, 2> effects;       // for the side to move now, and for the other
        std::array<std::uint64_t, 2> codes;  // of the effects and places, in keys
    };

    static Results swapped(const Results& results);
    static Effect swapped(const Effect& effect);

    void make_lines();
    void make_symmetries();
    void make_places();
    std::array<int, 2> open_blocks(const Position& position) const;
    Marks marks_in(const Position& position, Block block, int symmetry) const;
    int result(Word own, Word rival, bool is_last) const;
    Results last_results(const Position& position, Block block) const;
    Effect effect_of(const Position& position, Block first, Block second) const;
    const Frame& frame_of(const Position& position, Block first, Block second);
    std::uint64_t code_of(const Effect& effect, const Places& places);

    int value_of_last(Marks marks, const Results& results);
    int value_of_last_move(Marks marks, const Results& results, Mask cell);
    bool search(const Ending& ending, int turn, int goal);
    bool search_moves(const Ending& ending, int turn, int goal);
    int value_after_decision(const Ending& ending, int turn, int block, Outcome outcome);
    Bounds possible_results(const Ending& ending, int turn) const;
    std::uint64_t key_of(const Ending& ending, int turn) const;

    const Game& game_;
    unsigned nodes_per_count_, nodes_ = 0;
    int cells_;  // of a block
    Mask all_;
    std::vector<Mask> lines_;
    std::vector<Mask> completing_;           // by the marks of a side: the cells that complete a line
    std::vector<std::uint8_t> is_open_;      // by the marks of a side: whether a line is left to the other
    std::vector<std::uint16_t> ternary_;     // by marks: the same digits to the base of three
    std::vector<std::uint8_t> has_line_;     // by the blocks of a side
    std::vector<std::vector<Mask>> images_;  // of marks, by symmetry
    std::vector<std::vector<Places>> places_;

    std::array<std::vector<std::int8_t>, 27> last_values_;  // by results and marks, for one open block
    std::map<Effect, std::uint64_t> effects_;               // numbered as they turn up
    NarrowTable table_;
    std::vector<Frame> frames_;
    const Frame* frame_ = nullptr;  // of the running search
    WorkLimit* limit_ = nullptr;
};

}  // namespace noughts
