// A second checker of proofs, following docs/proof-format.md and sharing no code with noughts.
//
//     checker FILE...     checks files; the programs gzip and xz unpack those that are compressed
//     checker --batch     checks many proofs from standard input: for each its length in bytes, a line break, the bytes
//
//     --game GAME         an id, an alias or the path of a file with a custom game: no other game may be proven
//     --position TEXT     the same for the position, a position string or `start`
//     --value VALUE       the same for its value to the side to move: win, draw or loss
//
// Prints a line for each: the value, the work done and what was proven, or the place where the proof fails. The exit
// code is 0 if all proofs hold, 1 if one does not, 2 if one could not be read or checked.

#include <cstdio>
#include <fstream>
#include <iostream>

#include "check.hpp"

constexpr std::size_t MAX_FILE_BYTES = std::size_t{1} << 30, MAX_EXPANSION = 50, SPARE_BYTES = 1 << 20;

static std::string read_bytes(std::istream& stream, std::size_t size) {
    if (size > MAX_FILE_BYTES) throw std::runtime_error("expected a file of at most 1 GB");
    std::string data(size, '\0');
    if (!stream.read(data.data(), static_cast<std::streamsize>(size))) throw std::runtime_error("cannot read the file");
    return data;
}

// The text of a compressed file. It needs no trust: all of it is checked.
static std::string unpack(const char* path, const char* program, std::size_t most) {
    std::FILE* pipe = std::freopen(path, "rb", stdin) ? popen(program, "r") : nullptr;  // reads standard input
    if (!pipe) throw std::runtime_error("cannot read the file");
    std::string text, piece(1 << 20, '\0');
    while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), pipe)) {
        text.append(piece, 0, size);
        if (text.size() > std::min<std::size_t>(most, MAX_TEXT_BYTES)) break;
    }
    const bool is_whole = pclose(pipe) == 0;
    expect(is_whole && text.size() <= most, "a whole compressed file without too much text");
    return text;
}

static std::string read_file(const char* path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const std::streamoff size = file.tellg();
    if (size < 0) throw std::runtime_error("cannot read the file");
    file.seekg(0);
    std::string data = read_bytes(file, static_cast<std::size_t>(size));
    const std::size_t most = SPARE_BYTES + MAX_EXPANSION * data.size();
    if (data.starts_with("\x1f\x8b")) return unpack(path, "gzip -dc", most);
    if (data.starts_with("\xfd\x37zXZ")) return unpack(path, "xz -dc --memlimit-decompress=128MiB", most);
    return data;
}

static Game find_game(const std::string& text) {
    if (const auto alias = ALIASES.find(text); alias != ALIASES.end()) return game_of_id(alias->second, true);
    if (is_id(text)) return game_of_id(text, false);
    if (!std::ifstream(text)) throw Rejection("expected a game id such as 3x3, an alias or a file, got " + text);
    std::string file = read_file(text.c_str());
    std::erase_if(file, [](char byte) { return (byte & 0xc0) == 0x80; });  // of one character, all bytes but the first
    for (char& byte : file) byte = byte & 0x80 ? '?' : byte;               // in the name, which is not compared
    Json json(file);
    const Game game = read_custom_game(json).first;
    json.token().finish();
    return game;
}

struct Arguments {
    bool is_batch = false;
    Statement statement;
    std::vector<const char*> files;

    Arguments(int count, char** texts) {
        for (int i = 1; i < count; ++i) {
            const std::string text = texts[i];
            const auto value = [&] {
                if (++i == count) throw Rejection("expected a value after " + text);
                return std::string(texts[i]);
            };
            if (text == "--batch")
                is_batch = true;
            else if (text == "--game")
                statement.game = find_game(value());
            else if (text == "--position")
                statement.position = value();
            else if (text == "--value")
                statement.value = value();
            else
                files.push_back(texts[i]);
        }
        const auto& stated = statement.value;
        expect(!stated || *stated == "win" || *stated == "draw" || *stated == "loss", "a value of win, draw or loss");
        expect(is_batch == files.empty(), "files, or --batch");
    }
};

static int run(const Arguments& arguments) {
    int worst = 0;
    const auto report = [&](const std::string& name, auto read) {
        const Verdict verdict = verdict_on(read, arguments.statement);
        std::cout << name << ": " << verdict.text << '\n';
        worst = std::max(worst, static_cast<int>(verdict.result));
    };
    for (const char* file : arguments.files) report(file, [&] { return read_file(file); });
    std::string size;
    for (int number = 0; arguments.is_batch && std::getline(std::cin, size); ++number)
        report(std::to_string(number), [&] { return read_bytes(std::cin, std::strtoull(size.c_str(), nullptr, 10)); });
    return worst;
}

constexpr const char* USAGE =
    "usage: checker [--game GAME] [--position TEXT] [--value VALUE] FILE...\n"
    "       checker [--game GAME] [--position TEXT] [--value VALUE] --batch < PROOFS\n";

int main(int count, char** arguments) {
    std::ios::sync_with_stdio(false);
    if (count == 2 && std::string(arguments[1]) == "--help") {
        std::cout << "Check proofs of noughts by the rules alone.\n" << USAGE;
        return 0;
    }
    try {
        return run(Arguments(count, arguments));
    } catch (const std::runtime_error& error) {
        std::cerr << "checker: " << error.what() << '\n' << USAGE;
        return 2;
    }
}
