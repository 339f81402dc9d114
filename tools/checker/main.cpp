// A second checker of proofs, following docs/proofs.md and sharing no code with noughts.
//
//     checker FILE...     checks files, compressed or plain
//     checker --batch     checks many proofs from standard input: for each its length in bytes, a line break, the bytes
//
// Prints a line for each: the value and the work done, or the place where the proof fails. The exit code is 0 if all
// proofs hold, 1 if one does not, 2 if one could not be read or checked.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "verdict.hpp"

namespace {

constexpr std::size_t MAX_FILE_BYTES = std::size_t{1} << 30;
constexpr int HOLDS = static_cast<int>(checker::Result::HOLDS), UNKNOWN = static_cast<int>(checker::Result::UNKNOWN);

std::string read_file(const char* path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw checker::CannotCheck("cannot read the file");
    std::string data, piece(1 << 16, '\0');
    while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())), file.gcount() > 0) {
        data.append(piece, 0, static_cast<std::size_t>(file.gcount()));
        if (data.size() > MAX_FILE_BYTES) throw checker::CannotCheck("expected a file of at most 1 GB");
    }
    if (file.bad()) throw checker::CannotCheck("cannot read the file");
    return data;
}

// Checks one proof and prints a line about it.
template <class Read>
int check(const std::string& name, Read read) {
    const checker::Verdict verdict = checker::verdict_on(read);
    std::cout << name << ": " << verdict.text << '\n';
    return static_cast<int>(verdict.result);
}

int check_batch() {
    int worst = HOLDS, number = 0;
    std::string line, data;
    for (; std::getline(std::cin, line); ++number) {
        const std::size_t length = std::strtoull(line.c_str(), nullptr, 10);
        data.resize(std::min(length, MAX_FILE_BYTES));
        if (std::to_string(data.size()) != line ||
            !std::cin.read(data.data(), static_cast<std::streamsize>(data.size()))) {
            std::cerr << "expected the length of each proof and its bytes\n";
            return UNKNOWN;
        }
        worst = std::max(worst, check(std::to_string(number), [&] { return data; }));
    }
    return worst;
}

}  // namespace

int main(int count, char** arguments) {
    std::ios::sync_with_stdio(false);
    if (count == 2 && std::strcmp(arguments[1], "--batch") == 0) return check_batch();
    if (count < 2 || arguments[1][0] == '-') {
        std::cerr << "usage: checker FILE...\n       checker --batch < PROOFS\n";
        return UNKNOWN;
    }
    int worst = HOLDS;
    for (int i = 1; i < count; ++i)
        worst = std::max(worst, check(arguments[i], [&] { return read_file(arguments[i]); }));
    return worst;
}
