// The Python face of what a review asks: faults of moves, and the formulas it counts with.
#include "bind/bind.hpp"
#include "kernel/position.hpp"
#include "review/faults.hpp"
#include "review/judgement.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace sumito;

namespace {

using FaultTuple = std::tuple<std::string, int, std::vector<std::string>>;

// Throws if the moves can't be played one after another.
void check_line(Position position, const std::vector<int>& line) {
    for (const int index : line) position.push(index);
}

std::vector<FaultTuple> faults(const Position& position, int played, const std::vector<int>& better,
                               const std::vector<int>& punishment) {
    std::vector<int> line{played};
    line.insert(line.end(), punishment.begin(), punishment.end());
    check_line(position, line);
    check_line(position, better);
    std::vector<FaultTuple> told;
    for (const Fault& fault : find_faults(position, played, better, punishment)) {
        std::vector<std::string> names;
        for (const int cell : fault.cells) names.push_back(cell_name(cell));
        told.emplace_back(std::string(FAULT_NAMES[static_cast<std::size_t>(fault.kind)]),
                          fault.count, std::move(names));
    }
    return told;
}

} // namespace

void bind_review(nb::module_& m) {
    m.def("faults", &faults, "position"_a, "played"_a, "better"_a, "punishment"_a,
          "Why a move was a mistake, the most telling first: (code, count, cells) of each. "
          "ValueError if a line can't be played.");
    m.def("chance", &chance_of, "hundredths"_a, "sides"_a,
          "The chance of winning of the side with that score, in hundredths of a marble.");
    m.def(
        "verdict",
        [](double loss) {
            return std::string(VERDICT_NAMES[static_cast<std::size_t>(verdict_of(loss))]);
        },
        "loss"_a, "What a move that loses so much of the chance is called.");
    m.def("accuracy", &accuracy_of, "losses"_a,
          "How accurate moves are, 0 to 1, by the chance of winning that each lost.");
}
