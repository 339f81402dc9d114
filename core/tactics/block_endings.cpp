#include "tactics/block_endings.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace noughts {
namespace {

constexpr int MOST_CELLS = 9;   // cells of a block, and blocks of a board
constexpr int MASK_BITS = 9;    // of a mask in a key
constexpr int STORED_FROM = 6;  // least number of empty cells with which an ending is worth storing
constexpr std::int8_t UNKNOWN = 2;
constexpr std::size_t FRAMES = 256;

std::vector<std::uint16_t> lines_in(const Game& game, Block block) {
    std::vector<std::uint16_t> lines;
    const int first = game.cells_of(block).front();
    for (int i = 0; i < game.lines(); ++i) {
        if (game.block_of(game.line_cells(i).front()) != block) continue;
        std::uint16_t line = 0;
        for (const int cell : game.line_cells(i)) line = static_cast<std::uint16_t>(line | 1u << (cell - first));
        lines.push_back(line);
    }
    std::ranges::sort(lines);
    return lines;
}

}  // namespace

bool BlockEndings::fits(const Game& game) {
    if (game.has_one_block() || game.keeps_won_blocks_open() || game.has_gravity() || game.has_guards()) return false;
    const int blocks = game.blocks();
    if (blocks > MOST_CELLS || game.cells() != blocks * blocks) return false;
    for (Cell cell = 0; cell < game.cells(); ++cell)
        if (game.block_of(cell) != cell / blocks || game.sends(cell) != cell % blocks) return false;
    for (Block block = 1; block < blocks; ++block)
        if (lines_in(game, block) != lines_in(game, 0)) return false;
    return true;
}

BlockEndings::BlockEndings(const Game& game, std::size_t bytes, unsigned nodes_per_count)
    : game_(game),
      nodes_per_count_(nodes_per_count),
      cells_(game.blocks()),
      all_(static_cast<Mask>((1u << cells_) - 1)),
      lines_(lines_in(game, 0)),
      table_(bytes),
      frames_(FRAMES) {
    assert(fits(game));
    make_lines();
    make_symmetries();
    make_places();
}

void BlockEndings::make_lines() {
    completing_.assign(all_ + 1u, 0);
    is_open_.assign(all_ + 1u, 0);
    ternary_.assign(all_ + 1u, 0);
    has_line_.assign(all_ + 1u, 0);
    for (unsigned marks = 0; marks <= all_; ++marks) {
        for (const Mask line : lines_) {
            if (const Mask rest = line & ~marks; std::has_single_bit(rest)) completing_[marks] |= rest;
            if ((line & marks) == 0) is_open_[marks] = 1;
        }
        for (const Word line : game_.outer_masks()) has_line_[marks] |= (line & ~Word{marks}) == 0 ? 1 : 0;
        for (int cell = cells_; cell-- > 0;)
            ternary_[marks] = static_cast<std::uint16_t>(3 * ternary_[marks] + (marks >> cell & 1));
    }
}

// Finds the symmetries of a square that preserve the lines, and tabulates the images of all sets of marks.
void BlockEndings::make_symmetries() {
    int side = 1;
    while (side * side < cells_) ++side;
    for (int kind = 0; kind < 8; ++kind) {
        std::vector<Mask> images(all_ + 1u, 0);
        for (unsigned marks = 1; marks <= all_; ++marks) {
            const int cell = std::countr_zero(marks);
            int x = cell % side, y = cell / side;
            if (kind & 1) x = side - 1 - x;
            if (kind & 2) y = side - 1 - y;
            if (kind & 4) std::swap(x, y);
            images[marks] = static_cast<Mask>(images[marks & (marks - 1)] | 1u << (y * side + x));
        }
        const bool preserves_lines =
            std::ranges::all_of(lines_, [&](Mask line) { return std::ranges::count(lines_, images[line]) > 0; });
        if (kind == 0 || preserves_lines) images_.push_back(std::move(images));
    }
}

