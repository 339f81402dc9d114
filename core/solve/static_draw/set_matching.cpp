#include "solve/static_draw/set_matching.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

#include "solve/static_draw/set_game.hpp"
#include "solve/static_draw/set_packing.hpp"

namespace noughts {
namespace {

constexpr int PACKING_TRIES_PER_NODE = 256;  // how many tries count as one node of work
// Takes a fraction of a second; boards of 200 cells need a thousandth of it.
constexpr std::size_t MOST_TRIAL_STEPS = 1 << 28;
// The value of a line that a pair stops, relative to the cost of a line that it only touches.
constexpr int STOPPED = 8;

}  // namespace

SetMatching::SetMatching(const Game& game)
    : game_(game),
      masks_(static_cast<std::size_t>(game.lines()) * game.words()),
      kin_(game.lines()),
      empty_on_(game.lines()),
      group_at_(game.lines()),
      owner_(game.cells()),
      reached_(game.cells()) {
    for (int i = 0; i < game.lines(); ++i)
        for (int cell : game.line_cells(i))
            masks_[static_cast<std::size_t>(i) * game.words() + word_of(cell)] |= bit(cell);
    find_kin();
}

// For each line, finds earlier lines that share two cells with it, the last ones first. The two bounds keep the time
// nearly linear in the number of lines; flat boards do not reach them.
void SetMatching::find_kin() {
    constexpr std::size_t MOST_KIN = 64, MOST_LINES_OF_CELL = 128;
    std::vector<int> shared(game_.lines());
    std::vector<std::size_t> lines_before(game_.cells());  // lines listed so far through each cell
    for (int i = 0; i < game_.lines(); ++i) {
        const auto for_each_before = [&](const auto& visit) {
            for (const Cell cell : game_.line_cells(i)) {
                const auto before = game_.lines_of(cell).first(lines_before[cell]);
                for (const int other : before.last(std::min(before.size(), MOST_LINES_OF_CELL))) visit(other);
            }
        };
        for_each_before([&](int other) {
            if (++shared[other] == 2) kin_[i].push_back(static_cast<Number>(other));
        });
        for_each_before([&](int other) { shared[other] = 0; });
        for (const Cell cell : game_.line_cells(i)) ++lines_before[cell];
        const std::size_t kept = std::min(kin_[i].size(), MOST_KIN);
        std::ranges::partial_sort(kin_[i], kin_[i].begin() + static_cast<std::ptrdiff_t>(kept), std::greater{});
        kin_[i].resize(kept);
        kin_[i].shrink_to_fit();
    }
}

bool SetMatching::find(const Position& position, Side maker, int most_cells) {
    return collect_lines(position, maker) && match(position.now().free, most_cells);
}

bool SetMatching::match(int free, int most_cells) {
    most_cells_ = most_cells;
    form_groups();
    if (2 * static_cast<int>(groups_.size()) > free + MOST_LACKING) return false;
    sets_.clear();
    splits_left_ = MOST_SPLITS;
    for (const int group : start_matching())
        if (!take_two_cells(group) && !repair_by_splitting(group) && !form_set(group)) return false;
    list_pairs();
    return sets_hold();
}

// Returns the groups in the order in which they choose their cells.
std::vector<int> SetMatching::start_matching() {
    std::ranges::fill(owner_, NOTHING);
    std::vector<int> order(groups_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](int group) { return groups_[group].common.count; });
    return order;
}

// Collects the lines open to the maker. Returns false if one of them has fewer than two empty cells: only the next move
// could stop it.
bool SetMatching::collect_lines(const Position& position, Side maker) {
    open_.clear();
    const auto& rival = position.marks(opponent(maker));
    const auto empty = position.empty_cells();
    for (int i = 0, n = game_.lines(); i < n; ++i) {
        const Word* mask = masks_.data() + static_cast<std::size_t>(i) * game_.words();
        bool is_open = true;
        for (int w = 0; w < game_.words() && is_open; ++w) is_open = !(mask[w] & rival.word(w));
        if (!is_open) continue;
        Cells& cells = empty_on_[i];
        cells.count = 0;
        for (int w = 0; w < game_.words(); ++w)
            for_each_bit(mask[w] & empty.word(w), w * WORD_BITS, [&](int cell) { cells.add(cell); });
        if (cells.count < 2) return false;
        open_.push_back(static_cast<Number>(i));
    }
    return true;
}

// Forms groups: each line joins the last group of its kin that would still have two cells in common.
void SetMatching::form_groups() {
    groups_.clear();
    std::ranges::fill(group_at_, NOTHING);
    for (const Number line : open_) {
        for (const Number other : kin_[line])
            if (group_at_[other] != NOTHING && join(groups_[group_at_[other]], line)) {
                group_at_[line] = group_at_[other];
                break;
            }
        if (group_at_[line] != NOTHING) continue;
        group_at_[line] = static_cast<Number>(groups_.size());
        groups_.push_back(group_of({&line, 1}));
    }
}

