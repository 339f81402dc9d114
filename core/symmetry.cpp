// Colour refinement with individualisation: cells, lines, blocks and outer lines are the vertices of a graph; vertices
// are told apart by their neighbours until nothing changes; where cells still look alike, one is singled out and the
// refinement goes on. Two ways of singling out that end in matching colours give a candidate, which is then checked.
#include "symmetry.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

namespace noughts {
namespace {

using Colour = std::uint64_t;
using Colours = std::vector<Colour>;

constexpr std::uint64_t WORK_LIMIT = 400'000'000;  // edge visits: about a second
constexpr std::uint64_t SORTING = 16;              // what a cell costs each time the colours are sorted, in edge visits

struct GaveUp {};

struct Edge {
    std::uint32_t to;
    std::uint32_t label;
};

enum Label : std::uint32_t { LINE = 1, GUARD, BELOW, ABOVE, BLOCK, SENDS, SENT, OUTER };

class Graph {
   public:
    explicit Graph(const Game& game) : cells_(game.cells()) {
        const auto& data = game.data();
        const int first_line = cells_, first_block = first_line + game.lines();
        const int first_outer = first_block + game.blocks();
        edges_.resize(first_outer + data.outer_lines.size());
        start_.assign(edges_.size(), mix(1));
        for (int i = 0; i < game.lines(); ++i) {
            start_[first_line + i] = mix(2);
            for (int cell : data.lines[i].cells) join(cell, first_line + i, LINE, LINE);
            for (int cell : data.lines[i].guards) join(cell, first_line + i, GUARD, GUARD);
        }
        for (int cell = 0; cell < cells_; ++cell) {
            for (int below : data.rests_on[cell]) join(cell, below, BELOW, ABOVE);
            join(cell, first_block + data.block_of[cell], BLOCK, BLOCK);
            if (data.sends[cell] >= 0) join(cell, first_block + data.sends[cell], SENDS, SENT);
        }
        for (int block = 0; block < game.blocks(); ++block) start_[first_block + block] = mix(3);
        for (std::size_t i = 0; i < data.outer_lines.size(); ++i) {
            start_[first_outer + i] = mix(4);
            for (int block : data.outer_lines[i]) join(first_block + block, first_outer + static_cast<int>(i), OUTER, OUTER);
        }
    }

    int cells() const { return cells_; }
    const Colours& start() const { return start_; }

    // Colours vertices by their neighbours' colours until two rounds tell no more cells apart.
    void refine(Colours& colours) {
        Colours next(colours.size());
        int distinct = count(colours), quiet = 0;
        while (quiet < 2 && distinct < cells_) {
            for (std::size_t v = 0; v < colours.size(); ++v) {
                Colour sum = 0;
                for (Edge edge : edges_[v]) sum += mix(colours[edge.to] + edge.label);
                next[v] = mix(colours[v] * 3 + sum);
                work_ += edges_[v].size();
            }
            spend(SORTING * cells_);
            colours.swap(next);
            const int now = count(colours);
            quiet = now == distinct ? quiet + 1 : 0;
            distinct = now;
        }
    }

    // Counts work done; many cells on few lines cost little by their edges and much all the same.
    void spend(std::uint64_t work) {
        work_ += work;
        if (work_ > WORK_LIMIT) throw GaveUp{};
    }

    Colours single_out(const Colours& colours, int cell) {
        Colours result = colours;
        result[cell] = mix(result[cell] ^ 0x5bd1e995);
        refine(result);
        return result;
    }

    Colours sorted_cells(const Colours& colours) const {
        Colours result(colours.begin(), colours.begin() + cells_);
        std::sort(result.begin(), result.end());
        return result;
    }

    // The first cell, by colour, of the smallest class of look-alikes; nothing when all differ.
    std::optional<int> undecided_cell(const Colours& colours) const {
        const Colours sorted = sorted_cells(colours);
        Colour best = 0;
        std::size_t best_size = sorted.size() + 1;
        for (std::size_t i = 0; i < sorted.size();) {
            std::size_t j = i;
            while (j < sorted.size() && sorted[j] == sorted[i]) ++j;
            if (j - i > 1 && j - i < best_size) best_size = j - i, best = sorted[i];
            i = j;
        }
        if (best_size > sorted.size()) return std::nullopt;
        return static_cast<int>(std::find(colours.begin(), colours.begin() + cells_, best) - colours.begin());
    }

   private:
    void join(int a, int b, Label forth, Label back) {
        edges_[a].push_back({static_cast<std::uint32_t>(b), forth});
        edges_[b].push_back({static_cast<std::uint32_t>(a), back});
    }
    int count(const Colours& colours) const {
        Colours sorted = sorted_cells(colours);
        return static_cast<int>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
    }

