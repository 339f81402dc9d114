#include "check.hpp"

// Runs all tests, or those whose names contain the first argument.
int main(int count, char** arguments) {
    using namespace noughts::testing;
    const std::string wanted = count > 1 ? arguments[1] : "";
    int run = 0, failed = 0;
    for (const auto& test : all_tests()) {
        if (test.name.find(wanted) == std::string::npos) continue;
        ++run;
        const int before = failures();
        test.body();
        if (failures() > before) {
            ++failed;
            std::cerr << "FAILED: " << test.name << "\n";
        }
    }
    std::cout << "core: " << run - failed << " passed, " << failed << " failed\n";
    return run > 0 && failed == 0 ? 0 : 1;
}