// For each pair of blocks, the least pair of places to which a symmetry, or exchanging the two blocks, can map it.
void BlockEndings::make_places() {
    places_.assign(cells_, std::vector<Places>(cells_));
    for (int a = 0; a < cells_; ++a)
        for (int b = 0; b < cells_; ++b) {
            Places& best = places_[a][b];
            best = {{a, b}, false, 0};
            for (int symmetry = 0; symmetry < static_cast<int>(images_.size()); ++symmetry)
                for (const bool exchange : {false, true}) {
                    std::array<int, 2> cells = {std::countr_zero(images_[symmetry][1u << a]),
                                                std::countr_zero(images_[symmetry][1u << b])};
                    if (exchange) std::swap(cells[0], cells[1]);
                    if (cells < best.cells) best = {cells, exchange, symmetry};
                }
        }
}

// --- from positions to endings ------------------------------------------------------------------------------------

bool BlockEndings::covers(const Position& position) const {
    if (position.now().free > 2 * cells_) return false;
    int open = 0;
    for (Block block = 0; block < game_.blocks(); ++block) open += position.is_decided(block) ? 0 : 1;
    return open <= 2;
}

// The open blocks; the second is NO_BLOCK if there is only one.
std::array<int, 2> BlockEndings::open_blocks(const Position& position) const {
    std::array<int, 2> open = {NO_BLOCK, NO_BLOCK};
    int count = 0;
    for (Block block = 0; block < game_.blocks(); ++block)
        if (!position.is_decided(block)) open[count++] = block;
    return open;
}

BlockEndings::Marks BlockEndings::marks_in(const Position& position, Block block, int symmetry) const {
    const auto marks_of_side = [&](Side side) {
        const CellSet& marks = position.marks(side);
        const int first = block * cells_, word = word_of(first), shift = first % WORD_BITS;
        Word cells = marks.word(word) >> shift;
        if (shift + cells_ > WORD_BITS) cells |= marks.word(word + 1) << (WORD_BITS - shift);
        return images_[symmetry][cells & all_];
    };
    return {marks_of_side(position.turn()), marks_of_side(opponent(position.turn()))};
}

// The result if each side has won these blocks: by a line or, if no block is open any more, by counting. CONTINUES if
// the game is not over.
int BlockEndings::result(Word own, Word rival, bool is_last) const {
    if (has_line_[own]) return game_.misere() ? -1 : 1;
    if (has_line_[rival]) return game_.misere() ? 1 : -1;
    if (!is_last) return CONTINUES;
    const int more = game_.counts_blocks() ? std::popcount(own) - std::popcount(rival) : 0;
    return more > 0 ? 1 : more < 0 ? -1 : 0;
}

BlockEndings::Results BlockEndings::last_results(const Position& position, Block block) const {
    const Word own = position.now().won[position.turn()], rival = position.now().won[opponent(position.turn())];
    return {static_cast<std::int8_t>(result(own | bit(block), rival, true)),
            static_cast<std::int8_t>(result(own, rival | bit(block), true)),
            static_cast<std::int8_t>(result(own, rival, true))};
}

// Results that cannot occur, because the game would have ended before, are set to 0, so that effects that differ only
// there are equal.
BlockEndings::Effect BlockEndings::effect_of(const Position& position, Block first, Block second) const {
    const Word own = position.now().won[position.turn()], rival = position.now().won[opponent(position.turn())];
    const auto add = [](Word blocks, Block block, int outcome, int wanted) {
        return outcome == wanted ? blocks | bit(block) : blocks;
    };
    Effect effect;
    for (int a = 0; a < OUTCOMES; ++a) {
        const Word own_a = add(own, first, a, OWN), rival_a = add(rival, first, a, RIVAL);
        effect.first[0][a] = static_cast<std::int8_t>(result(own_a, rival_a, false));
        effect.first[1][a] =
            static_cast<std::int8_t>(result(add(own, second, a, OWN), add(rival, second, a, RIVAL), false));
        for (int b = 0; b < OUTCOMES; ++b)
            effect.final[a][b] =
                static_cast<std::int8_t>(result(add(own_a, second, b, OWN), add(rival_a, second, b, RIVAL), true));
    }
    for (int a = 0; a < OUTCOMES; ++a)
        for (int b = 0; b < OUTCOMES; ++b)
            if (effect.first[0][a] != CONTINUES && effect.first[1][b] != CONTINUES) effect.final[a][b] = 0;
    return effect;
}

