// Principal variation search: pruning, reductions, extensions, quiescence.
#include "search/tree_search.hpp"

namespace sumito {

namespace {

// Fixed-point numbers with 24 fractional bits: mathematical libraries differ in the last digit of a
// logarithm, and every platform must search the same tree.
constexpr int FRACTION = 24;
constexpr std::int64_t ONE = std::int64_t{1} << FRACTION;

// The binary logarithm by repeated squaring.
constexpr std::int64_t log2_of(int n) {
    int whole = 0;
    while (n >> (whole + 1)) ++whole;
    std::uint64_t x = static_cast<std::uint64_t>(n) << (31 - whole);
    std::int64_t log = whole;
    for (int i = 0; i < FRACTION; ++i) {
        x = x * x >> 31;
        log *= 2;
        if (x >> 32) {
            x >>= 1;
            ++log;
        }
    }
    return log;
}

// Late-move reductions in plies: 0.4 + ln(depth) ln(tried) / 1.9, scaled by `Tuning::lmr_percent`.
// The shape is the usual one of chess engines, its numbers set by hand; SPSA tuned the scale.
constexpr auto REDUCTIONS = [] {
    constexpr std::int64_t BASE = (4 * ONE + 9) / 10;
    constexpr std::int64_t SLOPE = 4242455; // ln(2)^2 / 1.9
    std::array<std::array<std::int32_t, 64>, 64> table{};
    for (int d = 1; d < 64; ++d)
        for (int n = 1; n < 64; ++n)
            table[d][n] = static_cast<std::int32_t>(
                BASE + (((log2_of(d) * log2_of(n)) >> FRACTION) * SLOPE >> FRACTION));
    return table;
}();

} // namespace

template <Mode M>
void TreeSearch<M>::begin(const Game<M>& game, SharedState& common, int number) {
    shared = &common;
    rules = game.rules;
    tuning = common.tuning;
    evaluator = Evaluator<M>(tuning.weights, tuning.network.get(), game.board);
    is_main = number == 0;
    stopped = false;
    nodes = 0;
    published_nodes = 0;
    next_check = 0;
    last_poll_us = 0;
    finished_depth = 0;
    moves.top = 0;
    root = game.board;
    root_state = evaluator.start(root);
    root_turn = root.turn();
    root_side = search_side(root);
    // Other errors at every ply, as a person who returns to a position would make.
    error_seed = common.handicap.any() ? mix(common.handicap.seed * 64 + root.tally.ply()) : 0;
    constexpr int REACH = 32; // plies that a search commonly sees ahead; set by hand
    near_ply_limit =
        rules.ply_limit &&
        static_cast<int>(root.tally.ply()) + REACH + tuning.lead_plies > rules.ply_limit;
    key_salt = make_key_salt();
    if (reductions_percent != tuning.lmr_percent.of(M)) fill_reductions();
    begin_path(game);
}

// Table entries are valid for the rules, the mode, the contempt, the errors and in `three` the root
// player they were computed for; the salt keeps those of others apart.
template <Mode M>
Key TreeSearch<M>::make_key_salt() const {
    Key key = static_cast<Key>(M) + 1;
    const auto add = [&](auto part) {
        key = mix(key * 0x9E3779B97F4A7C15ull + static_cast<Key>(part));
    };
    add(rules.win_at);
    add(rules.stuck);
    add(rules.partner_sidestep);
    add(rules.repetition);
    add(tuning.contempt ? tuning.contempt * 2 + root_side : 0);
    add(error_seed);
    add(shared->handicap.noise);
    add(shared->handicap.blindness);
    add(shared->handicap.quiescence);
    if (near_ply_limit) add(root.tally.ply()); // evaluations then depend on the ply
    if (M == Mode::three) add(root_turn * 2 + tuning.three_model);
    return key;
}

// Thousands of divisions, so only when the setting has changed.
template <Mode M>
void TreeSearch<M>::fill_reductions() {
    reductions_percent = tuning.lmr_percent.of(M);
    for (int d = 0; d < 64; ++d)
        for (int n = 0; n < 64; ++n)
            reductions[d][n] = static_cast<std::uint8_t>(
                (std::int64_t{REDUCTIONS[d][n]} * reductions_percent / 100) >> FRACTION);
}

template <Mode M>
void TreeSearch<M>::begin_path(const Game<M>& game) {
    path.clear();
    for (const Board<M>& board : game.past) {
        if (board.tally.quiet() == 0) path.clear();
        path.push_back(key_at(board, false));
    }
    if (root.tally.quiet() == 0) path.clear();
    path.push_back(key_at(root, false));
    tree_start = path.size();
}

template <Mode M>
int TreeSearch<M>::search_root_move(Action action, int alpha, int beta, int depth, NodeType kind) {
    pv_length[1] = 0;
    const Board<M> next = play(root, action, rules);
    if (next.tally.captured(root.side()) >= rules.win_at) return WIN - 1;
    const Node node{root, root_state, path[tree_start - 1], 0, false};
    const State state = evaluator.next(root_state, root, next);
    return child(node, next, state, key_at(next, false), 0, alpha, beta, depth - 1, kind);
}

template <Mode M>
std::vector<int> TreeSearch<M>::variation_from(Action action) const {
    std::vector<int> line{action.index};
    line.insert(line.end(), pv[1].begin(), pv[1].begin() + pv_length[1]);
    return line;
}

template <Mode M>
int TreeSearch<M>::evaluate(const Board<M>& board, const State& state, Key key) const {
    int value;
    if constexpr (M == Mode::three) {
        value = evaluator.value(state, board, root_turn);
        if (search_side(board) == 1) value = -value;
    } else {
        value = evaluator.value(state, board, board.side());
    }
    if (near_ply_limit && M != Mode::three) value = blend_lead(board, value);
    if (const int noise = shared->handicap.noise) {
        // The sum of four uniform errors approximates a normal distribution.
        const Key h = mix((key ^ error_seed) * 0x9E3779B97F4A7C15ull);
        const int error =
            static_cast<int>((h & 255) + (h >> 8 & 255) + (h >> 16 & 255) + (h >> 24 & 255)) - 510;
        value = std::clamp(value + noise * error / 150, -MAX_VALUE, MAX_VALUE);
    }
    return value;
}

// Blends the evaluation towards the result by count as the ply limit approaches.
template <Mode M>
int TreeSearch<M>::blend_lead(const Board<M>& board, int value) const {
    const int left = std::max(rules.ply_limit - static_cast<int>(board.tally.ply()), 0);
    if (left >= tuning.lead_plies) return value;
    const int winner = leader(board);
    const int end = winner == NOBODY         ? 0
                    : winner == board.side() ? tuning.lead_value
                                             : -tuning.lead_value;
    return (value * left + end * (tuning.lead_plies - left)) / tuning.lead_plies;
}

// The score of a finished game for the side to move; NOBODY is a draw.
template <Mode M>
int TreeSearch<M>::final_value(const Board<M>& board, int winner, int ply) const {
    if (winner == NOBODY) return draw_value(board);
    bool ours;
    if constexpr (M == Mode::three)
        ours = (winner == root_turn) == (search_side(board) == 0);
    else
        ours = winner == board.side();
    return ours ? WIN - ply : ply - WIN;
}

// One repetition within the tree counts as a draw; positions before the root count as often as the
// rules require.
template <Mode M>
bool TreeSearch<M>::is_repetition(const Board<M>& board, Key key) const {
    if (!rules.repetition) return false;
    const auto quiet = static_cast<std::size_t>(board.tally.quiet());
    const std::size_t window = std::min(quiet, path.size());
    int before = 0;
    for (std::size_t back = 1; back <= window; ++back) {
        const std::size_t at = path.size() - back;
        if (path[at] == key && (at >= tree_start || ++before >= rules.repetition - 1)) return true;
    }
    return false;
}

template <Mode M>
bool TreeSearch<M>::is_over(const Board<M>& board, Key key, int ply, int& value) const {
    if constexpr (M == Mode::three)
        if (const int side = last_side_in(board); side != NOBODY) {
            value = final_value(board, side, ply);
            return true;
        }
    if (past_ply_limit(board, rules)) {
        value = final_value(board, leader(board), ply);
        return true;
    }
    if (is_repetition(board, key)) {
        value = draw_value(board);
        return true;
    }
    return false;
}

template <Mode M>
bool TreeSearch<M>::is_overlooked(Key key, int move) const {
    const Handicap& handicap = shared->handicap;
    if (!handicap.blindness) return false;
    const Key h = mix((key ^ error_seed) + static_cast<Key>(move) * 0x9E3779B97F4A7C15ull);
    return static_cast<int>((h >> 20) % 1000) < handicap.blindness;
}

template <Mode M>
void TreeSearch<M>::publish_nodes() {
    shared->nodes.fetch_add(nodes - published_nodes, std::memory_order_relaxed);
    published_nodes = nodes;
}

template <Mode M>
bool TreeSearch<M>::check_limits() {
    constexpr std::uint64_t CHECK_EVERY = 512;   // nodes: well under a millisecond
    constexpr std::int64_t POLL_EVERY_US = 5000; // polling may mean waiting for Python
    publish_nodes();
    next_check = nodes + CHECK_EVERY;
    if (is_main && finished_depth == 0) return false;
    if (shared->node_limit) {
        const std::uint64_t total = shared->nodes.load(std::memory_order_relaxed);
        if (total >= shared->node_limit) return stopped = true;
        next_check = nodes + std::min(CHECK_EVERY, shared->node_limit - total);
    }
    if (shared->stop.load(std::memory_order_relaxed)) return stopped = true;
    if (!is_main) return false;
    const SearchMonitor& monitor = shared->monitor;
    if (monitor.stop && monitor.stop->is_set()) return stopped = true;
    if (shared->timer.is_past_hard_limit()) return stopped = true;
    if (monitor.should_continue && shared->timer.us() - last_poll_us >= POLL_EVERY_US) {
        last_poll_us = shared->timer.us();
        if (!monitor.should_continue()) return stopped = true;
    }
    return false;
}

template <Mode M>
void TreeSearch<M>::extend_pv(int ply, int move) {
    pv[ply][0] = static_cast<std::uint16_t>(move);
    const int length = pv_length[ply + 1];
    std::copy_n(pv[ply + 1].begin(), length, pv[ply].begin() + 1);
    pv_length[ply] = length + 1;
}

// The maximum of `best` (standing pat) and the evaluations after each push that ejects nothing: the
// threats they create are what the static evaluation misses most.
template <Mode M>
int TreeSearch<M>::search_pushes(const Board<M>& board, const State& state, int best, int beta) {
    Action* const list = &moves.actions[static_cast<std::size_t>(moves.top)];
    const Action* const end = generate<M, Stage::pushes>(board, rules, list);
    for (const Action* action = list; action != end && best < beta; ++action) {
        ++nodes;
        const Board<M> next = play(board, *action, rules);
        if (past_ply_limit(next, rules)) break;
        const State after = evaluator.next(state, board, next);
        const int value = evaluate(next, after, key_at(next, false));
        best = std::max(best, search_side(next) == search_side(board) ? value : -value);
    }
    return best;
}

// Quiescence search: the side to move may stand pat or eject.
template <Mode M>
int TreeSearch<M>::quiesce(const Board<M>& board, const State& state, Key key, int alpha, int beta,
                           int ply, bool is_leaf) {
    const int value = evaluate(board, state, key);
    if (value >= beta || !shared->handicap.quiescence || ply >= MAX_PLY || should_stop())
        return value;
    alpha = std::max(alpha, value);
    int best = value;
    const int base = moves.top;
    Action* const list = &moves.actions[static_cast<std::size_t>(base)];
    const Action* const end = generate<M, Stage::ejections>(board, rules, list);
    moves.top = base + static_cast<int>(end - list);
    for (const Action* action = list; action != end; ++action) {
        if (is_overlooked(key, action->index)) continue;
        ++nodes;
        if (ply + 1 > seldepth) seldepth = ply + 1;
        const Board<M> next = play(board, *action, rules);
        int score;
        if (next.tally.captured(board.side()) >= rules.win_at) {
            score = final_value(board, board.side(), ply + 1);
        } else if (past_ply_limit(next, rules)) {
            score = final_value(board, leader(next), ply + 1);
        } else {
            const State after = evaluator.next(state, board, next);
            const Key next_key = key_at(next, false);
            score = search_side(next) == search_side(board)
                        ? quiesce(next, after, next_key, alpha, beta, ply + 1, false)
                        : -quiesce(next, after, next_key, -beta, -alpha, ply + 1, false);
        }
        if (score <= best) continue;
        best = score;
        if (score >= beta) break;
        alpha = std::max(alpha, score);
    }
    moves.top = base;
    if constexpr (M == Mode::two) // no gain was measured in other modes
        if (is_leaf && tuning.qpush_margin && best < beta && value + tuning.qpush_margin > alpha &&
            !shared->handicap.any())
            best = search_pushes(board, state, best, beta);
    return best;
}

// BRS+: of the two opponents, one may choose a move and the other plays the first in move order.
// Once a move other than the first was chosen, the next opponent has no choice.
template <Mode M>
bool TreeSearch<M>::makes_brs_reply(const Node& node, const Board<M>& next, int tried) const {
    return brs() && search_side(next) == 1 && search_side(node.board) == 1 &&
           (node.brs_replied || tried > 0);
}

template <Mode M>
int TreeSearch<M>::child(const Node& node, const Board<M>& next, const State& state, Key key,
                         int tried, int alpha, int beta, int depth, NodeType kind) {
    const Node below{next, state, key, node.ply + 1, makes_brs_reply(node, next, tried)};
    return search_side(next) == search_side(node.board)
               ? search(below, alpha, beta, depth, kind)
               : -search(below, -beta, -alpha, depth, kind);
}

// The score of one move: later quiet moves are searched with a null window and less depth first,
// and again if they raise alpha.
template <Mode M>
int TreeSearch<M>::search_move(const Node& node, Action action, int tried, int alpha, int beta,
                               int depth, NodeType kind, int extension) {
    const Board<M>& board = node.board;
    const Board<M> next = play(board, action, rules);
    if (action.ejects() && next.tally.captured(board.side()) >= rules.win_at) {
        pv_length[node.ply + 1] = 0;
        return final_value(board, board.side(), node.ply + 1);
    }
    const Key key = key_at(next, makes_brs_reply(node, next, tried));
    if (depth > 1) shared->table.prefetch(key); // leaves don't probe
    const State state = evaluator.next(node.state, board, next);
    const auto search_root_move = [&](int a, int b, int d, NodeType k) {
        return child(node, next, state, key, tried, a, b, d, k);
    };
    const int below = depth - 1;
    if (tried == 0) return search_root_move(alpha, beta, below + extension, kind);

    int reduced = 0;
    if (!action.ejects() && tried >= 2 && depth >= 3)
        reduced = std::clamp(reduction(depth, tried) - (kind == NodeType::pv), 0, below - 1);
    int score = search_root_move(alpha, alpha + 1, below - reduced, NodeType::cut);
    if (score > alpha && reduced) score = search_root_move(alpha, alpha + 1, below, NodeType::cut);
    if (score > alpha && kind == NodeType::pv)
        score = search_root_move(alpha, beta, below, NodeType::pv);
    return score;
}

// History bonus for the quiet move that cut, and the same malus for those tried before it.
template <Mode M>
void TreeSearch<M>::update_history(const Node& node, int depth, int move,
                                   const QuietsTried& quiets_tried) {
    const int colour = node.board.turn();
    const int bonus = std::min(tuning.history_bonus * depth * depth, 1200);
    history.update(colour, move, bonus);
    for (int i = 0; i < quiets_tried.size; ++i)
        history.update(colour, quiets_tried.moves[i], -bonus);
}

// Searches the moves in order until one fails high; `move` becomes the best. `extension` applies to
// the first.
template <Mode M>
int TreeSearch<M>::search_moves(const Node& node, int alpha, int beta, int depth, NodeType kind,
                                int value, int extension, int& move) {
    const bool no_win_in_window = std::abs(beta) < PROVEN && std::abs(alpha) < PROVEN;
    const int margin = tuning.futility_margin.of(M);
    const bool is_futile = kind == NodeType::cut && no_win_in_window && margin &&
                           depth <= tuning.futility_depth && value + margin * depth <= alpha;
    const int most_quiets =
        depth <= tuning.lmp_depth && no_win_in_window ? lmp_limit(depth) : MAX_MOVES;
    MovePicker<M> picker(node.board, rules, history, tuning, moves, move);
    QuietsTried quiets_tried;
    int best = -WIN;
    int seen = 0;
    int tried = 0;
    int quiets = 0;
    Action upcoming = NO_ACTION;
    bool has_upcoming = false;
    for (Action action = picker.next(); action; action = has_upcoming ? upcoming : picker.next()) {
        // Where the first move doesn't cut, the next is picked early, so that its table entry is
        // fetched while this one is searched. Leaves don't probe.
        has_upcoming = M == Mode::two && tried && depth > 1;
        if (has_upcoming && (upcoming = picker.next()))
            shared->table.prefetch(key_at(play(node.board, upcoming, rules), false));
        const bool quiet = !action.ejects();
        ++seen;
        if (action.index == node.excluded) continue;
        // Late-move and futility pruning, unless all moves so far lose and a defence may follow.
        if (quiet && tried && best > -PROVEN) {
            if (quiets >= most_quiets) break;
            if (is_futile) continue;
        }
        if (is_overlooked(node.key, action.index)) continue;
        const int score = search_move(node, action, tried++, alpha, beta, depth, kind, extension);
        if (stopped) return 0;
        best = std::max(best, score);
        if (score > alpha) {
            alpha = score;
            move = action.index;
            if (kind == NodeType::pv) extend_pv(node.ply, action.index);
            if (score >= beta) {
                if (quiet) update_history(node, depth, action.index, quiets_tried);
                break;
            }
        }
        if (quiet) {
            ++quiets;
            quiets_tried.add(action.index);
        }
        if (brs() && node.brs_replied) {
            // BRS+ leaves this player no other move, but the rules do: a loss is not proven.
            best = std::max(best, -MAX_UNPROVEN + node.ply);
            break;
        }
    }
    if (node.excluded != NO_MOVE && tried == 0) return alpha; // the excluded move is the only one
    if (seen == 0)
        return final_value(node.board, stuck_outcome(node.board, rules).winner, node.ply);
    return tried ? best : value; // a weak level may overlook every move
}

// Whether the table's move is known well enough for a singular search. Not in `three`, where BRS+
// replies are not the best ones.
template <Mode M>
bool TreeSearch<M>::can_be_singular(const Node& node, const Entry& entry, int depth) const {
    constexpr int NEARLY = 3; // plies by which the table's depth may be less
    return M != Mode::three && tuning.singular_depth && depth >= tuning.singular_depth &&
           node.ply < 2 * root_depth && // bounds the extensions of one variation
           node.excluded == NO_MOVE && entry.move != NO_MOVE && entry.depth >= depth - NEARLY &&
           entry.bound != Bound::upper && std::abs(int{entry.score}) < PROVEN;
}

// Singular search: the score of all other moves against `bar`, at half the depth.
template <Mode M>
int TreeSearch<M>::search_excluding(const Node& node, int move, int bar, int depth) {
    Node others = node;
    others.excluded = move;
    const int score = search(others, bar - 1, bar, (depth - 1) / 2, NodeType::cut);
    pv_length[node.ply] = 0;
    return score;
}

template <Mode M>
int TreeSearch<M>::search(const Node& node, int alpha, int beta, int depth, NodeType kind) {
    const auto& [board, state, key, ply, brs_replied, excluded] = node;
    ++nodes;
    if (ply > seldepth) seldepth = ply;
    pv_length[ply] = 0;
    // For repetition it is the same position whichever of the opponents has replied.
    const Key position = M == Mode::three && brs_replied ? ~key : key;
    if (int value; is_over(board, position, ply, value)) return value;
    if (depth <= 0 || ply >= MAX_PLY) return quiesce(board, state, key, alpha, beta, ply, true);
    if (should_stop()) return 0;

    // Mate-distance pruning: nothing from here can beat a quicker win found elsewhere.
    alpha = std::max(alpha, ply - WIN);
    beta = std::min(beta, WIN - ply - 1);
    if (alpha >= beta) return alpha;

    // Close to a ply limit scores depend on the ply, which is no part of the key.
    const bool table_is_valid =
        tuning.use_table && (!rules.ply_limit || board.tally.ply() + static_cast<unsigned>(depth) <
                                                     static_cast<unsigned>(rules.ply_limit));
    Entry entry;
    const bool known = tuning.use_table && shared->table.probe(key, entry);
    if (known && kind == NodeType::cut && table_is_valid && excluded == NO_MOVE &&
        entry.depth >= depth && entry.causes_cutoff(alpha, beta, ply))
        return entry.score_at(ply);

    const int value = known ? entry.value : evaluate(board, state, key);
    const int margin = tuning.rfp_margin.of(M);
    if (kind == NodeType::cut && std::abs(beta) < PROVEN && margin && depth <= tuning.rfp_depth &&
        value - margin * depth >= beta)
        return value;

    int move = known ? entry.move : NO_MOVE;
    int extension = 0;
    if (known && table_is_valid && can_be_singular(node, entry, depth)) {
        const int bar = entry.score - tuning.singular_margin * depth;
        const int others = search_excluding(node, move, bar, depth);
        if (stopped) return 0;
        if (others >= bar && bar >= beta) return bar; // multi-cut: two moves fail high
        extension = others < bar ? 1 : entry.score >= beta ? -1 : 0;
    }
    path.push_back(position);
    const int best = search_moves(node, alpha, beta, depth, kind, value, extension, move);
    path.pop_back();
    if (stopped) return 0;
    if (table_is_valid && excluded == NO_MOVE)
        shared->table.store(key, Entry::of(move, best, ply, value, depth,
                                           best >= beta   ? Bound::lower
                                           : best > alpha ? Bound::exact
                                                          : Bound::upper));
    return best;
}

template class TreeSearch<Mode::two>;
template class TreeSearch<Mode::three>;
template class TreeSearch<Mode::teams>;
template class TreeSearch<Mode::teams_double>;

} // namespace sumito