    int cells_;
    std::vector<std::vector<Edge>> edges_;
    Colours start_;
    std::uint64_t work_ = 0;
};

// Decides whether permutations keep the game; holds the lines as sets so that each test is quick.
class Keeper {
   public:
    explicit Keeper(const Game& game) : game_(game), data_(game.data()) {
        for (const auto& line : data_.lines) lines_.insert(sorted(line.cells, line.guards));
        for (const auto& line : data_.outer_lines) outer_.insert(sorted(line, {}));
    }

    bool keeps(const Permutation& p) const { return is_permutation(p) && keeps_lines(p) && keeps_support(p) && keeps_blocks(p); }

   private:
    using Image = std::pair<std::vector<int>, std::vector<int>>;

    static Image sorted(std::vector<int> cells, std::vector<int> guards) {
        std::sort(cells.begin(), cells.end());
        std::sort(guards.begin(), guards.end());
        return {std::move(cells), std::move(guards)};
    }
    template <typename Map>
    static std::vector<int> mapped(const std::vector<int>& values, const Map& map) {
        std::vector<int> result;
        for (int value : values) result.push_back(map[value]);
        return result;
    }
    bool is_permutation(const Permutation& p) const {
        if (static_cast<int>(p.size()) != game_.cells()) return false;
        std::vector<bool> seen(p.size(), false);
        for (int cell : p) {
            if (cell >= game_.cells() || seen[cell]) return false;
            seen[cell] = true;
        }
        return true;
    }
    bool keeps_lines(const Permutation& p) const {
        return std::ranges::all_of(data_.lines, [&](const LineData& line) {
            return lines_.contains(sorted(mapped(line.cells, p), mapped(line.guards, p)));
        });
    }
    bool keeps_support(const Permutation& p) const {
        for (int cell = 0; cell < game_.cells(); ++cell)
            if (sorted(mapped(data_.rests_on[cell], p), {}) != sorted(data_.rests_on[p[cell]], {})) return false;
        return true;
    }
    bool keeps_blocks(const Permutation& p) const {
        std::vector<int> block_map(game_.blocks(), -1);
        for (int cell = 0; cell < game_.cells(); ++cell) {
            int& image = block_map[data_.block_of[cell]];
            if (image < 0) image = data_.block_of[p[cell]];
            if (image != data_.block_of[p[cell]]) return false;
        }
        for (int cell = 0; cell < game_.cells(); ++cell) {
            const int from = data_.sends[cell], to = data_.sends[p[cell]];
            if ((from < 0 ? -1 : block_map[from]) != to) return false;
        }
        return std::ranges::all_of(data_.outer_lines, [&](const auto& line) { return outer_.contains(sorted(mapped(line, block_map), {})); });
    }

    const Game& game_;
    const GameData& data_;
    std::set<Image> lines_, outer_;
};

// Finds a strong generating set: the automorphisms that fix ever fewer of the singled-out cells.
class Search {
   public:
    explicit Search(const Game& game) : graph_(game), keeper_(game) {}

    void run() {
        single_out_until_all_differ();
        for (int level = static_cast<int>(base_.size()) - 1; level >= 0; --level) explore(level);
        std::reverse(orbit_sizes.begin(), orbit_sizes.end());
    }

    std::vector<int> orbit_sizes;
    std::vector<Permutation> generators;

   private:
    void single_out_until_all_differ() {
        colours_.push_back(graph_.start());
        graph_.refine(colours_.back());
        while (auto cell = graph_.undecided_cell(colours_.back())) {
            base_.push_back(*cell);
            colours_.push_back(graph_.single_out(colours_.back(), *cell));
        }
    }

    void explore(int level) {
        const Colours& colours = colours_[level];
        const int pivot = base_[level];
        std::set<int> failed;
        for (int cell = 0; cell < graph_.cells(); ++cell) {
            if (cell == pivot || colours[cell] != colours[pivot]) continue;
            const auto orbits = orbits_now();
            if (orbits[cell] == orbits[pivot] || failed.contains(orbits[cell])) continue;
            Permutation image(graph_.cells());
            if (match(colours_[level + 1], graph_.single_out(colours, cell), image))
                generators.push_back(image);
            else
                failed.insert(orbits[cell]);
        }
        const auto orbits = orbits_now();
        orbit_sizes.push_back(static_cast<int>(std::count(orbits.begin(), orbits.end(), orbits[pivot])));
    }

    // Labels every cell with the least cell of its orbit under the generators found so far, all of which fix the
    // cells singled out before the level being explored.
    std::vector<int> orbits_now() {
        std::vector<int> label(graph_.cells());
        std::iota(label.begin(), label.end(), 0);
        for (bool changed = true; changed;) {
            changed = false;
            graph_.spend(generators.size() * label.size());
            for (const auto& generator : generators)
                for (int cell = 0; cell < graph_.cells(); ++cell) {
                    const int least = std::min(label[cell], label[generator[cell]]);
                    changed |= label[cell] != least || label[generator[cell]] != least;
                    label[cell] = label[generator[cell]] = least;
                }
        }
        return label;
    }

