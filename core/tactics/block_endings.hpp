// Exact values of the endings of Ultimate: positions with one or two open blocks.
//
// Closed blocks matter only through their effect: the result of the game for each way in which the open blocks can be
// decided. Different boards may have the same effect. So an ending is the marks in its open blocks, the places of these
// blocks (which determine where cells send), the block to play and the effect. All of that fits into one word, and the
// tables serve all boards.
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
    // Whether the game has at most nine blocks of at most nine cells, all with the same lines, which close when they
    // are won.
    static bool fits(const Game& game);

    // The game must fit and outlive this object. The table for two open blocks takes at most `bytes`. `nodes_per_count`
    // nodes count as one in the limit, since they are faster than the nodes of other searches.
    BlockEndings(const Game& game, std::size_t bytes, unsigned nodes_per_count = 1);

    // Whether the position, which must not be over, has one or two open blocks.
    bool covers(const Position& position) const;

    // Whether the side to move of a covered position can reach the goal: 1 for a win, 0 for at least a draw.
    // Meaningless if the limit ended the search.
    bool reaches(const Position& position, int goal, WorkLimit& limit);

  private:
    using Mask = std::uint16_t;  // a set of cells of a block

    // Outcomes of a block, from the view of the side to move.
    enum Outcome { OWN, RIVAL, DEAD, OUTCOMES };
    // Results are values for the side to move, or CONTINUES if the game is not over.
    static constexpr int CONTINUES = 2;
    using Results = std::array<std::int8_t, OUTCOMES>;  // by the outcome of the last open block
    struct Effect {
        std::array<Results, 2> first;         // by the block decided first
        std::array<Results, OUTCOMES> final;  // by the outcomes of both blocks

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
    // The places of two blocks, and the symmetry that maps them to the places used in the table.
    struct Places {
        std::array<int, 2> cells;  // the cells that send to each of the two blocks
        bool is_exchanged;
        int symmetry;
    };
    // The part of an ending that is constant until a block is decided.
    struct Frame {
        std::uint64_t board = ~0ull;  // the closed blocks and the places of the open ones
        const Places* places = nullptr;
        std::array<Effect, 2> effects;       // for the side to move now, and for the other
        std::array<std::uint64_t, 2> codes;  // codes of the effects and places, for keys
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
    std::vector<std::uint8_t> is_open_;      // by the marks of a side: whether the other side can still complete a line
    std::vector<std::uint16_t> ternary_;     // by marks: the same digits read in base three
    std::vector<std::uint8_t> has_line_;     // by set of blocks: whether it contains an outer line
    std::vector<std::vector<Mask>> images_;  // images of all marks, by symmetry
    std::vector<std::vector<Places>> places_;

    std::array<std::vector<std::int8_t>, 27> last_values_;  // values with one open block, by results and marks
    std::map<Effect, std::uint64_t> effects_;               // numbered in the order of their first use
    NarrowTable table_;
    std::vector<Frame> frames_;
    const Frame* frame_ = nullptr;  // of the running search
    WorkLimit* limit_ = nullptr;
};

}  // namespace noughts
