// A second checker of proofs, following docs/proofs.md and sharing no code with noughts.
//
//     checker FILE...     checks files, compressed or plain
//     checker --batch     checks many proofs from standard input: for each its length in bytes, a line break, the bytes
//
// Prints a line for each: the value and the work done, or the place where the proof fails. The exit code is 0 if all
// proofs hold, 1 if one does not, 2 if one could not be read or checked.

#include <fstream>
#include <iostream>

#include "check.hpp"

constexpr std::size_t MAX_FILE_BYTES = std::size_t{1} << 30;

static std::string read_bytes(std::istream& stream, std::size_t size) {
    if (size > MAX_FILE_BYTES) throw CannotCheck("expected a file of at most 1 GB");
    std::string data(size, '\0');
    if (!stream.read(data.data(), static_cast<std::streamsize>(size))) throw CannotCheck("cannot read the file");
    return data;
}

static std::string read_file(const char* path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const std::streamoff size = file.tellg();
    if (size < 0) throw CannotCheck("cannot read the file");
    file.seekg(0);
    return read_bytes(file, static_cast<std::size_t>(size));
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
