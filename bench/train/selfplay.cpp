// Plays the engine against itself on all threads and writes rows, on which a network is trained: for every position in
// which no line can be completed, and on boards with strips for one after a random move, as searches meet them.
//
//   selfplay GAME SECONDS NODES THREADS SEED FILE [NETWORK]
//
// GAME is a file written by bench/train/describe.py; NODES is the limit of a move; NETWORK replaces the weights of the
// game. Every playthrough depends on SEED and its number alone; their order in the file depends on the time they take.
//
// The file begins with "NNR1" and seven int32: cells, blocks, strips of a cell, digits of its surroundings, length of a
// line, guarded, numbers of surroundings; then an int16 for each cell, strip and digit: the cell seen, or -1; then an
// int16 for each number: its kind, see search/strip_network.hpp. Without strips these are zero and missing.
// A row has 16 bytes, then a byte for each cell and each block, all from the point of view of the side to move:
//   int32 score, int32 evaluation, int16 move, int16 ply, int8 result (1, 0, -1; 2: unknown), int8 block to play
//   (-1: any), uint8 rules, uint8 zero; cells and blocks: 0 empty or undecided, 1 own, 2 the opponent's, 3 dead.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <random>
#include <sstream>
#include <string>
#include <thread>

#include "search/engine.hpp"
#include "search/evaluate.hpp"
#include "search/strip_network.hpp"
#include "tactics/threat_map.hpp"
#include "tactics/threats.hpp"

using namespace noughts;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int MAX_OPENING_PLIES = 14, RANDOM_MOVES_UNTIL_PLY = 40, RANDOM_MOVES_PERCENT = 4;
constexpr int MIN_FIRST_CENTRALITY = 45, NEAR = 2;  // of random moves on boards with strips
constexpr std::int8_t UNKNOWN = 2;

// --- the game -----------------------------------------------------------------------------------------------------

std::vector<int> numbers_in(std::istream& words) { return {std::istream_iterator<int>(words), {}}; }

void set_weight(Weights& weights, const std::string& name, const std::vector<int>& values) {
    const std::map<std::string, int*> single{{"tempo", &weights.tempo},           {"block", &weights.block},
                                             {"free_move", &weights.free_move},   {"exposed", &weights.exposed},
                                             {"threatened", &weights.threatened}, {"lined_up", &weights.lined_up}};
    const std::map<std::string, std::vector<int>*> lists{{"line", &weights.line}, {"outer", &weights.outer}};
    if (const auto list = lists.find(name); list != lists.end())
        *list->second = values;
    else
        *single.at(name) = values.at(0);
}

// Each line of the file is a word and numbers; "line" has cells, "guards" those of the line before it.
GameData read_game(const std::string& path) {
    GameData data;
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    for (std::string text, word; std::getline(file, text);) {
        std::istringstream words(text);
        words >> word;
        std::string name;
        if (word == "weight") words >> name;
        const std::vector<int> numbers = numbers_in(words);
        if (word == "cells") data.cells = numbers.at(0);
        if (word == "line") data.lines.push_back({numbers, {}});
        if (word == "guards") data.lines.back().guards = numbers;
        if (word == "rests_on") data.rests_on.push_back(numbers);
        if (word == "block_of") data.block_of = numbers;
        if (word == "sends") data.sends = numbers;
        if (word == "outer_line") data.outer_lines.push_back(numbers);
        if (word == "misere") data.misere = true;
        if (word == "counts_blocks") data.counts_blocks = true;
        if (word == "keeps_won_blocks_open") data.keeps_won_blocks_open = true;
        if (word == "weight") set_weight(data.weights, name, numbers);
    }
    return data;
}

std::vector<std::uint8_t> read_bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

// --- rows ---------------------------------------------------------------------------------------------------------

template <typename T>
void put(std::vector<char>& bytes, T value) {
    for (std::size_t i = 0; i < sizeof value; ++i) bytes.push_back(reinterpret_cast<const char*>(&value)[i]);
}

