// AND-OR search to a fixed number of moves, with the last refutation tried first.
#include "lab/proof.hpp"

#include <algorithm>
#include <array>

namespace sumito {

namespace {

constexpr int MAX_MOVES_AHEAD = 16;

template <Mode M>
class Prover {
  public:
    Prover(const Game<M>& game, int side, Aim aim, std::uint64_t nodes)
        : rules(game.rules), side(side), nodes_left(nodes) {
        for (int s = 0; s < Board<M>::SIDES; ++s)
            limit[s] = aim == Aim::win ? rules.win_at : game.board.tally.captured(s) + 1;
        replies.fill(NO_MOVE);
    }

    bool is_out_of_nodes() const { return nodes_left == 0; }

    // Whether the side reaches its aim after this move, with `moves` of its own left.
    bool forces_after(const Board<M>& board, Action action, int moves) {
        const int mover = board.side();
        if (action.ejects() && board.tally.captured(mover) + 1 >= limit[mover])
            return mover == side;
        return forces(play(board, action, rules), moves);
    }

    bool forces(const Board<M>& board, int moves) {
        if (!nodes_left) return false;
        --nodes_left;
        return board.side() == side ? some_move_forces(board, moves)
                                    : every_reply_loses(board, moves);
    }

  private:
    Rules rules;
    int side;
    std::uint64_t nodes_left;
    std::array<int, Board<M>::SIDES> limit{};
    std::array<std::uint16_t, MAX_MOVES_AHEAD + 1> replies; // the last refutations, by moves left

    // OR node: whether some move of the side reaches the aim.
    bool some_move_forces(const Board<M>& board, int moves) {
        const int missing = limit[side] - board.tally.captured(side);
        if (missing > moves) return false;
        ActionList list;
        generate(board, rules, list);
        if (missing == 1)
            for (const Action action : list)
                if (action.ejects()) return true;
        if (moves == 1) return false;
        // Pushes first: they leave the opponents the least choice.
        std::partition(list.actions.begin(), list.actions.begin() + list.size,
                       [](Action action) { return action.force != 0; });
        for (const Action action : list)
            if (forces_after(board, action, moves - 1)) return true;
        return false;
    }

    // AND node: whether the side reaches the aim after every reply.
    bool every_reply_loses(const Board<M>& board, int moves) {
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
        return list.size > 0; // without a move the turn may pass, which proves nothing
    }
};

// The legal moves for which `ask` answers true; nothing if it has no answer for one.
template <class Ask>
std::optional<std::vector<int>> filter_moves(const Position& position, Ask ask) {
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
    moves = std::clamp(moves, 1, MAX_MOVES_AHEAD);
    return filter_moves(
        position, [&]<Mode M>(const Game<M>& game, Action action) -> std::optional<bool> {
            Prover<M> prover(game, game.board.side(), aim, nodes);
            const bool forces = prover.forces_after(game.board, action, moves - 1);
            return prover.is_out_of_nodes() ? std::nullopt : std::optional<bool>(forces);
        });
}

std::optional<std::vector<int>> safe_moves(const Position& position, int moves,
                                           std::uint64_t nodes) {
    moves = std::clamp(moves, 1, MAX_MOVES_AHEAD);
    return filter_moves(position,
                        [&]<Mode M>(const Game<M>& game, Action action) -> std::optional<bool> {
                            for (int side = 0; side < Board<M>::SIDES; ++side) {
                                if (side == game.board.side()) continue;
                                Prover<M> prover(game, side, Aim::eject, nodes);
                                if (prover.forces_after(game.board, action, moves)) return false;
                                if (prover.is_out_of_nodes()) return std::nullopt;
                            }
                            return true;
                        });
}

} // namespace sumito
