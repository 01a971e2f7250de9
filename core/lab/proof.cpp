// AND-OR search to a fixed number of moves; only the order of replies is clever.
#include "lab/proof.hpp"

#include <algorithm>
#include <array>

namespace sumito {

namespace {

constexpr int MOST_MOVES_AHEAD = 16;

template <Mode M>
class Prover {
  public:
    Prover(const Game<M>& game, int side, Aim aim, std::uint64_t nodes)
        : rules(game.rules), side(side), left(nodes) {
        for (int s = 0; s < Board<M>::SIDES; ++s)
            limit[s] = aim == Aim::win ? rules.win_at : game.board.tally.captured(s) + 1;
        replies.fill(NO_MOVE);
    }

    bool gave_up() const { return left == 0; }

    // Does the side reach its aim after this move, with `moves` of its own still to come?
    bool forces_after(const Board<M>& board, Action action, int moves) {
        const int mover = board.side();
        if (action.ejects() && board.tally.captured(mover) + 1 >= limit[mover])
            return mover == side;
        return forces(play(board, action, rules), moves);
    }

    bool forces(const Board<M>& board, int moves) {
        if (!left) return false;
        --left;
        return board.side() == side ? finds(board, moves) : answers_all(board, moves);
    }

  private:
    Rules rules;
    int side;
    std::uint64_t left;
    std::array<int, Board<M>::SIDES> limit{};
    std::array<std::uint16_t, MOST_MOVES_AHEAD + 1> replies; // that refuted last, by moves to come

    // Some move of the side reaches it.
    bool finds(const Board<M>& board, int moves) {
        const int missing = limit[side] - board.tally.captured(side);
        if (missing > moves) return false;
        ActionList list;
        generate(board, rules, list);
        if (missing == 1)
            for (const Action action : list)
                if (action.ejects()) return true;
        if (moves == 1) return false;
        // What pushes leaves the others the least choice.
        std::partition(list.actions.begin(), list.actions.begin() + list.size,
                       [](Action action) { return action.force != 0; });
        for (const Action action : list)
            if (forces_after(board, action, moves - 1)) return true;
        return false;
    }

    // No reply of another side keeps it from that.
    bool answers_all(const Board<M>& board, int moves) {
        if (limit[side] - board.tally.captured(side) > moves) return false;
        std::uint16_t& refuter = replies[static_cast<std::size_t>(moves)];
        if (refuter != NO_MOVE)
            if (const Action action = resolve(board, rules, refuter))
                if (!forces_after(board, action, moves)) return false;
        ActionList list;
        generate(board, rules, list);
        for (const Action action : list) {
            if (action.index == refuter || forces_after(board, action, moves)) continue;
            refuter = action.index;
            return false;
        }
        return list.size > 0; // who can't move is another story
    }
};

// Each legal move, asked one question; nothing if a prover gave up.
template <class Ask>
std::optional<std::vector<int>> those(const Position& position, Ask ask) {
    return std::visit(
        [&]<Mode M>(const Game<M>& game) -> std::optional<std::vector<int>> {
            std::vector<int> found;
            if (game.outcome()) return found;
            ActionList list;
            generate(game.board, game.rules, list);
            for (const Action action : list) {
                const std::optional<bool> answer = ask(game, action);
                if (!answer) return std::nullopt;
                if (*answer) found.push_back(action.index);
            }
            std::sort(found.begin(), found.end());
            return found;
        },
        position.any);
}

} // namespace

std::optional<std::vector<int>> forcing_moves(const Position& position, Aim aim, int moves,
                                              std::uint64_t nodes) {
    moves = std::clamp(moves, 1, MOST_MOVES_AHEAD);
    return those(position, [&]<Mode M>(const Game<M>& game, Action action) -> std::optional<bool> {
        Prover<M> prover(game, game.board.side(), aim, nodes);
        const bool forces = prover.forces_after(game.board, action, moves - 1);
        return prover.gave_up() ? std::nullopt : std::optional<bool>(forces);
    });
}

std::optional<std::vector<int>> safe_moves(const Position& position, int moves,
                                           std::uint64_t nodes) {
    moves = std::clamp(moves, 1, MOST_MOVES_AHEAD);
    return those(position, [&]<Mode M>(const Game<M>& game, Action action) -> std::optional<bool> {
        for (int side = 0; side < Board<M>::SIDES; ++side) {
            if (side == game.board.side()) continue;
            Prover<M> prover(game, side, Aim::eject, nodes);
            if (prover.forces_after(game.board, action, moves)) return false;
            if (prover.gave_up()) return std::nullopt;
        }
        return true;
    });
}

} // namespace sumito
