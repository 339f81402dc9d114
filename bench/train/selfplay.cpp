// Plays the engine against itself and writes a row for every position, on which a network is trained.
//
//   selfplay SIZE COUNT SECONDS NODES SEED FILE [network=FILE] [line=0,94,148,600] [tempo=262] ...
//
// SIZE is the number of blocks a side of Ultimate, COUNT is 1 for the +count rule, NODES is the limit of a move. The
// evaluation is a network or the given weights. A row has 8 bytes, then a byte for each cell and each block, all from
// the perspective of the side to move:
//   int32 score, int8 result (1, 0, -1), int8 block to play (-1: any), uint8 ply, uint8 rules;
//   cells and blocks: 0 empty or undecided, 1 own, 2 the opponent's, 3 dead.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <sstream>
#include <string>

#include "boards.hpp"
#include "search/engine.hpp"
#include "search/evaluate.hpp"
#include "tactics/threats.hpp"

using namespace noughts;

namespace {

constexpr int MAX_OPENING_PLIES = 14, RANDOM_MOVES_UNTIL_PLY = 40, RANDOM_MOVES_PERCENT = 8;

struct Row {
    Side turn;
    std::vector<char> bytes;
};

char encode(Side side, Side turn) { return side == NO_SIDE ? 0 : side == turn ? 1 : 2; }
char encode(Owner owner, Side turn) { return owner == Owner::DEAD ? 3 : encode(winner_of(owner), turn); }

Row make_row(const Position& position, int score) {
    Row row{position.turn(), std::vector<char>(8)};
    const std::int32_t clipped = std::clamp(score, -MOST_ESTIMATED, MOST_ESTIMATED);
    std::copy_n(reinterpret_cast<const char*>(&clipped), 4, row.bytes.begin());
    row.bytes[5] = static_cast<char>(position.block_to_play());
    row.bytes[6] = static_cast<char>(position.ply());
    row.bytes[7] = position.game().counts_blocks();
    for (int cell = 0; cell < position.game().cells(); ++cell) row.bytes.push_back(encode(position.at(cell), row.turn));
    for (int block = 0; block < position.game().blocks(); ++block)
        row.bytes.push_back(encode(position.owner(block), row.turn));
    return row;
}

int random_move(const Position& position, std::mt19937_64& random) {
    std::vector<int> moves;
    position.for_each_legal([&](int cell) { moves.push_back(cell); });
    return moves[random() % moves.size()];
}

std::vector<Row> play_one(Engine& engine, const std::shared_ptr<const Game>& game, std::uint64_t nodes,
                          std::mt19937_64& random) {
    Position position(game);
    std::vector<Row> rows;
    engine.clear();
    for (int plies = static_cast<int>(random() % (MAX_OPENING_PLIES + 1)); plies > 0 && !position.is_over(); --plies)
        position.play(random_move(position, random));
    while (!position.is_over()) {
        const Report report = engine.search(position, {0, 0, nodes}, 1, {}, {});
        const RootLine& best = report.lines[0];
        if (winning_move(position) == NO_CELL) rows.push_back(make_row(position, best.score));
        const bool is_random =
            position.ply() < RANDOM_MOVES_UNTIL_PLY && static_cast<int>(random() % 100) < RANDOM_MOVES_PERCENT;
        position.play(is_random ? random_move(position, random) : best.move);
    }
    const Side winner = position.winner();
    for (Row& row : rows) row.bytes[4] = winner == NO_SIDE ? 0 : winner == row.turn ? 1 : -1;
    return rows;
}

std::vector<int> parse_numbers(const std::string& text) {
    std::vector<int> numbers;
    std::istringstream rest(text);
    for (std::string number; std::getline(rest, number, ',');) numbers.push_back(std::stoi(number));
    return numbers;
}

void apply_option(GameData& data, const std::string& option) {
    const std::size_t equals = option.find('=');
    const std::string name = option.substr(0, equals), value = option.substr(equals + 1);
    Weights& weights = data.weights;
    const std::map<std::string, int*> single{{"tempo", &weights.tempo},           {"block", &weights.block},
                                             {"free_move", &weights.free_move},   {"exposed", &weights.exposed},
                                             {"threatened", &weights.threatened}, {"lined_up", &weights.lined_up}};
    if (name == "network") {
        std::ifstream file(value, std::ios::binary);
        data.network.assign(std::istreambuf_iterator<char>(file), {});
    } else if (name == "line" || name == "outer") {
        (name == "line" ? weights.line : weights.outer) = parse_numbers(value);
    } else {
        *single.at(name) = std::stoi(value);
    }
}

}  // namespace

int main(int count, char** words) {
    if (count < 7) {
        std::fprintf(stderr, "expected SIZE COUNT SECONDS NODES SEED FILE [network=FILE] [WEIGHT=NUMBER,...]\n");
        return 2;
    }
    GameData data = testing::ultimate(std::atoi(words[1]));
    data.counts_blocks = std::atoi(words[2]) != 0;
    for (int i = 7; i < count; ++i) apply_option(data, words[i]);
    const auto game = testing::make(std::move(data));
    std::mt19937_64 random(std::strtoull(words[5], nullptr, 10));
    std::ofstream out(words[6], std::ios::binary);
    Engine engine(1, 8);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(words[3]));
    const std::uint64_t nodes = std::strtoull(words[4], nullptr, 10);
    std::uint64_t rows = 0;
    while (std::chrono::steady_clock::now() < end) {
        for (const Row& row : play_one(engine, game, nodes, random)) {
            out.write(row.bytes.data(), static_cast<std::streamsize>(row.bytes.size()));
            ++rows;
        }
    }
    std::printf("%llu rows\n", static_cast<unsigned long long>(rows));
    return out.good() ? 0 : 1;
}
