// The search of the tree.
#include "search/worker.hpp"

namespace sumito {

namespace {

// Fixed-point numbers with 24 fractional bits: libraries differ in the last digit of a logarithm,
// and every platform is to search the same tree.
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

// 0.4 + ln(depth) ln(tried) / 1.9: plies by which a late move is searched less at full strength.
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
void Worker<M>::begin(const Game<M>& game, Shared& common, int number) {
    shared = &common;
    rules = game.rules;
    tuning = common.tuning;
    evaluator = Evaluator<M>(tuning.weights, tuning.network.get(), game.board);
    is_main = number == 0;
    stopped = false;
    count = 0;
    published = 0;
    look_at = 0;
    asked_us = 0;
    finished_depth = 0;
    moves.top = 0;
    root = game.board;
    root_state = evaluator.start(root);
    root_turn = root.turn();
    root_party = party(root);
    // Other errors at every ply: a person who comes back to a position judges it anew.
    error_seed = common.handicap.any() ? mix(common.handicap.seed * 64 + root.tally.ply()) : 0;
    constexpr int REACH = 32; // plies a search commonly looks ahead
    near_limit = rules.ply_limit &&
                 static_cast<int>(root.tally.ply()) + REACH + tuning.hold_plies > rules.ply_limit;
    salt = salt_of();
    if (reductions_for != tuning.reduce.of(M)) plan_reductions();
    begin_path(game);
}

// Entries of the table hold for the rules, the mode, the cost of a draw, the errors and in `three`
// the player they were made for, and must not be taken for others.
template <Mode M>
Key Worker<M>::salt_of() const {
    Key key = static_cast<Key>(M) + 1;
    const auto add = [&](auto part) {
        key = mix(key * 0x9E3779B97F4A7C15ull + static_cast<Key>(part));
    };
    add(rules.win_at);
    add(rules.stuck);
    add(rules.partner_sidestep);
    add(rules.repetition);
    add(tuning.contempt ? tuning.contempt * 2 + root_party : 0);
    add(error_seed);
    add(shared->handicap.noise);
    add(shared->handicap.blindness);
    add(shared->handicap.quiescence);
    if (near_limit) add(root.tally.ply()); // the same marbles are worth something else later
    if (M == Mode::three) add(root_turn * 2 + tuning.three);
    return key;
}

// Thousands of divisions: too many for each of a million short searches.
template <Mode M>
void Worker<M>::plan_reductions() {
    reductions_for = tuning.reduce.of(M);
    for (int d = 0; d < 64; ++d)
        for (int n = 0; n < 64; ++n)
            reductions[d][n] = static_cast<std::uint8_t>(
                (std::int64_t{REDUCTIONS[d][n]} * reductions_for / 100) >> FRACTION);
}

template <Mode M>
void Worker<M>::begin_path(const Game<M>& game) {
    path.clear();
    for (const Board<M>& board : game.past) {
        if (board.tally.quiet() == 0) path.clear();
        path.push_back(key_at(board, false));
    }
    if (root.tally.quiet() == 0) path.clear();
    path.push_back(key_at(root, false));
    tree = path.size();
}

template <Mode M>
int Worker<M>::look(Action action, int alpha, int beta, int depth, Kind kind) {
    pv_length[1] = 0;
    const Board<M> next = play(root, action, rules);
    if (next.tally.captured(root.side()) >= rules.win_at) return WIN - 1;
    const Node node{root, root_state, path[tree - 1], 0, false};
    const State state = evaluator.next(root_state, root, next);
    return child(node, next, state, key_at(next, false), 0, alpha, beta, depth - 1, kind);
}

template <Mode M>
std::vector<int> Worker<M>::line_of(Action action) const {
    std::vector<int> line{action.index};
    line.insert(line.end(), pv[1].begin(), pv[1].begin() + pv_length[1]);
    return line;
}

template <Mode M>
int Worker<M>::value_of(const Board<M>& board, const State& state, Key key) const {
    int value;
    if constexpr (M == Mode::three) {
        value = evaluator.value(state, board, root_turn);
        if (party(board) == 1) value = -value;
    } else {
        value = evaluator.value(state, board, board.side());
    }
    if (near_limit && M != Mode::three) value = held(board, value);
    if (const int noise = shared->handicap.noise) {
        // The sum of four even errors is near enough to a person's.
        const Key h = mix((key ^ error_seed) * 0x9E3779B97F4A7C15ull);
        const int error =
            static_cast<int>((h & 255) + (h >> 8 & 255) + (h >> 16 & 255) + (h >> 24 & 255)) - 510;
        value = std::clamp(value + noise * error / 150, -MOST_VALUE, MOST_VALUE);
    }
    return value;
}

// Towards the ply limit a lead counts more and more, and what might come of the position less.
template <Mode M>
int Worker<M>::held(const Board<M>& board, int value) const {
    const int left = std::max(rules.ply_limit - static_cast<int>(board.tally.ply()), 0);
    if (left >= tuning.hold_plies) return value;
    const int winner = leader(board);
    const int end = winner == NOBODY ? 0 : winner == board.side() ? tuning.hold : -tuning.hold;
    return (value * left + end * (tuning.hold_plies - left)) / tuning.hold_plies;
}

// A finished game as the party to move sees it: NOBODY is a draw.
template <Mode M>
int Worker<M>::value_of_end(const Board<M>& board, int winner, int ply) const {
    if (winner == NOBODY) return draw_value(board);
    bool ours;
    if constexpr (M == Mode::three)
        ours = (winner == root_turn) == (party(board) == 0);
    else
        ours = winner == board.side();
    return ours ? WIN - ply : ply - WIN;
}

// Once within the tree is enough for a draw, since what was best once is best again; positions
// before the root count as the rules have it.
template <Mode M>
bool Worker<M>::repeated(const Board<M>& board, Key key) const {
    if (!rules.repetition) return false;
    const auto quiet = static_cast<std::size_t>(board.tally.quiet());
    const std::size_t window = std::min(quiet, path.size());
    int before = 0;
    for (std::size_t back = 1; back <= window; ++back) {
        const std::size_t at = path.size() - back;
        if (path[at] == key && (at >= tree || ++before >= rules.repetition - 1)) return true;
    }
    return false;
}

template <Mode M>
bool Worker<M>::is_over(const Board<M>& board, Key key, int ply, int& value) const {
    if constexpr (M == Mode::three)
        if (const int side = last_side_in(board); side != NOBODY) {
            value = value_of_end(board, side, ply);
            return true;
        }
    if (past_ply_limit(board, rules)) {
        value = value_of_end(board, leader(board), ply);
        return true;
    }
    if (repeated(board, key)) {
        value = draw_value(board);
        return true;
    }
    return false;
}

template <Mode M>
bool Worker<M>::overlooked(Key key, int move) const {
    const Handicap& handicap = shared->handicap;
    if (!handicap.blindness) return false;
    const Key h = mix((key ^ error_seed) + static_cast<Key>(move) * 0x9E3779B97F4A7C15ull);
    return static_cast<int>((h >> 20) % 1000) < handicap.blindness;
}

template <Mode M>
void Worker<M>::publish_nodes() {
    shared->nodes.fetch_add(count - published, std::memory_order_relaxed);
    published = count;
}

template <Mode M>
bool Worker<M>::must_stop() {
    constexpr std::uint64_t OFTEN = 512;        // nodes: well under a millisecond
    constexpr std::int64_t ASK_AGAIN_US = 5000; // asking may mean waiting for Python
    publish_nodes();
    look_at = count + OFTEN;
    if (is_main && finished_depth == 0) return false;
    if (shared->node_limit) {
        const std::uint64_t total = shared->nodes.load(std::memory_order_relaxed);
        if (total >= shared->node_limit) return stopped = true;
        look_at = count + std::min(OFTEN, shared->node_limit - total);
    }
    if (shared->stop.load(std::memory_order_relaxed)) return stopped = true;
    if (!is_main) return false;
    const Watch& watch = shared->watch;
    if (watch.stop && watch.stop->is_set()) return stopped = true;
    if (shared->timer.hard_over()) return stopped = true;
    if (watch.goes_on && shared->timer.us() - asked_us >= ASK_AGAIN_US) {
        asked_us = shared->timer.us();
        if (!watch.goes_on()) return stopped = true;
    }
    return false;
}

template <Mode M>
void Worker<M>::extend_pv(int ply, int move) {
    pv[ply][0] = static_cast<std::uint16_t>(move);
    const int length = pv_length[ply + 1];
    std::copy_n(pv[ply + 1].begin(), length, pv[ply].begin() + 1);
    pv_length[ply] = length + 1;
}

// The best of standing still, worth `best`, and of the pushes that eject nothing, each judged as it
// leaves the board: the threats they make are what a still look at the board misses most.
template <Mode M>
int Worker<M>::best_push(const Board<M>& board, const State& state, int best, int beta) {
    Action* const list = &moves.actions[static_cast<std::size_t>(moves.top)];
    const Action* const end = generate<M, Stage::pushes>(board, rules, list);
    for (const Action* action = list; action != end && best < beta; ++action) {
        ++count;
        const Board<M> next = play(board, *action, rules);
        if (past_ply_limit(next, rules)) break;
        const State after = evaluator.next(state, board, next);
        const int value = value_of(next, after, key_at(next, false));
        best = std::max(best, party(next) == party(board) ? value : -value);
    }
    return best;
}

// Looks exchanges through: a side to move may stand still or eject.
template <Mode M>
int Worker<M>::quiesce(const Board<M>& board, const State& state, Key key, int alpha, int beta,
                       int ply, bool is_leaf) {
    const int value = value_of(board, state, key);
    if (value >= beta || !shared->handicap.quiescence || ply >= MOST_PLY || out_of_time())
        return value;
    alpha = std::max(alpha, value);
    int best = value;
    const int base = moves.top;
    Action* const list = &moves.actions[static_cast<std::size_t>(base)];
    const Action* const end = generate<M, Stage::ejections>(board, rules, list);
    moves.top = base + static_cast<int>(end - list);
    for (const Action* action = list; action != end; ++action) {
        if (overlooked(key, action->index)) continue;
        ++count;
        if (ply + 1 > seldepth) seldepth = ply + 1;
        const Board<M> next = play(board, *action, rules);
        int score;
        if (next.tally.captured(board.side()) >= rules.win_at) {
            score = value_of_end(board, board.side(), ply + 1);
        } else if (past_ply_limit(next, rules)) {
            score = value_of_end(board, leader(next), ply + 1);
        } else {
            const State after = evaluator.next(state, board, next);
            const Key next_key = key_at(next, false);
            score = party(next) == party(board)
                        ? quiesce(next, after, next_key, alpha, beta, ply + 1, false)
                        : -quiesce(next, after, next_key, -beta, -alpha, ply + 1, false);
        }
        if (score <= best) continue;
        best = score;
        if (score >= beta) break;
        alpha = std::max(alpha, score);
    }
    moves.top = base;
    if constexpr (M == Mode::two) // elsewhere it wasn't shown to help
        if (is_leaf && tuning.leaf_margin && best < beta && value + tuning.leaf_margin > alpha &&
            !shared->handicap.any())
            best = best_push(board, state, best, beta);
    return best;
}

// BRS+: of the two others, one may choose a move and the other plays the first in order. Once a
// move other than the first was chosen, the one after has no choice left.
template <Mode M>
bool Worker<M>::answers(const Node& node, const Board<M>& next, int tried) const {
    return brs() && party(next) == 1 && party(node.board) == 1 && (node.answered || tried > 0);
}

template <Mode M>
int Worker<M>::child(const Node& node, const Board<M>& next, const State& state, Key key, int tried,
                     int alpha, int beta, int depth, Kind kind) {
    const Node below{next, state, key, node.ply + 1, answers(node, next, tried)};
    return party(next) == party(node.board) ? search(below, alpha, beta, depth, kind)
                                            : -search(below, -beta, -alpha, depth, kind);
}

// What one move is worth: later quiet moves are first asked at less depth whether they are worth
// it.
template <Mode M>
int Worker<M>::search_move(const Node& node, Action action, int tried, int alpha, int beta,
                           int depth, Kind kind, int extension) {
    const Board<M>& board = node.board;
    const Board<M> next = play(board, action, rules);
    if (action.ejects() && next.tally.captured(board.side()) >= rules.win_at) {
        pv_length[node.ply + 1] = 0;
        return value_of_end(board, board.side(), node.ply + 1);
    }
    const Key key = key_at(next, answers(node, next, tried));
    if (depth > 1) shared->table.prefetch(key); // leaves don't ask
    const State state = evaluator.next(node.state, board, next);
    const auto look = [&](int a, int b, int d, Kind k) {
        return child(node, next, state, key, tried, a, b, d, k);
    };
    const int below = depth - 1;
    if (tried == 0) return look(alpha, beta, below + extension, kind);

    int reduced = 0;
    if (!action.ejects() && tried >= 2 && depth >= 3)
        reduced = std::clamp(reduction(depth, tried) - (kind == Kind::pv), 0, below - 1);
    int score = look(alpha, alpha + 1, below - reduced, Kind::cut);
    if (score > alpha && reduced) score = look(alpha, alpha + 1, below, Kind::cut);
    if (score > alpha && kind == Kind::pv) score = look(alpha, beta, below, Kind::pv);
    return score;
}

// A quiet move has cut the branch: it is to come earlier next time, those tried before it later.
template <Mode M>
void Worker<M>::learn(const Node& node, int depth, int move, const Failed& failed) {
    const int colour = node.board.turn();
    const int bonus = std::min(tuning.history * depth * depth, 1200);
    history.reward(colour, move, bonus);
    for (int i = 0; i < failed.size; ++i) history.reward(colour, failed.moves[i], -bonus);
}

// Tries the moves in order until one refutes; `move` becomes the best of them. The first is looked
// at so much further.
template <Mode M>
int Worker<M>::search_moves(const Node& node, int alpha, int beta, int depth, Kind kind, int value,
                            int extension, int& move) {
    const bool quiet_window = std::abs(beta) < SURE && std::abs(alpha) < SURE;
    const int margin = tuning.futile_margin.of(M);
    const bool futile = kind == Kind::cut && quiet_window && margin &&
                        depth <= tuning.futile_depth && value + margin * depth <= alpha;
    const int enough = depth <= tuning.late_depth && quiet_window ? late_limit(depth) : MOST_MOVES;
    Picker<M> picker(node.board, rules, history, tuning, moves, move);
    Failed failed;
    int best = -WIN;
    int seen = 0;
    int tried = 0;
    int quiets = 0;
    Action upcoming = NO_ACTION;
    bool chosen = false;
    for (Action action = picker.next(); action; action = chosen ? upcoming : picker.next()) {
        // Where the first move doesn't cut, the one after is chosen early: what the table knows of
        // it comes from memory while this one is searched. Leaves don't ask.
        chosen = M == Mode::two && tried && depth > 1;
        if (chosen && (upcoming = picker.next()))
            shared->table.prefetch(key_at(play(node.board, upcoming, rules), false));
        const bool quiet = !action.ejects();
        ++seen;
        if (action.index == node.without) continue;
        // Late quiet moves are left out, unless all so far lose and a defence may be among them.
        if (quiet && tried && best > -SURE) {
            if (quiets >= enough) break;
            if (futile) continue;
        }
        if (overlooked(node.key, action.index)) continue;
        const int score = search_move(node, action, tried++, alpha, beta, depth, kind, extension);
        if (stopped) return 0;
        best = std::max(best, score);
        if (score > alpha) {
            alpha = score;
            move = action.index;
            if (kind == Kind::pv) extend_pv(node.ply, action.index);
            if (score >= beta) {
                if (quiet) learn(node, depth, action.index, failed);
                break;
            }
        }
        if (quiet) {
            ++quiets;
            failed.add(action.index);
        }
        if (brs() && node.answered) {
            // The model leaves this player no other move, but the rules do: what loses is no proof.
            best = std::max(best, -UNPROVEN + node.ply);
            break;
        }
    }
    if (node.without != NO_MOVE && tried == 0) return alpha; // there is no other
    if (seen == 0)
        return value_of_end(node.board, stuck_outcome(node.board, rules).winner, node.ply);
    return tried ? best : value; // a weak level may overlook every move
}

// Whether the table's move is known well enough to ask if it stands alone. Among three nobody's
// answer is the best one.
template <Mode M>
bool Worker<M>::may_stand_alone(const Node& node, const Entry& entry, int depth) const {
    constexpr int NEARLY = 3; // plies that the table may have looked less deep
    return M != Mode::three && tuning.singular_depth && depth >= tuning.singular_depth &&
           node.ply < 2 * root_depth && // or a line might never end
           node.without == NO_MOVE && entry.move != NO_MOVE && entry.depth >= depth - NEARLY &&
           entry.bound != Bound::upper && std::abs(int{entry.score}) < SURE;
}

// Whether any other move reaches the bar, looked at half as deep.
template <Mode M>
int Worker<M>::search_others(const Node& node, int move, int bar, int depth) {
    Node others = node;
    others.without = move;
    const int score = search(others, bar - 1, bar, (depth - 1) / 2, Kind::cut);
    pv_length[node.ply] = 0;
    return score;
}

template <Mode M>
int Worker<M>::search(const Node& node, int alpha, int beta, int depth, Kind kind) {
    const auto& [board, state, key, ply, answered, without] = node;
    ++count;
    if (ply > seldepth) seldepth = ply;
    pv_length[ply] = 0;
    // To the rules it is the same position whichever of the others has answered.
    const Key position = M == Mode::three && answered ? ~key : key;
    if (int value; is_over(board, position, ply, value)) return value;
    if (depth <= 0 || ply >= MOST_PLY) return quiesce(board, state, key, alpha, beta, ply, true);
    if (out_of_time()) return 0;

    // No line from here can beat a quicker win found elsewhere.
    alpha = std::max(alpha, ply - WIN);
    beta = std::min(beta, WIN - ply - 1);
    if (alpha >= beta) return alpha;

    // Near a ply limit the same marbles are worth something else a ply later.
    const bool table_holds =
        tuning.table && (!rules.ply_limit || board.tally.ply() + static_cast<unsigned>(depth) <
                                                 static_cast<unsigned>(rules.ply_limit));
    Entry entry;
    const bool known = tuning.table && shared->table.probe(key, entry);
    if (known && kind == Kind::cut && table_holds && without == NO_MOVE && entry.depth >= depth &&
        entry.settles(alpha, beta, ply))
        return entry.score_at(ply);

    const int value = known ? entry.value : value_of(board, state, key);
    const int margin = tuning.reverse_margin.of(M);
    if (kind == Kind::cut && std::abs(beta) < SURE && margin && depth <= tuning.reverse_depth &&
        value - margin * depth >= beta)
        return value;

    int move = known ? entry.move : NO_MOVE;
    int extension = 0;
    if (known && table_holds && may_stand_alone(node, entry, depth)) {
        const int bar = entry.score - tuning.singular_margin * depth;
        const int others = search_others(node, move, bar, depth);
        if (stopped) return 0;
        if (others >= bar && bar >= beta) return bar; // two moves refute
        extension = others < bar ? 1 : entry.score >= beta ? -1 : 0;
    }
    path.push_back(position);
    const int best = search_moves(node, alpha, beta, depth, kind, value, extension, move);
    path.pop_back();
    if (stopped) return 0;
    if (table_holds && without == NO_MOVE)
        shared->table.store(key, Entry::of(move, best, ply, value, depth,
                                           best >= beta   ? Bound::lower
                                           : best > alpha ? Bound::exact
                                                          : Bound::upper));
    return best;
}

template class Worker<Mode::two>;
template class Worker<Mode::three>;
template class Worker<Mode::teams>;
template class Worker<Mode::teams_double>;

} // namespace sumito