BlockEndings::Results BlockEndings::swapped(const Results& results) {
    const auto negated = [](int result) { return static_cast<std::int8_t>(result == CONTINUES ? CONTINUES : -result); };
    return {negated(results[RIVAL]), negated(results[OWN]), negated(results[DEAD])};
}

BlockEndings::Effect BlockEndings::swapped(const Effect& effect) {
    return {{swapped(effect.first[0]), swapped(effect.first[1])},
            {swapped(effect.final[RIVAL]), swapped(effect.final[OWN]), swapped(effect.final[DEAD])}};
}

std::uint64_t BlockEndings::code_of(const Effect& effect, const Places& places) {
    const std::uint64_t number = effects_.try_emplace(effect, effects_.size()).first->second;
    return number << (4 * MASK_BITS + 2) | static_cast<std::uint64_t>(places.cells[0] * MOST_CELLS + places.cells[1])
                                               << 57;
}

// The frame of two open blocks, from a cache, because computing it takes longer than most searches.
const BlockEndings::Frame& BlockEndings::frame_of(const Position& position, Block first, Block second) {
    const Word own = position.now().won[position.turn()], rival = position.now().won[opponent(position.turn())];
    const std::uint64_t board =
        ((own << MASK_BITS | rival) << 4 | static_cast<Word>(first)) << 4 | static_cast<Word>(second);
    Frame& frame = frames_[mix(board) % frames_.size()];
    if (frame.board == board) return frame;
    frame.board = board;
    frame.places = &places_[first][second];
    if (frame.places->is_exchanged) std::swap(first, second);
    frame.effects[0] = effect_of(position, first, second);
    frame.effects[1] = swapped(frame.effects[0]);
    for (int turn : {0, 1}) frame.codes[turn] = code_of(frame.effects[turn], *frame.places);
    return frame;
}

bool BlockEndings::reaches(const Position& position, int goal, WorkLimit& limit) {
    limit_ = &limit;
    auto [first, second] = open_blocks(position);
    if (second == NO_BLOCK) return value_of_last(marks_in(position, first, 0), last_results(position, first)) >= goal;
    frame_ = &frame_of(position, first, second);
    const Places& places = *frame_->places;
    if (places.is_exchanged) std::swap(first, second);
    const Block to_play = position.block_to_play();
    const Ending ending{{marks_in(position, first, places.symmetry), marks_in(position, second, places.symmetry)},
                        to_play == first    ? 0
                        : to_play == second ? 1
                                            : EITHER};
    return search(ending, 0, goal);
}

// --- one open block -----------------------------------------------------------------------------------------------

int BlockEndings::value_of_last(Marks marks, const Results& results) {
    if (results[OWN] == results[RIVAL] && results[OWN] == results[DEAD]) return results[OWN];
    auto& values = last_values_[9 * (results[OWN] + 1) + 3 * (results[RIVAL] + 1) + results[DEAD] + 1];
    if (values.empty()) values.assign(ternary_[all_] * 2 + 1, UNKNOWN);
    const std::size_t at = ternary_[marks.own] + 2u * ternary_[marks.rival];
    if (values[at] != UNKNOWN) return values[at];
    int best = -1;
    for (unsigned empty = all_ & ~(marks.own | marks.rival); empty != 0 && best < 1; empty &= empty - 1)
        best = std::max(best, value_of_last_move(marks, results, static_cast<Mask>(empty & (~empty + 1))));
    values[at] = static_cast<std::int8_t>(best);
    return best;
}

int BlockEndings::value_of_last_move(Marks marks, const Results& results, Mask cell) {
    if (completing_[marks.own] & cell) return results[OWN];
    const Mask own = marks.own | cell;
    if ((own | marks.rival) == all_) return results[DEAD];
    return -value_of_last({marks.rival, own}, swapped(results));
}

// --- two open blocks ----------------------------------------------------------------------------------------------

std::uint64_t BlockEndings::key_of(const Ending& ending, int turn) const {
    std::uint64_t key = static_cast<std::uint64_t>(ending.to_play);
    for (const auto& [own, rival] : ending.marks) key = (key << MASK_BITS | own) << MASK_BITS | rival;
    return key | frame_->codes[turn];
}

