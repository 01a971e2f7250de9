// Python binding of the review: reasons of mistakes, and its formulas.
#include "bind/bind.hpp"
#include "kernel/position.hpp"
#include "review/judgement.hpp"
#include "review/mistake_reasons.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace sumito;

namespace {

using ReasonTuple = std::tuple<std::string, int, std::vector<std::string>>;

// Throws if the moves are not legal in turn.
void check_playable(Position position, const std::vector<int>& line) {
    for (const int index : line) position.push(index);
}

std::vector<ReasonTuple> mistake_reasons(const Position& position, int played,
                                         const std::vector<int>& better,
                                         const std::vector<int>& punishment) {
    std::vector<int> line{played};
    line.insert(line.end(), punishment.begin(), punishment.end());
    check_playable(position, line);
    check_playable(position, better);
    std::vector<ReasonTuple> tuples;
    for (const MistakeReason& reason : find_mistake_reasons(position, played, better, punishment)) {
        std::vector<std::string> names;
        for (const int cell : reason.cells) names.push_back(cell_name(cell));
        tuples.emplace_back(std::string(MISTAKE_NAMES[static_cast<std::size_t>(reason.kind)]),
                            reason.count, std::move(names));
    }
    return tuples;
}

} // namespace

void bind_review(nb::module_& m) {
    m.def(
        "mistake_reasons", &mistake_reasons, "position"_a, "played"_a, "better"_a, "punishment"_a,
        "Why a move was a mistake, most important first, as (code, count, cells). ValueError if a "
        "variation is illegal.");
    m.def("chance", &chance_of, "hundredths"_a, "sides"_a,
          "The chance of winning of a side with a score in hundredths of a marble.");
    m.def(
        "verdict",
        [](double loss) {
            return std::string(VERDICT_NAMES[static_cast<std::size_t>(verdict_of(loss))]);
        },
        "loss"_a, "The verdict on a move by its loss of chance.");
    m.def("accuracy", &accuracy_of, "losses"_a,
          "Accuracy of moves, 0 to 1, by their losses of chance.");
}