bool SetMatching::join(Group& group, int line) const {
    if (group.lines == MOST_LINES) return false;
    Cells common;
    for (const Number cell : group.common.list())
        if (passes_through(line, cell)) common.add(cell);
    if (common.count < 2) return false;
    group.common = common;
    group.line[group.lines++] = static_cast<Number>(line);
    return true;
}

SetMatching::Group SetMatching::group_of(std::span<const Number> lines) const {
    Group group;
    group.common = empty_on_[lines.front()];
    group.line[group.lines++] = lines.front();
    for (const Number line : lines.subspan(1)) join(group, line);
    return group;
}

// --- pairs by trial -----------------------------------------------------------------------------------------------

// Repeatedly picks the line with the fewest cells left to choose from, and a pair that also stops as many other lines
// as possible.
bool SetMatching::find_pairs_by_trial(const Position& position, Side maker, WorkLimit* limit) {
    if (!collect_lines(position, maker)) return false;
    sets_.clear();
    std::ranges::fill(owner_, NOTHING);
    std::vector<Number> lines = open_;
    std::vector<Number> cells;
    const auto is_free = [&](Number cell) { return owner_[cell] == NOTHING; };
    const auto choice = [&](Number line) { return std::ranges::count_if(empty_on_[line].list(), is_free); };
    std::size_t steps = 0;
    while (!lines.empty()) {
        if (limit && limit->poll() && limit->is_spent()) return false;
        const Number tightest = *std::ranges::min_element(lines, {}, choice);
        cells.clear();
        std::ranges::copy_if(empty_on_[tightest].list(), std::back_inserter(cells), is_free);
        steps += cells.size() * cells.size() * lines.size();
        if (cells.size() < 2 || steps > MOST_TRIAL_STEPS) return false;
        const auto [a, b] = best_pair(cells, lines);
        owner_[a] = owner_[b] = IN_SET;
        sets_.push_back({a, b});
        std::erase_if(lines, [&](Number line) { return passes_through(line, a) && passes_through(line, b); });
    }
    return true;
}

// The pair of these cells that stops the most lines and takes cells from the fewest other lines.
std::pair<int, int> SetMatching::best_pair(std::span<const Number> cells, std::span<const Number> lines) const {
    std::pair<int, int> best;
    int best_score = std::numeric_limits<int>::min();
    for (std::size_t i = 0; i < cells.size(); ++i)
        for (std::size_t j = i + 1; j < cells.size(); ++j) {
            int score = 0;
            for (const Number line : lines) {
                const int through = passes_through(line, cells[i]) + passes_through(line, cells[j]);
                score += through == 2 ? STOPPED : -through;
            }
            if (score <= best_score) continue;
            best = {cells[i], cells[j]};
            best_score = score;
        }
    return best;
}

// --- sets packed by local search ----------------------------------------------------------------------------------

// In a grid, six lines need nine cells. Sets from a pool need fewer, but lines that are left over need pairs, so the
// search rarely succeeds with fewer cells than grids alone would need.
bool SetMatching::has_room_for_packing(const Position& position, Side maker) {
    return collect_lines(position, maker) && 3 * std::ssize(open_) <= 2 * position.now().free;
}

SetPacking SetMatching::start_packing(const Position& position, Side maker, const SetPool* pool, int tries) {
    collect_lines(position, maker);
    std::vector<std::vector<Number>> lines(game_.lines());
    for (const Number line : open_) lines[line].assign(empty_on_[line].list().begin(), empty_on_[line].list().end());
    return {std::move(lines), game_.cells(), pool, tries};
}

bool SetMatching::pack(const Position& position, Side maker, SetPacking& packing, WorkLimit& limit) {
    collect_lines(position, maker);
    const auto sets_are_valid = [&] {
        sets_.clear();
        for (const auto& pair : packing.pairs()) sets_.emplace_back(pair.begin(), pair.end());
        for (const auto& set : packing.sets()) sets_.emplace_back(set.cells.begin(), set.cells.end());
        return sets_hold();
    };
    while (packing.tries_left() > 0) {
        if (packing.find(PACKING_TRIES_PER_NODE, sets_are_valid)) return true;
        limit.count_node();
        if (limit.poll() && limit.is_spent()) return false;
    }
    return false;
}

// --- the matching -------------------------------------------------------------------------------------------------

// Gives the group one more cell, along a path of groups each of which gives up a cell for another one. Returns whether
// there is such a path.
bool SetMatching::start_attempt(int group) {
    ++attempt_;
    return take_cell(group);
}