std::vector<char> header(const Game& game) {
    std::vector<char> bytes = {'N', 'N', 'R', '1'};
    const auto strips = ThreatMap::strips_of(game);
    const Surroundings kind = strips ? strips->surroundings() : Surroundings{0, false};
    const int width = strips ? strips->strips_of_cell() : 0, digits = strips ? kind.digits() : 0;
    const auto kinds = strips ? kinds_of(kind) : std::vector<std::uint16_t>{};
    for (int number : {game.cells(), game.blocks(), width, digits, kind.length, static_cast<int>(kind.guarded),
                       static_cast<int>(kinds.size())})
        put<std::int32_t>(bytes, number);
    std::vector<std::int16_t> seen(static_cast<std::size_t>(game.cells()) * width * digits, -1);
    for (Cell cell = 0; strips && cell < game.cells(); ++cell)
        for (const Strips::View& view : strips->views_of(cell))
            seen[view.slot * digits + view.digit] = static_cast<std::int16_t>(cell);
    for (std::int16_t cell : seen) put(bytes, cell);
    for (std::uint16_t number : kinds) put(bytes, number);
    return bytes;
}

struct Row {
    static constexpr int RESULT = 12;

    Side turn;
    std::vector<char> bytes;
    bool is_aside = false;  // not a position of the playthrough

    char& result() { return bytes[RESULT]; }
};

char encode(Side side, Side turn) { return side == NO_SIDE ? 0 : side == turn ? 1 : 2; }
char encode(Owner owner, Side turn) { return owner == Owner::DEAD ? 3 : encode(winner_of(owner), turn); }

Row make_row(const Position& position, const RootLine& best, int evaluation) {
    Row row{position.turn(), {}, false};
    put<std::int32_t>(row.bytes, std::clamp(best.score, -MOST_ESTIMATED, MOST_ESTIMATED));
    put<std::int32_t>(row.bytes, evaluation);
    put<std::int16_t>(row.bytes, static_cast<std::int16_t>(best.move));
    put<std::int16_t>(row.bytes, static_cast<std::int16_t>(position.ply()));
    put<std::int8_t>(row.bytes, UNKNOWN);
    put<std::int8_t>(row.bytes, static_cast<std::int8_t>(position.block_to_play()));
    put<std::uint8_t>(row.bytes, position.game().counts_blocks());
    put<std::uint8_t>(row.bytes, 0);
    for (int cell = 0; cell < position.game().cells(); ++cell) row.bytes.push_back(encode(position.at(cell), row.turn));
    for (int block = 0; block < position.game().blocks(); ++block)
        row.bytes.push_back(encode(position.owner(block), row.turn));
    return row;
}

// --- playthroughs -------------------------------------------------------------------------------------------------

// Plays on one thread.
class SelfPlay {
  public:
    SelfPlay(std::shared_ptr<const Game> game, std::uint64_t nodes, Clock::time_point end)
        : game_(std::move(game)),
          strips_(ThreatMap::strips_of(*game_)),
          nodes_(nodes),
          end_(end),
          engine_(1, 8),
          network_(network_of(*game_)) {}

    // The rows of a playthrough, which ends early when its result is proven, or the time is up.
    std::vector<Row> play(std::uint64_t seed) {
        std::mt19937_64 random(seed);
        Position position(game_);
        std::vector<Row> rows;
        std::size_t first_known = 0;  // rows before the last random move do not count for the result
        engine_.clear();
        for (int plies = static_cast<int>(random() % (MAX_OPENING_PLIES + 1)); plies > 0; --plies) {
            position.play(random_move(position, random));
            if (position.is_over()) return {};
        }
        Side winner = NO_SIDE;
        while (true) {
            if (position.is_over()) {
                winner = position.winner();
                break;
            }
            if (Clock::now() >= end_) return rows;
            const RootLine best = search(position, rows);
            if (best.proven && is_decided(best.score)) {
                winner = is_win(best.score) ? position.turn() : opponent(position.turn());
                break;
            }
            if (strips_) step_aside(position, random, rows);
            const bool is_random =
                position.ply() < RANDOM_MOVES_UNTIL_PLY && static_cast<int>(random() % 100) < RANDOM_MOVES_PERCENT;
            if (is_random) first_known = rows.size();
            position.play(is_random ? random_move(position, random) : best.move);
        }
        for (std::size_t i = first_known; i < rows.size(); ++i)
            if (!rows[i].is_aside)
                rows[i].result() = static_cast<char>(winner == NO_SIDE ? 0 : winner == rows[i].turn ? 1 : -1);
        return rows;
    }

