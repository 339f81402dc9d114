#include "check.hpp"

int main() {
    using namespace noughts::testing;
    int failed = 0;
    for (const auto& test : all_tests()) {
        const int before = failures();
        test.body();
        if (failures() > before) {
            ++failed;
            std::cerr << "FAILED: " << test.name << "\n";
        }
    }
    std::cout << "core: " << all_tests().size() - failed << " passed, " << failed << " failed\n";
    return failed == 0 ? 0 : 1;
}
