// A bot in C++: c++ -O2 -o bot bot.cpp. Finds the list "legal" in each question and answers with one of its moves.
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const auto list = line.find('[', line.find("\"legal\""));
    const auto end = line.find(']', list);
    std::vector<std::string> legal;
    for (auto from = line.find('"', list); from < end; from = line.find('"', from)) {
      const auto to = line.find('"', from + 1);
      legal.push_back(line.substr(from + 1, to - from - 1));
      from = to + 1;
    }
    std::cout << "{\"move\": \"" << legal[std::rand() % legal.size()] << "\"}" << std::endl;
  }
}
