// A position of any game, kept up to date by play and undo without rescans or allocation.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rules/game.hpp"
#include "support/work_limit.hpp"

namespace noughts {

using Word = std::uint64_t;

// Calls `visit(number)` for every member of a set, in ascending order.
template <typename Visit>
void for_each_bit(Word word, int base, Visit&& visit) {
    for (; word; word &= word - 1) visit(base + std::countr_zero(word));
}

class Position {
  public:
    // What changes from ply to ply and is cheaper to keep than to take back.
    struct Frame {
        std::uint64_t hash;            // of all marks, the block to play and, where cells do not tell, the owners
        std::uint64_t key;             // the same, but marks in closed blocks do not count; then marks no longer tell
                                       // whose turn it is, so the side to move is part of it. What search should use
        Word outer_completing[2];      // blocks that would complete an outer line of either side
        Word won[2];                   // blocks won by either side
        std::int32_t score;            // worth to X: undecided blocks' lines plus outer lines
        std::int32_t old_block_score;  // of the block the last move was made in, before it
        std::uint32_t changes;         // how many changes of the completing sets came before the next move
        std::uint32_t pair_changes;    // the same for the sets of lines that lack two
        std::int16_t block_to_play;    // or -1: anywhere
        std::int16_t cell;             // the last move
        std::int16_t free;             // empty cells in blocks that can still be played in
        std::int8_t winner;            // NOBODY, X or O
        std::int8_t decided;           // what the last move made of its block: NOBODY (nothing), X, O or DEAD
    };

    explicit Position(std::shared_ptr<const Game> game);

    // Sets up a position with no moves before it. `cells` holds X, O or NOBODY. `owners` is read only in games where
    // won blocks stay open. Checks everything: throws std::invalid_argument when no playthrough could look like this.
    Position(std::shared_ptr<const Game> game, std::span<const int> cells, Side turn, int block_to_play,
             std::span<const int> owners);

    const Game& game() const { return *game_; }
    const std::shared_ptr<const Game>& shared_game() const { return game_; }

    // The caller must check is_legal first.
    void play(int cell);
    // The caller must check ply() > 0.
    void undo();

    // Hands the move to the other side, or back again: a question to ask of games of one block, not a move.
    void pass() {
        turn_ = 1 - turn_;
        frames_[ply_].key ^= TURN_KEY;
    }

    int ply() const { return ply_; }  // moves played since the position was set up
    int move_at(int ply) const { return frames_[ply + 1].cell; }
    Side turn() const { return turn_; }  // also when the game is over: then the side that would move
    const Frame& now() const { return frames_[ply_]; }
    std::uint64_t hash() const { return now().hash; }
    std::uint64_t key() const { return now().key; }
    // The key after a move, unless it decides a block: near enough to fetch memory by.
    std::uint64_t likely_key_after(int cell) const {
        const CellInfo& info = game_->cell_info[cell];
        std::uint64_t after = now().key ^ info.keys[turn_] ^ TURN_KEY;
        if (game_->blocks() == 1) return after;
        if (now().block_to_play >= 0) after ^= game_->send_keys[now().block_to_play];
        return info.sends >= 0 && can_be_sent_to(info.sends) ? after ^ game_->send_keys[info.sends] : after;
    }
    int score() const { return now().score; }
    bool is_over() const { return now().winner != NOBODY || now().free == 0; }
    Side line_winner() const { return now().winner; }  // by a line (or, in misère, by the opponent's line)
    Side winner() const;                               // counts blocks too, where the game says so
    int block_to_play() const { return now().block_to_play; }
    int owner(int block) const { return owners_[block]; }

    Side at(int cell) const {
        if (marks_[X][cell >> 6] >> (cell & 63) & 1) return X;
        return marks_[O][cell >> 6] >> (cell & 63) & 1 ? O : NOBODY;
    }
    bool is_legal(int cell) const {
        return cell >= 0 && cell < game_->cells() && !is_over() && (legal_word(cell >> 6) >> (cell & 63) & 1);
    }

