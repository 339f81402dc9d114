#include "rules/game.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "support/require.hpp"

namespace noughts {
namespace {

// Least number of lines with which positions maintain the sets of lines that lack two cells.
constexpr int MANY_LINES = 256;

void require_all_in_range(const std::vector<int>& values, int low, int limit, const char* what) {
    for (int value : values)
        require(low <= value && value < limit, std::string("expected ") + what + " from " + std::to_string(low) +
                                                   " to " + std::to_string(limit - 1) + ", got " +
                                                   std::to_string(value));
}

void require_distinct(std::vector<int> values, const char* what) {
    std::sort(values.begin(), values.end());
    require(std::adjacent_find(values.begin(), values.end()) == values.end(),
            std::string("expected distinct cells in a ") + what);
}

// Converts pairs (row, value) to Rows; values keep their order.
Rows rows_from(int count, const std::vector<std::pair<int, int>>& pairs) {
    Rows rows;
    rows.start.assign(count + 1, 0);
    for (auto [row, value] : pairs) ++rows.start[row + 1];
    for (int i = 0; i < count; ++i) rows.start[i + 1] += rows.start[i];
    rows.values.resize(pairs.size());
    auto next = rows.start;
    for (auto [row, value] : pairs) rows.values[next[row]++] = static_cast<std::uint16_t>(value);
    return rows;
}

LineState empty_line(const std::vector<int>& cells) {
    LineState sum = 0;
    for (int cell : cells) sum += static_cast<LineState>(cell);
    return (sum << SUM_SHIFT) | (static_cast<LineState>(cells.size()) << EMPTIES_SHIFT);
}

// Whether every cell can be reached by filling cells from the ground up, which means that no cell rests on itself.
bool every_cell_is_reachable(const std::vector<std::vector<int>>& rests_on, const Rows& carries) {
    std::vector<int> missing, ready;
    for (const auto& below : rests_on) missing.push_back(static_cast<int>(below.size()));
    for (std::size_t cell = 0; cell < missing.size(); ++cell)
        if (missing[cell] == 0) ready.push_back(static_cast<int>(cell));
    std::size_t reached = 0;
    while (!ready.empty()) {
        int cell = ready.back();
        ready.pop_back();
        ++reached;
        for (int above : carries[cell])
            if (--missing[above] == 0) ready.push_back(above);
    }
    return reached == missing.size();
}

int weight_of(const std::vector<int>& weights, int marks) {
    if (weights.empty()) return 0;
    return weights[std::min<std::size_t>(marks, weights.size() - 1)];
}

// The weight of every line class for X. With guards, marks on guards are added to the marks field; if all lines have
// the same length, the true number of marks of the only side present is that length minus the empty cells.
std::vector<std::int16_t> score_table(const std::vector<int>& weights, int common_length) {
    std::vector<std::int16_t> table(CLASS_MASK + 1, 0);
    for (LineState line = 0; line <= CLASS_MASK; ++line) {
        int x = marks_of(line, X), o = marks_of(line, O);
        if ((x > 0) == (o > 0)) continue;
        int marks = common_length > 0 ? common_length - empties_of(line) : std::max(x, o);
        if (marks < 0 || marks > MAX_LINE_LENGTH) continue;
        int worth = weight_of(weights, marks);
        table[line] = static_cast<std::int16_t>(x > 0 ? worth : -worth);
    }
    return table;
}

}  // namespace

Game::Game(GameData data) : data_(std::move(data)) {
    if (data_.outer_lines.empty()) data_.outer_lines = {{0}};
    require(1 <= data_.cells && data_.cells <= MAX_CELLS,
            "expected 1 to " + std::to_string(MAX_CELLS) + " cells, got " + std::to_string(data_.cells));
    if (data_.block_of.empty()) data_.block_of.assign(data_.cells, 0);
    if (data_.sends.empty()) data_.sends.assign(data_.cells, -1);
    if (data_.rests_on.empty()) data_.rests_on.assign(data_.cells, {});
    check();
    words_ = words_for(data_.cells);
    index_lines();
    rank_centrality();
    index_gravity();
    index_blocks();
    make_keys();
    make_scores();
    keeps_pairs_ = blocks_ == 1 && lines() >= MANY_LINES;
}

void Game::check() const {
    const int cells = data_.cells;
    require(data_.lines.size() <= MAX_LINES,
            "expected at most " + std::to_string(MAX_LINES) + " lines, got " + std::to_string(data_.lines.size()));
    for (const auto& line : data_.lines) {
        require(!line.cells.empty() && line.cells.size() <= MAX_LINE_LENGTH,
                "expected lines of 1 to " + std::to_string(MAX_LINE_LENGTH) + " cells, got " +
                    std::to_string(line.cells.size()));
        require(line.guards.size() <= MAX_GUARDS, "expected at most " + std::to_string(MAX_GUARDS) +
                                                      " guards on a line, got " + std::to_string(line.guards.size()));
        require_all_in_range(line.cells, 0, cells, "cells of a line");
        require_all_in_range(line.guards, 0, cells, "guards of a line");
        auto all = line.cells;
        all.insert(all.end(), line.guards.begin(), line.guards.end());
        require_distinct(all, "line and its guards");
    }
    require(static_cast<int>(data_.rests_on.size()) == cells, "expected what each cell rests on, for every cell");
    require(static_cast<int>(data_.block_of.size()) == cells, "expected a block for every cell");
    require(static_cast<int>(data_.sends.size()) == cells, "expected where each cell sends, for every cell");
    for (const auto& below : data_.rests_on) {
        require_all_in_range(below, 0, cells, "cells to rest on");
        require_distinct(below, "list of cells to rest on");
        require(below.size() <= 255, "expected a cell to rest on at most 255 others");
    }
    require_all_in_range(data_.block_of, 0, MAX_BLOCKS, "blocks");
    check_blocks();
    check_weights();
}

// Blocks are independent boards: lines, guards and gravity stay within one block.
void Game::check_blocks() const {
    const int blocks = *std::max_element(data_.block_of.begin(), data_.block_of.end()) + 1;
    for (int block = 0; block < blocks; ++block)
        require(std::ranges::count(data_.block_of, block) > 0,
                "expected a cell in block " + std::to_string(block) + ", got none");
    const auto require_one_block = [&](int block, const std::vector<int>& others, const char* what) {
        const bool holds = std::ranges::all_of(others, [&](int cell) { return data_.block_of[cell] == block; });
        require(holds, std::string("expected ") + what + " in one block, got several");
    };
    for (const auto& line : data_.lines) {
        require_one_block(data_.block_of[line.cells.front()], line.cells, "the cells of a line");
        require_one_block(data_.block_of[line.cells.front()], line.guards, "a line and its guards");
    }
    for (int cell = 0; cell < data_.cells; ++cell)
        require_one_block(data_.block_of[cell], data_.rests_on[cell], "a cell and what it rests on");
    require_all_in_range(data_.sends, -1, blocks, "blocks to send to");
    require(data_.outer_lines.size() <= MAX_LINES, "expected at most " + std::to_string(MAX_LINES) +
                                                       " outer lines, got " + std::to_string(data_.outer_lines.size()));
    for (const auto& line : data_.outer_lines) {
        require(!line.empty() && line.size() <= MAX_LINE_LENGTH, "expected outer lines of 1 to 15 blocks");
        require_all_in_range(line, 0, blocks, "blocks of an outer line");
        require_distinct(line, "outer line");
    }
}

// The evaluation adds up the weights of all lines, outer lines and blocks in 32 bits: these bounds prevent an overflow.
void Game::check_weights() const {
    const Weights& weights = data_.weights;
    std::vector<int> all = weights.line;
    all.insert(all.end(), weights.outer.begin(), weights.outer.end());
    for (int weight :
         {weights.tempo, weights.block, weights.free_move, weights.exposed, weights.threatened, weights.lined_up})
        all.push_back(weight);
    require_all_in_range(all, -MAX_WEIGHT, MAX_WEIGHT + 1, "weights");
    static_assert((3LL * MAX_LINES + 3 * MAX_BLOCKS + 4) * MAX_WEIGHT <= std::numeric_limits<int>::max());
}

void Game::index_lines() {
    std::vector<std::pair<int, int>> through, guarding, members;
    for (int i = 0; i < lines(); ++i) {
        for (int cell : data_.lines[i].cells) {
            through.emplace_back(cell, i);
            members.emplace_back(i, cell);
        }
        for (int cell : data_.lines[i].guards) guarding.emplace_back(cell, i);
        start_lines_.push_back(empty_line(data_.lines[i].cells));
    }
    lines_of_ = rows_from(cells(), through);
    cell_info_.resize(cells());
    for (int cell = 0; cell < cells(); ++cell) {
        cell_info_[cell].first_line = lines_of_.start[cell];
        cell_info_[cell].last_line = lines_of_.start[cell + 1];
    }
    guarded_by_ = rows_from(cells(), guarding);
    line_cells_ = rows_from(lines(), members);
    has_guards_ = !guarding.empty();
}

// A line counts more, the more other lines cross its cells. Otherwise the centre of a large board would not stand out,
// because most of its cells lie on equally many lines.
void Game::rank_centrality() {
    std::vector<std::int64_t> crossings(cells(), 0);
    for (const auto& line : data_.lines) {
        std::int64_t crossed = 0;
        for (int cell : line.cells) crossed += static_cast<std::int64_t>(lines_of_[cell].size());
        for (int cell : line.cells) crossings[cell] += crossed;
    }
    const std::int64_t most = std::max<std::int64_t>(1, *std::max_element(crossings.begin(), crossings.end()));
    for (std::int64_t crossing : crossings) centrality_.push_back(static_cast<std::uint8_t>(crossing * 60 / most));
}

void Game::index_gravity() {
    std::vector<std::pair<int, int>> pairs;
    for (int cell = 0; cell < cells(); ++cell) {
        for (int below : data_.rests_on[cell]) pairs.emplace_back(below, cell);
        supports_.push_back(static_cast<std::uint8_t>(data_.rests_on[cell].size()));
    }
    carries_ = rows_from(cells(), pairs);
    has_gravity_ = !pairs.empty();
    require(every_cell_is_reachable(data_.rests_on, carries_),
            "expected every cell to be reachable, but some rest on each other in a circle");
}

void Game::index_blocks() {
    blocks_ = *std::max_element(data_.block_of.begin(), data_.block_of.end()) + 1;
    block_masks_.assign(static_cast<std::size_t>(blocks_) * words_, 0);
    all_cells_ = CellSet(cells());
    std::vector<std::pair<int, int>> members, through;
    for (int cell = 0; cell < cells(); ++cell) {
        int block = data_.block_of[cell];
        cell_info_[cell].block = static_cast<std::uint8_t>(block);
        cell_info_[cell].sends = static_cast<std::int8_t>(data_.sends[cell]);
        members.emplace_back(block, cell);
        all_cells_.insert(cell);
        block_masks_[static_cast<std::size_t>(block) * words_ + word_of(cell)] |= bit(cell);
    }
    cells_of_ = rows_from(blocks_, members);
    for (std::size_t i = 0; i < data_.outer_lines.size(); ++i) {
        for (int block : data_.outer_lines[i]) through.emplace_back(block, static_cast<int>(i));
        start_outer_.push_back(empty_line(data_.outer_lines[i]));
        outer_masks_.push_back(0);
        for (int block : data_.outer_lines[i]) outer_masks_.back() |= bit(block);
    }
    outer_lines_of_ = rows_from(blocks_, through);
}

// The fingerprint covers everything that defines the rules. Each list is preceded by its length, so that different data
// never give the same sequence of numbers.
void Game::make_keys() {
    std::uint64_t print = mix(static_cast<std::uint64_t>(cells()));
    auto add = [&print](std::uint64_t value) { print = mix(print ^ mix(value)); };
    auto add_list = [&add](const std::vector<int>& values) {
        add(values.size());
        for (int value : values) add(static_cast<std::uint64_t>(value));
    };
    add(data_.lines.size());
    for (const auto& line : data_.lines) {
        add_list(line.cells);
        add_list(line.guards);
    }
    for (const auto& below : data_.rests_on) add_list(below);
    add_list(data_.block_of);
    add_list(data_.sends);
    add(data_.outer_lines.size());
    for (const auto& line : data_.outer_lines) add_list(line);
    add((data_.misere ? 1 : 0) | (data_.counts_blocks ? 2 : 0) | (data_.keeps_won_blocks_open ? 4 : 0));
    fingerprint_ = print;

    std::uint64_t next = 0;
    for (Side side : BOTH_SIDES)
        for (auto& info : cell_info_) info.keys[side] = mix(++next << 8);
    for (int block = 0; block < blocks_; ++block) send_keys_.push_back(mix(++next << 8));
    for (int block = 0; block < blocks_; ++block)
        owner_keys_.push_back({{mix((++next) << 8), mix((next << 8) + 1), mix((next << 8) + 2)}});
}

void Game::make_scores() {
    int common = data_.lines.empty() ? 0 : static_cast<int>(data_.lines.front().cells.size());
    for (const auto& line : data_.lines)
        if (static_cast<int>(line.cells.size()) != common) common = 0;
    line_scores_ = score_table(data_.weights.line, has_guards_ ? common : 0);
    outer_scores_ = score_table(data_.weights.outer, 0);
}

}  // namespace noughts