  private:
    // Searches a position and adds a row for it, unless a line can be completed, or must be stopped.
    RootLine search(const Position& position, std::vector<Row>& rows) {
        RootLine best = engine_.search(position, {.nodes = nodes_}, 1, {}, {}).lines[0];
        if (winning_move(position) != NO_CELL) return best;
        if (has_direct_threats(position.game()) && threat_against(position).count > 0) return best;
        rows.push_back(make_row(position, best, evaluation(position)));
        return best;
    }

    // Adds a row for the position after a random move.
    void step_aside(Position& position, std::mt19937_64& random, std::vector<Row>& rows) {
        const std::size_t before = rows.size();
        position.play(random_move(position, random));
        if (!position.is_over()) search(position, rows);
        position.undo();
        if (rows.size() > before) rows.back().is_aside = true;
    }

    int evaluation(const Position& position) {
        return network_.has_network() ? network_.evaluate(position) : evaluate(position);
    }

    // On boards with strips near other marks, or in the middle.
    int random_move(const Position& position, std::mt19937_64& random) const {
        std::vector<Cell> all, near;
        position.for_each_legal([&](Cell cell) {
            all.push_back(cell);
            if (strips_ && is_near(position, cell)) near.push_back(cell);
        });
        const auto& moves = near.empty() ? all : near;
        return moves[random() % moves.size()];
    }
    bool is_near(const Position& position, Cell cell) const {
        if (position.game().cells() == position.now().free)
            return position.game().centrality(cell) >= MIN_FIRST_CENTRALITY;
        const int middle = strips_->surroundings().radius();
        return std::ranges::any_of(strips_->views_of(cell), [&](const Strips::View& view) {
            return middle - NEAR <= view.digit && view.digit < middle + NEAR && position.at(view.cell) != NO_SIDE;
        });
    }

    std::shared_ptr<const Game> game_;
    std::shared_ptr<const Strips> strips_;
    std::uint64_t nodes_;
    Clock::time_point end_;
    Engine engine_;
    NetworkEvaluator network_;
};

int run(char** words) {
    GameData data = read_game(words[1]);
    if (words[7]) data.network = read_bytes(words[7]);
    const auto game = std::make_shared<const Game>(std::move(data));
    const auto end = Clock::now() + std::chrono::seconds(std::atoi(words[2]));
    const std::uint64_t nodes = std::strtoull(words[3], nullptr, 10), seed = std::strtoull(words[5], nullptr, 10);
    std::ofstream out(words[6], std::ios::binary);
    const auto first = header(*game);
    out.write(first.data(), static_cast<std::streamsize>(first.size()));
    std::mutex mutex;
    std::uint64_t playthroughs = 0, written = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < std::atoi(words[4]); ++i)
        threads.emplace_back([&] {
            SelfPlay self_play(game, nodes, end);
            std::unique_lock lock(mutex);
            while (Clock::now() < end) {
                const std::uint64_t number = seed << 32 | playthroughs++;
                lock.unlock();
                const auto rows = self_play.play(number);
                lock.lock();
                for (const Row& row : rows) out.write(row.bytes.data(), static_cast<std::streamsize>(row.bytes.size()));
                written += rows.size();
            }
        });
    for (auto& thread : threads) thread.join();
    std::printf("%llu rows of %llu playthroughs\n", static_cast<unsigned long long>(written),
                static_cast<unsigned long long>(playthroughs));
    return out.good() ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
    if (count != 7 && count != 8) {
        std::fprintf(stderr, "expected GAME SECONDS NODES THREADS SEED FILE [NETWORK]\n");
        return 2;
    }
    try {
        return run(words);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