// The results that are still possible, given the lines still open in the two blocks.
Bounds BlockEndings::possible_results(const Ending& ending, int turn) const {
    const Effect& effect = frame_->effects[turn];
    Bounds bounds{1, -1};
    const auto add = [&](int result) { bounds = {std::min(bounds.lower, result), std::max(bounds.upper, result)}; };
    const auto can_be = [&](int block, int outcome) {
        const auto& [own, rival] = ending.marks[block];
        return outcome == DEAD || is_open_[outcome == OWN ? rival : own];
    };
    for (int a = 0; a < OUTCOMES; ++a) {
        if (can_be(1, a) && effect.first[1][a] != CONTINUES) add(effect.first[1][a]);
        if (!can_be(0, a)) continue;
        if (effect.first[0][a] != CONTINUES) add(effect.first[0][a]);
        for (int b = 0; b < OUTCOMES; ++b)
            if (can_be(1, b)) add(effect.final[a][b]);
    }
    return bounds;
}

// Whether the side to move reaches the goal; `turn` is 0 if that is the side with which the search began, else 1.
bool BlockEndings::search(const Ending& ending, int turn, int goal) {
    if (++nodes_ % nodes_per_count_ == 0) limit_->count_node();
    if (limit_->must_end()) return false;
    if (const int known = possible_results(ending, turn).reaches(goal)) return known > 0;
    const int empty = 2 * cells_ - std::popcount(static_cast<unsigned>(ending.marks[0].own | ending.marks[0].rival)) -
                      std::popcount(static_cast<unsigned>(ending.marks[1].own | ending.marks[1].rival));
    if (empty < STORED_FROM) return search_moves(ending, turn, goal);
    const std::uint64_t key = key_of(ending, turn);
    if (const int known = table_.probe(key).reaches(goal)) return known > 0;
    const std::uint64_t start = limit_->nodes();
    const bool reached = search_moves(ending, turn, goal);
    if (limit_->is_ended()) return false;
    table_.store(key, reached ? Bounds{goal, 1} : Bounds{-1, goal - 1}, limit_->nodes() - start);
    return reached;
}

// Tries the moves that decide a block first: they need no search.
bool BlockEndings::search_moves(const Ending& ending, int turn, int goal) {
    std::array<unsigned, 2> quiet = {0, 0};
    for (int block : {0, 1}) {
        if (ending.to_play == 1 - block) continue;
        const auto& [own, rival] = ending.marks[block];
        const unsigned empty = all_ & ~(own | rival);
        const unsigned taking = completing_[own] & empty;
        if (taking && value_after_decision(ending, turn, block, OWN) >= goal) return true;
        const bool is_last = std::has_single_bit(empty);
        if (is_last && !taking && value_after_decision(ending, turn, block, DEAD) >= goal) return true;
        quiet[block] = is_last ? 0 : empty & ~taking;
    }
    for (int block : {0, 1})
        for (unsigned cells = quiet[block]; cells != 0; cells &= cells - 1) {
            const int cell = std::countr_zero(cells);
            Ending next{{ending.marks[0].swapped(), ending.marks[1].swapped()}, EITHER};
            next.marks[block].rival |= static_cast<Mask>(1u << cell);
            if (cell == frame_->places->cells[0]) next.to_play = 0;
            if (cell == frame_->places->cells[1]) next.to_play = 1;
            if (!search(next, 1 - turn, 1 - goal)) return !limit_->is_ended();
            if (limit_->is_ended()) return false;
        }
    return false;
}

int BlockEndings::value_after_decision(const Ending& ending, int turn, int block, Outcome outcome) {
    const Effect& effect = frame_->effects[turn];
    if (effect.first[block][outcome] != CONTINUES) return effect.first[block][outcome];
    Results rest;
    for (int other = 0; other < OUTCOMES; ++other)
        rest[other] = block == 0 ? effect.final[outcome][other] : effect.final[other][outcome];
    return -value_of_last(ending.marks[1 - block].swapped(), swapped(rest));
}

}  // namespace noughts