bool SetMatching::take_cell(int group) {
    const auto cells = groups_[group].common.list();
    for (const Number cell : cells)
        if (owner_[cell] == NOTHING) {
            owner_[cell] = static_cast<Number>(group);
            return true;
        }
    for (const Number cell : cells) {
        if (is_reached(cell) || owner_[cell] == IN_SET) continue;
        reached_[cell] = attempt_;
        if (owner_[cell] == group || !take_cell(owner_[cell])) continue;
        owner_[cell] = static_cast<Number>(group);
        return true;
    }
    return false;
}

void SetMatching::release(int group) {
    for (const Number cell : groups_[group].common.list())
        if (owner_[cell] == group) owner_[cell] = NOTHING;
}

int SetMatching::cells_of(int group) const {
    return static_cast<int>(
        std::ranges::count_if(groups_[group].common.list(), [&](Number cell) { return owner_[cell] == group; }));
}

// After a failed attempt: splits one of the groups in the way, since each half has more cells in common.
bool SetMatching::repair_by_splitting(int failed) {
    std::vector<int> candidates{failed};
    for (const Number line : open_) {
        const int group = group_at_[line];
        if (groups_[group].line[0] != line || groups_[group].lines < 2 || group == failed) continue;
        if (std::ranges::any_of(groups_[group].common.list(),
                                [&](Number cell) { return owner_[cell] == group && is_reached(cell); }))
            candidates.push_back(group);
    }
    for (const int group : candidates)
        for (int first = 1; first < groups_[group].lines; ++first)
            if (splits_left_-- > 0 && split(group, first, failed)) return true;
    start_attempt(failed);  // marks the cells in the way again, which the splits marked otherwise
    return false;
}

bool SetMatching::split(int group, int first_lines, int failed) {
    owners_before_ = owner_;
    const Group whole = groups_[group];
    const auto lines = std::span<const Number>(whole.line).first(whole.lines);
    release(group);
    groups_[group] = group_of(lines.first(first_lines));
    const int added = static_cast<int>(groups_.size());
    groups_.push_back(group_of(lines.subspan(first_lines)));
    bool done = take_two_cells(group) && take_two_cells(added);
    for (int lacking = 2 - cells_of(failed); done && lacking > 0; --lacking) done = start_attempt(failed);
    if (done) {
        for (const Number line : lines.subspan(first_lines)) group_at_[line] = static_cast<Number>(added);
        return true;
    }
    groups_.pop_back();
    groups_[group] = whole;
    owner_.swap(owners_before_);
    return false;
}

// --- larger sets --------------------------------------------------------------------------------------------------

// After a failed attempt: makes a larger set of the groups that the attempt reached and of all their cells.
bool SetMatching::form_set(int failed) {
    std::vector<int> cells;
    for (int cell = 0; cell < game_.cells(); ++cell)
        if (is_reached(cell) || owner_[cell] == failed) cells.push_back(cell);
    if (std::ssize(cells) > most_cells_ || cells.size() < 3) return false;
    for (const int cell : cells) owner_[cell] = IN_SET;
    sets_.push_back(std::move(cells));
    return true;
}

void SetMatching::list_pairs() {
    std::vector<int> first(groups_.size(), NO_CELL);
    std::vector<std::vector<int>> pairs;
    for (int cell = 0; cell < game_.cells(); ++cell) {
        const Number group = owner_[cell];
        if (group == NOTHING || group == IN_SET) continue;
        if (first[group] == NO_CELL)
            first[group] = cell;
        else
            pairs.push_back({first[group], cell});
    }
    sets_.insert(sets_.begin(), pairs.begin(), pairs.end());
}

// Checks the larger sets by the rules for certificates: a line without a pair belongs to the larger set that holds most
// of its empty cells; of several, to the first.
bool SetMatching::sets_hold() const {
    const auto is_pair = [](const auto& set) { return set.size() == 2; };
    const auto larger = std::span(sets_).subspan(std::ranges::count_if(sets_, is_pair));
    if (larger.empty()) return true;
    std::vector<std::vector<Word>> lines(larger.size());
    for (const Number line : open_) {
        if (std::ranges::any_of(std::span(sets_).first(sets_.size() - larger.size()), [&](const auto& pair) {
                return passes_through(line, pair[0]) && passes_through(line, pair[1]);
            }))
            continue;
        std::size_t best = 0;
        Word most = 0;
        for (std::size_t s = 0; s < larger.size(); ++s) {
            Word part = 0;
            for (std::size_t i = 0; i < larger[s].size(); ++i)
                if (passes_through(line, larger[s][i])) part |= bit(static_cast<int>(i));
            if (std::popcount(part) <= std::popcount(most)) continue;
            best = s;
            most = part;
        }
        if (std::popcount(most) < 2 || lines[best].size() == static_cast<std::size_t>(SetGame::MOST_LINES))
            return false;
        lines[best].push_back(most);
    }
    return std::ranges::all_of(lines, [](const auto& some) { return SetGame().breaker_wins(some); });
}

}  // namespace noughts
