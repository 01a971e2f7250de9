// What a review asks, for a page: faults of moves, and the formulas it counts with.
#include "review/judgement.hpp"
#include "review/mistake_reasons.hpp"
#include "wasm/cells.hpp"

using namespace sumito;
using namespace sumito::border;

// Why a move was a mistake. Written are the better line and the punishment, all legal in turn; the
// first `better` numbers are the former. Told are kind, count and cells of each fault.
SUMITO_EXPORT(board_faults)
int board_faults(const Position* board, int played, int better, int punishment) {
    const auto line = [](int from, int size) {
        std::vector<int> moves;
        for (int n = from; n < from + size; ++n)
            moves.push_back(static_cast<int>(written[static_cast<std::size_t>(n)]));
        return moves;
    };
    told.clear();
    for (const MistakeReason& reason :
         find_mistake_reasons(*board, played, line(0, better), line(better, punishment))) {
        tell(static_cast<int>(reason.kind));
        tell(reason.count);
        tell_cells(reason.cells);
    }
    return told_size();
}

SUMITO_EXPORT(chance) double chance(double hundredths, int sides) {
    return chance_of(hundredths, sides);
}
SUMITO_EXPORT(verdict) int verdict(double loss) { return static_cast<int>(verdict_of(loss)); }
// How accurate the moves are whose losses are written.
SUMITO_EXPORT(accuracy) double accuracy(int count) {
    return accuracy_of({written.begin(), written.begin() + count});
}