    // Sets of cells, one word at a time. All are exact, for either side whoever is to move.
    Word marks_word(Side side, int w) const { return marks_[side][w]; }
    Word empty_word(int w) const { return ~(marks_[X][w] | marks_[O][w]) & game_->all_cells[w]; }
    Word playable_word(int w) const { return ready_[w] & ~closed_[w]; }  // wherever the last move sends
    Word legal_word(int w) const {
        int block = now().block_to_play;
        return block < 0 ? playable_word(w) : playable_word(w) & game_->block_mask(block)[w];
    }
    // Empty cells of undecided blocks that would complete a line of `side`, playable or not.
    Word completing_word(Side side, int w) const {
        return completing_[side][w] & ~decided_[w] & ~(marks_[X][w] | marks_[O][w]);
    }
    // What the last move changed of the completing sets: each cell twice, plus one for O. Where there are no guards,
    // these are cells it made completing.
    std::span<const std::uint16_t> completing_changes() const {
        return {changes_.data() + frames_[ply_ - 1].changes, changes_.data() + frames_[ply_].changes};
    }
    // Lines that lack two cells of `side`'s and have no mark of the other: where a threat can be made. For games of one
    // block.
    bool has_pairs(Side side) const {
        if (game_->keeps_pairs())
            return std::any_of(pairs_[side].begin(), pairs_[side].end(), [](Word word) { return word != 0; });
        return std::any_of(lines_.begin(), lines_.end(), [side](LineState line) { return lacks_two(line, side); });
    }
    // Calls `visit(line)` for each of them, in ascending order.
    template <typename Visit>
    void for_each_pair(Side side, Visit&& visit) const {
        if (game_->keeps_pairs())
            for (std::size_t w = 0; w < pairs_[side].size(); ++w)
                for_each_bit(pairs_[side][w], static_cast<int>(w) * 64, visit);
        else
            for (std::size_t i = 0; i < lines_.size(); ++i)
                if (lacks_two(lines_[i], side)) visit(static_cast<int>(i));
    }
    LineState line(int index) const { return lines_[index]; }
    LineState outer_line(int index) const { return outer_[index]; }
    const LineState* lines() const { return lines_.data(); }  // all of them, in the game's order
    const LineState* outer_lines() const { return outer_.data(); }
    int free_in(int block) const { return free_in_[block]; }

    template <typename Visit>
    void for_each_legal(Visit&& visit) const {
        if (is_over()) return;
        for (int w = 0; w < words_; ++w) for_each_bit(legal_word(w), w * 64, visit);
    }
    int count_legal() const;

    // A complete line of the winner's (of the loser's, in misère) as cells, or as blocks where there are several
    // blocks; empty when there is none.
    std::vector<int> winning_line() const;
    std::size_t bytes() const;  // what the position occupies

  private:
    void allocate();
    template <bool KEEP_PAIRS>
    bool mark_lines(int cell, Side side, Frame& frame);
    void mark_guards(int cell, Side side, Frame& frame);
    void note_completing(int cell, Side side, Frame& frame);
    void toggle_completing(int cell, Side side) { completing_[side][cell >> 6] ^= Word{1} << (cell & 63); }
    void toggle_pair(int line, Side side) { pairs_[side][line >> 6] ^= Word{1} << (line & 63); }
    void note_pair(int line, Side side, Frame& frame) {
        toggle_pair(line, side);
        pair_changes_[frame.pair_changes++] = static_cast<std::uint32_t>(line * 2 + side);
    }
    void find_completing();
    void find_pairs();
    bool completes_elsewhere(int cell, Side side) const;
    void decide(int block, int owner, Frame& frame);
    void reopen(int block, int owner);
    void mark_outer(int block, int owner, Frame& frame);
    void send(int cell, Frame& frame);
    bool can_be_sent_to(int block) const {
        return game_->keeps_won_blocks_open() ? free_in_[block] > 0 : owners_[block] == NOBODY;
    }

