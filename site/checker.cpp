// The second checker for WebAssembly; site/checker.js calls it.

#include <string>

#include "../tools/checker/check.hpp"

#define CHECKER_EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace {

std::string file;
Verdict verdict;

}  // namespace

// The address of room for a file of `size` bytes, or null when there is not enough memory.
CHECKER_EXPORT(prepare) char* prepare(std::size_t size) {
    try {
        file.assign(size, '\0');
        return file.data();
    } catch (...) {
        return nullptr;
    }
}

// Checks the file: 0 if the proof holds, 1 if it does not, 2 if it could not be checked.
CHECKER_EXPORT(check) int check() {
    verdict = verdict_on([] { return std::move(file); });
    return static_cast<int>(verdict.result);
}

CHECKER_EXPORT(text_address) const char* text_address() { return verdict.text.data(); }
CHECKER_EXPORT(text_bytes) std::size_t text_bytes() { return verdict.text.size(); }
