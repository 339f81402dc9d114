// Plays the engine against itself on all threads and writes rows, on which a network is trained, see
// core/train/self_play.hpp.
//
//   selfplay GAME SECONDS NODES THREADS SEED FILE SCOPE DEEP [NETWORK [OPPONENT...]]
//
// GAME is a file written by bench/train/describe.py; NODES is the limit of a move; SCOPE is "strips" for a network for
// every board with such strips, else "game"; DEEP is 0, or the nodes for refuted positions of lasting playthroughs;
// NETWORK replaces the weights of the game, and each OPPONENT is a network to play against, or "-" for the weights.
// Playthroughs are numbered from 0, and as many are written as are finished in time.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

#include "train/self_play.hpp"

using namespace noughts;
using Clock = std::chrono::steady_clock;

namespace {

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

int run(int count, char** words) {
    const auto game = std::make_shared<const Game>(read_game(words[1]));
    const auto scope = std::string(words[7]) == "strips" ? LineFeatures::Scope::STRIPS : LineFeatures::Scope::GAME;
    const auto end = Clock::now() + std::chrono::seconds(std::atoi(words[2]));
    SelfPlay plan;
    plan.count = std::numeric_limits<std::uint64_t>::max();
    plan.nodes = std::strtoull(words[3], nullptr, 10);
    plan.threads = std::atoi(words[4]);
    plan.seed = std::strtoull(words[5], nullptr, 10);
    plan.deep_nodes = std::strtoull(words[8], nullptr, 10);
    plan.lasting = plan.deep_nodes > 0;
    if (words[9]) plan.network = read_bytes(words[9]);
    for (int i = 10; i < count; ++i)
        plan.opponents.push_back(std::string(words[i]) == "-" ? std::vector<std::uint8_t>{} : read_bytes(words[i]));
    std::ofstream out(words[6], std::ios::binary);
    const auto write = [&out](std::span<const char> bytes) {
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    };
    write(rows_header(*game, scope));
    const auto played = self_play(game, plan, write, [end] { return Clock::now() >= end; });
    std::printf("%llu playthroughs\n", static_cast<unsigned long long>(played));
    return out.good() ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
    if (count < 9) {
        std::fprintf(stderr, "expected GAME SECONDS NODES THREADS SEED FILE SCOPE DEEP [NETWORK [OPPONENT...]]\n");
        return 2;
    }
    try {
        return run(count, words);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
