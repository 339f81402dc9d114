#include "solve/exhaustive/line_patterns.hpp"

#include <algorithm>
#include <map>

namespace noughts {

std::vector<LinePatterns::Pattern> LinePatterns::find_patterns(const Game& game, const std::vector<int>& bit_of) {
    std::map<std::pair<std::vector<int>, std::vector<int>>, Word> starts;
    for (const LineData& line : game.data().lines) {
        std::vector<int> cells, guards;
        for (int cell : line.cells) cells.push_back(bit_of[cell]);
        for (int cell : line.guards) guards.push_back(bit_of[cell]);
        std::sort(cells.begin(), cells.end());
        std::sort(guards.begin(), guards.end());
        const int first = guards.empty() ? cells.front() : std::min(cells.front(), guards.front());
        for (int& cell : cells) cell -= first;
        for (int& cell : guards) cell -= first;
        starts[{cells, guards}] |= bit(first);
    }
    std::vector<Pattern> patterns;
    for (const auto& [distances, places] : starts) patterns.push_back({distances.first, distances.second, places});
    std::stable_sort(patterns.begin(), patterns.end(),
                     [](const Pattern& a, const Pattern& b) { return a.offsets.size() < b.offsets.size(); });
    return patterns;
}

LinePatterns::LinePatterns(const Game& game, const std::vector<int>& bit_of) {
    int lane = LANES;
    for (const Pattern& pattern : find_patterns(game, bit_of)) {
        const int length = static_cast<int>(pattern.offsets.size());
        if (lane == LANES || groups_.back().length != length) {
            groups_.emplace_back().length = length;
            lane = 0;
        }
        Group& group = groups_.back();
        group.starts[lane] = pattern.starts;
        for (int i = 0; i < length; ++i) group.offset[i][lane] = static_cast<Word>(pattern.offsets[i]);
        if (group.guards.size() < pattern.guards.size())
            group.guards.resize(pattern.guards.size(), Guard{Lanes{}, Lanes{}});
        for (std::size_t i = 0; i < pattern.guards.size(); ++i) {
            group.guards[i].offset[lane] = static_cast<Word>(pattern.guards[i]);
            group.guards[i].exists[lane] = ~Word{0};
        }
        ++lane;
    }
}

}  // namespace noughts
