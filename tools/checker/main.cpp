// A second checker of proofs, following docs/proofs.md and sharing no code with noughts.
//
//     checker FILE...     checks files; the program gzip unpacks those that are compressed
//     checker --batch     checks many proofs from standard input: for each its length in bytes, a line break, the bytes
//
// Prints a line for each: the value and the work done, or the place where the proof fails. The exit code is 0 if all
// proofs hold, 1 if one does not, 2 if one could not be read or checked.

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
static std::string unpack(const char* path, std::size_t most) {
    std::FILE* pipe = std::freopen(path, "rb", stdin) ? popen("gzip -dc", "r") : nullptr;  // reads standard input
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
    return data.starts_with("\x1f\x8b") ? unpack(path, SPARE_BYTES + MAX_EXPANSION * data.size()) : std::move(data);
}

int main(int count, char** arguments) {
    std::ios::sync_with_stdio(false);
    if (count < 2 || std::string_view(arguments[1]) == "--help") {
        std::cerr << "usage: checker FILE...\n       checker --batch < PROOFS\n";
        return 2;
    }
    int worst = 0;
    const auto report = [&](const std::string& name, auto read) {
        const Verdict verdict = verdict_on(read);
        std::cout << name << ": " << verdict.text << '\n';
        worst = std::max(worst, static_cast<int>(verdict.result));
    };
    const bool is_batch = std::string_view(arguments[1]) == "--batch";
    for (int i = 1; i < count && !is_batch; ++i) report(arguments[i], [&] { return read_file(arguments[i]); });
    std::string size;
    for (int number = 0; is_batch && std::getline(std::cin, size); ++number)
        report(std::to_string(number), [&] { return read_bytes(std::cin, std::strtoull(size.c_str(), nullptr, 10)); });
    return worst;
}
