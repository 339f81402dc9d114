#include "solve/draw_arguments.hpp"

#include <algorithm>

namespace noughts {

DrawArguments::DrawArguments(const Game& game)
    : game_(game), masks_(static_cast<std::size_t>(game.lines()) * game.words()) {
    for (int i = 0; i < game.lines(); ++i)
        for (int cell : game.line_cells(i))
            masks_[static_cast<std::size_t>(i) * game.words() + word_of(cell)] |= bit(cell);
}

bool DrawArguments::open_to(const Position& position, int line, Side maker) const {
    for (int w = 0; w < game_.words(); ++w)
        if (masks_[static_cast<std::size_t>(line) * game_.words() + w] & position.marks(opponent(maker)).word(w))
            return false;
    return true;
}

bool DrawArguments::has_no_line(const Position& position, Side maker) const {
    const LineState mask = marks_mask(opponent(maker));
    const std::span<const LineState> lines = position.lines();
    for (int i = 0, n = game_.lines(); i < n; ++i)
        if (game_.has_guards() ? open_to(position, i, maker) : !(lines[i] & mask)) return false;
    return true;
}

int DrawArguments::count_open(const Position& position, Side maker) const {
    int count = 0;
    for (int i = 0, n = game_.lines(); i < n; ++i) count += open_to(position, i, maker);
    return count;
}

std::uint32_t DrawArguments::sum(const Position& position, Side maker) const {
    const LineState mask = marks_mask(opponent(maker));
    const std::span<const LineState> lines = position.lines();
    std::uint32_t total = 0;
    for (int i = 0, n = game_.lines(); i < n; ++i) {
        const bool open = game_.has_guards() ? open_to(position, i, maker) : !(lines[i] & mask);
        total += (open ? 1u << MAX_LINE_LENGTH : 0u) >> empties_of(lines[i]);
    }
    return total;
}

bool DrawArguments::sum_is_small(const Position& position, Side maker) const {
    constexpr std::uint32_t one = 1u << MAX_LINE_LENGTH;
    return sum(position, maker) < (position.turn() == maker ? one / 2 : one);
}

CellSet DrawArguments::live_cells(const Position& position) const {
    CellSet cells(game_.cells());
    for (int i = 0, n = game_.lines(); i < n; ++i)
        if (!is_dead(position.line(i)))
            for (int w = 0; w < game_.words(); ++w)
                cells.set_word(w, cells.word(w) | masks_[static_cast<std::size_t>(i) * game_.words() + w]);
    cells &= position.empty_cells();
    return cells;
}

// Whether every live line through `cell` passes through `other`, too.
bool DrawArguments::covers(const Position& position, int cell, int other) const {
    for (int line : game_.lines_of(cell))
        if (!is_dead(position.line(line)) &&
            !contains(masks_[static_cast<std::size_t>(line) * game_.words() + word_of(other)], other))
            return false;
    return true;
}

int DrawArguments::live_lines(const Position& position, int cell) const {
    int count = 0;
    for (int line : game_.lines_of(cell)) count += !is_dead(position.line(line));
    return count;
}

int DrawArguments::dominator(const Position& position, int cell) const {
    int fewest = -1;
    for (int line : game_.lines_of(cell))
        if (!is_dead(position.line(line)) &&
            (fewest < 0 || empties_of(position.line(line)) < empties_of(position.line(fewest))))
            fewest = line;
    if (fewest < 0) return -1;
    int best = -1, most = live_lines(position, cell);
    const int own = most;
    for (int other : game_.line_cells(fewest)) {
        if (other == cell || position.at(other) != NOBODY) continue;
        const int count = live_lines(position, other);
        const bool better = count > most || (count == own && best < 0 && other < cell);
        if (better && covers(position, cell, other)) best = other, most = count;
    }
    return best;
}

void DrawArguments::keep_undominated(const Position& position, CellSet& cells) const {
    cells.for_each([&](int cell) {
        if (dominator(position, cell) >= 0) cells.erase(cell);
    });
}

// Of the pairs of cells among `choice`, the one that serves most of the lines and takes cells from fewest others.
Word DrawArguments::best_pair(Word choice, std::span<const Word> lines) {
    Word best = 0;
    int best_score = 0;
    for (Word rest = choice; rest; rest &= rest - 1)
        for (Word others = rest & (rest - 1); others; others &= others - 1) {
            const Word pair = (rest & -rest) | (others & -others);
            int score = 0;
            for (const Word line : lines) score += (line & pair) == pair ? 8 : line & pair ? -1 : 0;
            if (best == 0 || score > best_score) best = pair, best_score = score;
        }
    return best;
}

// At most 64 cells: always the line with the fewest cells left to choose from.
std::vector<std::pair<int, int>> DrawArguments::find_narrow_pairing(const Position& position, Side maker) const {
    const Word rival = position.marks(opponent(maker)).word(0), empty = position.empty_cells().word(0);
    auto& lines = open_;
    lines.clear();
    for (const Word mask : masks_)
        if (!(mask & rival)) lines.push_back(mask & empty);
    std::vector<std::pair<int, int>> pairs;
    Word used = 0;
    while (!lines.empty()) {
        const Word* tightest = &lines.front();
        for (const Word& line : lines)
            if (std::popcount(line & ~used) < std::popcount(*tightest & ~used)) tightest = &line;
        const Word pair = best_pair(*tightest & ~used, lines);
        if (!pair) return {};
        used |= pair;
        pairs.emplace_back(lowest(pair), lowest(pair & (pair - 1)));
        std::erase_if(lines, [pair](Word line) { return (line & pair) == pair; });
    }
    return pairs;
}

// Greedy, the lines with the fewest free cells first: good enough for boards with room, and a failure costs little.
std::vector<std::pair<int, int>> DrawArguments::find_pairing(const Position& position, Side maker) const {
    if (game_.words() == 1) return find_narrow_pairing(position, maker);
    std::vector<std::pair<int, int>> order, pairs;
    for (int i = 0; i < game_.lines(); ++i)
        if (open_to(position, i, maker)) order.emplace_back(empties_of(position.line(i)), i);
    std::ranges::sort(order);
    std::vector<int> partner(game_.cells(), -1);
    for (auto [empties, line] : order) {
        const auto cells = game_.line_cells(line);
        if (std::ranges::any_of(cells, [&](int cell) {
                return partner[cell] >= 0 && std::ranges::find(cells, partner[cell]) != cells.end();
            }))
            continue;
        int first = -1, second = -1;  // the two free cells that fewest open lines want
        auto wanted = [&](int cell) { return live_lines(position, cell); };
        for (int cell : cells) {
            if (position.at(cell) != NOBODY || partner[cell] >= 0) continue;
            if (first < 0 || wanted(cell) < wanted(first))
                second = first, first = cell;
            else if (second < 0 || wanted(cell) < wanted(second))
                second = cell;
        }
        if (second < 0) return {};
        partner[first] = second;
        partner[second] = first;
        pairs.emplace_back(first, second);
    }
    return pairs;
}

}  // namespace noughts