    void check_setup(std::span<const int> cells, Side turn, int block_to_play, std::span<const int> owners) const;
    void place_marks(std::span<const int> cells);
    void settle_blocks(std::span<const int> owners, Side last_mover);
    int completed_in(int block) const;
    int owner_in_setup(int block, std::span<const int> owners) const;
    void check_support() const;

    std::shared_ptr<const Game> game_;
    int words_;
    int ply_ = 0;
    Side turn_ = X;
    std::vector<LineState> lines_, outer_;
    std::vector<Word> marks_[2], ready_, decided_, closed_;
    std::vector<Word> completing_[2];     // members stay when their cell is filled: undo then finds them again
    std::vector<std::uint16_t> changes_;  // cells that entered (or, by a guard, left) a completing set, with the side
    std::vector<Word> pairs_[2];          // sets of lines; empty where the game does not keep them
    std::vector<std::uint32_t> pair_changes_;  // lines that entered or left a set of pairs, with the side
    std::vector<Frame> frames_;
    std::vector<std::uint8_t> missing_supports_;  // per cell; only with gravity
    std::vector<std::int8_t> owners_;
    std::vector<std::int16_t> free_in_;
    std::vector<std::int32_t> block_scores_;
};

inline void Position::note_completing(int cell, Side side, Frame& frame) {
    if (completing_[side][cell >> 6] >> (cell & 63) & 1) return;
    toggle_completing(cell, side);
    changes_[frame.changes++] = static_cast<std::uint16_t>(cell * 2 + side);
}

template <bool KEEP_PAIRS>
inline bool Position::mark_lines(int cell, Side side, Frame& frame) {
    const CellInfo& info = game_->cell_info[cell];
    const LineState delta = mark_delta(side, cell), mask = RIVAL_MASK[side];
    const std::int16_t* scores = game_->line_scores.data();
    const std::uint16_t* indices = game_->lines_of.values.data();
    LineState* lines = lines_.data();
    int gain = 0;
    bool complete = false;
    for (std::uint32_t i = info.first_line; i != info.last_line; ++i) {
        LineState& line = lines[indices[i]];
        const LineState before = line, after = before + delta;
        line = after;
        gain += scores[after & CLASS_MASK] - scores[before & CLASS_MASK];
        const LineState rest = after & mask;
        if constexpr (KEEP_PAIRS) {
            if (lacks_two(before, 1 - side)) note_pair(indices[i], 1 - side, frame);
            if (rest == TWO_EMPTY) note_pair(indices[i], side, frame);
        }
        if (rest == ONE_EMPTY) {
            note_completing(sum_of_empties(after), side, frame);
            if constexpr (KEEP_PAIRS) note_pair(indices[i], side, frame);
        }
        complete |= rest == 0;
    }
    frame.old_block_score = block_scores_[info.block];
    block_scores_[info.block] += gain;
    // A decided block that is still open has left the score already.
    if (owners_[info.block] == NOBODY) frame.score += gain;
    return complete;
}

inline void Position::send(int cell, Frame& frame) {
    std::uint64_t change = frame.block_to_play >= 0 ? game_->send_keys[frame.block_to_play] : 0;
    int block = game_->cell_info[cell].sends;
    const bool over = frame.winner != NOBODY || frame.free == 0;
    if (block >= 0 && (over || !can_be_sent_to(block))) block = -1;
    if (block >= 0) change ^= game_->send_keys[block];
    frame.block_to_play = static_cast<std::int16_t>(block);
    frame.hash ^= change;
    frame.key ^= change;
}

inline void Position::play(int cell) {
    assert(is_legal(cell));
    const Game& game = *game_;
    const CellInfo& info = game.cell_info[cell];
    const Side side = turn_;
    const Frame& last = frames_[ply_];
    Frame& frame = frames_[++ply_];
    // Field by field: a block copy would wait for the small stores of the move before.
    frame.hash = last.hash ^ info.keys[side];
    frame.key = last.key ^ info.keys[side] ^ TURN_KEY;
    frame.outer_completing[X] = last.outer_completing[X];
    frame.outer_completing[O] = last.outer_completing[O];
    frame.score = last.score;
    frame.changes = last.changes;
    frame.pair_changes = last.pair_changes;
    frame.block_to_play = last.block_to_play;
    frame.cell = static_cast<std::int16_t>(cell);
    frame.free = static_cast<std::int16_t>(last.free - 1);
    frame.winner = NOBODY;
    frame.decided = NOBODY;
    frame.won[X] = last.won[X];
    frame.won[O] = last.won[O];
    marks_[side][cell >> 6] |= Word{1} << (cell & 63);
    ready_[cell >> 6] &= ~(Word{1} << (cell & 63));
    const int free_in_block = --free_in_[info.block];
    const bool complete =
        game.keeps_pairs() ? mark_lines<true>(cell, side, frame) : mark_lines<false>(cell, side, frame);
    if (game.has_guards()) mark_guards(cell, side, frame);
    if (game.has_gravity())
        for (int above : game.carries[cell])
            if (--missing_supports_[above] == 0) ready_[above >> 6] |= Word{1} << (above & 63);
    if ((complete || free_in_block == 0) && owners_[info.block] == NOBODY)
        decide(info.block, complete ? side : DEAD, frame);
    if (game.blocks() > 1) send(cell, frame);
    turn_ = 1 - side;
}

inline void Position::undo() {
    assert(ply_ > 0);
    const Game& game = *game_;
    const Frame& frame = frames_[ply_--];
    for (std::uint32_t i = frame.changes; i > frames_[ply_].changes; --i)
        toggle_completing(changes_[i - 1] / 2, changes_[i - 1] % 2);
    for (std::uint32_t i = frame.pair_changes; i > frames_[ply_].pair_changes; --i)
        toggle_pair(pair_changes_[i - 1] / 2, pair_changes_[i - 1] % 2);
    const int cell = frame.cell;
    const CellInfo& info = game.cell_info[cell];
    const Side side = turn_ = 1 - turn_;
    if (frame.decided != NOBODY) reopen(info.block, frame.decided);
    if (game.has_gravity())
        for (int above : game.carries[cell])
            if (missing_supports_[above]++ == 0) ready_[above >> 6] &= ~(Word{1} << (above & 63));
    const LineState delta = mark_delta(side, cell);
    const std::uint16_t* indices = game.lines_of.values.data();
    LineState* lines = lines_.data();
    for (std::uint32_t i = info.first_line; i != info.last_line; ++i) lines[indices[i]] -= delta;
    if (game.has_guards())
        for (int i : game.guarded_by[cell]) lines[i] -= guard_delta(side);
    block_scores_[info.block] = frame.old_block_score;
    ++free_in_[info.block];
    marks_[side][cell >> 6] &= ~(Word{1} << (cell & 63));
    ready_[cell >> 6] |= Word{1} << (cell & 63);
}

// Plays on construction and takes back when it goes out of scope.
class ScopedMove {
  public:
    ScopedMove(Position& position, int cell) : position_(position) { position_.play(cell); }
    ~ScopedMove() { position_.undo(); }
    ScopedMove(const ScopedMove&) = delete;
    ScopedMove& operator=(const ScopedMove&) = delete;

  private:
    Position& position_;
};

// Positions reachable in exactly `depth` plies, counted once for each way; finished games go no further. Throws
// Interrupted when `interrupt` says true.
std::uint64_t perft(Position& position, int depth, const Interrupt& interrupt = {});

}  // namespace noughts