    bool match(const Colours& from, const Colours& to, Permutation& image) {
        graph_.spend(SORTING * 3 * graph_.cells());
        if (graph_.sorted_cells(from) != graph_.sorted_cells(to)) return false;
        const auto cell = graph_.undecided_cell(from);
        if (!cell) return read_off(from, to, image);
        const Colours next = graph_.single_out(from, *cell);
        for (int other = 0; other < graph_.cells(); ++other)
            if (to[other] == from[*cell] && match(next, graph_.single_out(to, other), image)) return true;
        return false;
    }

    bool read_off(const Colours& from, const Colours& to, Permutation& image) const {
        std::vector<std::pair<Colour, int>> a, b;
        for (int cell = 0; cell < graph_.cells(); ++cell) a.emplace_back(from[cell], cell), b.emplace_back(to[cell], cell);
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        for (std::size_t i = 0; i < a.size(); ++i) image[a[i].second] = static_cast<std::uint16_t>(b[i].second);
        return keeper_.keeps(image);
    }

    Graph graph_;
    Keeper keeper_;
    std::vector<int> base_;
    std::vector<Colours> colours_;
};

Permutation identity(int cells) {
    Permutation result(cells);
    std::iota(result.begin(), result.end(), std::uint16_t{0});
    return result;
}

// Everything the generators span, the identity first; nothing when that is more than `limit`.
std::vector<Permutation> span_of(const std::vector<Permutation>& generators, int cells, std::size_t limit) {
    std::vector<Permutation> elements{identity(cells)};
    std::set<Permutation> seen{elements.front()};
    for (std::size_t i = 0; i < elements.size(); ++i)
        for (const auto& generator : generators) {
            Permutation product(cells);
            for (int cell = 0; cell < cells; ++cell) product[cell] = generator[elements[i][cell]];
            if (!seen.insert(product).second) continue;
            if (elements.size() == limit) return {};
            elements.push_back(std::move(product));
        }
    return elements;
}

// The longest run of generators, in the order given, whose span fits the limit.
std::vector<Permutation> largest_span(std::vector<Permutation> generators, int cells, std::size_t limit) {
    for (;; generators.pop_back()) {
        auto elements = span_of(generators, cells, limit);
        if (!elements.empty()) return elements;
    }
}

}  // namespace

bool keeps_game(const Game& game, const Permutation& permutation) { return Keeper(game).keeps(permutation); }

Symmetry::Symmetry(const Game& game, const std::vector<Permutation>& geometric, std::size_t limit) {
    Search search(game);
    bool complete = true;
    try {
        search.run();
        orbit_sizes_ = search.orbit_sizes;
        generators_ = search.generators;
    } catch (const GaveUp&) {
        complete = false;
    }
    double order = 1;
    for (int size : orbit_sizes_) order *= size;
    if (complete && order <= static_cast<double>(limit)) {
        elements_ = span_of(generators_, game.cells(), limit);
    } else {
        const Keeper keeper(game);
        std::vector<Permutation> kept;
        for (const auto& permutation : geometric)
            if (keeper.keeps(permutation)) kept.push_back(permutation);
        elements_ = largest_span(kept, game.cells(), limit);
        note_ = (complete ? "more than " + std::to_string(limit) + " symmetries" : std::string("too many symmetries to find")) +
                "; the " + std::to_string(elements_.size()) + " geometric ones are used";
    }
    for (const auto& element : elements_) {
        auto& blocks = block_elements_.emplace_back();
        for (int block = 0; block < game.blocks(); ++block) blocks.push_back(static_cast<std::uint8_t>(game.block_of(element[game.cells_of[block].front()])));
    }
}

std::uint64_t Symmetry::canonical_hash(const Position& position) const {
    const Game& game = position.game();
    std::vector<std::pair<int, Side>> marks;
    for (int cell = 0; cell < game.cells(); ++cell)
        if (Side side = position.at(cell); side != NOBODY) marks.emplace_back(cell, side);
    std::uint64_t least = ~0ull;
    for (std::size_t i = 0; i < elements_.size(); ++i) {
        std::uint64_t hash = game.start_key;
        for (auto [cell, side] : marks) hash ^= game.cell_key(side, elements_[i][cell]);
        if (int block = position.block_to_play(); block >= 0) hash ^= game.send_keys[block_elements_[i][block]];
        if (game.open())
            for (int block = 0; block < game.blocks(); ++block)
                if (int owner = position.owner(block); owner != NOBODY) hash ^= game.owner_keys[block_elements_[i][block]][owner];
        least = std::min(least, hash);
    }
    return least;
}

}  // namespace noughts
