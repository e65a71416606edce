/* The hands of a table, on a phone at it: points, deal and payments are computed here at once (js/hanchan.js) and what
   was pressed waits in a log until the server has it (js/outbox.js). The server's state takes the place of ours, and
   what still waits is played on top of it. In practice there is no server: the log is all there is. */
(function () {
    "use strict";

    const EVERY = 3000; // ms between questions for the state, while the page is in view
    const SEATS = [0, 1, 2, 3];
    const { word: wordOf, make, makeButton } = window.umaokaParts;
    const { keep, load, openLog } = window.umaokaOutbox;
    const engine = window.umaokaHanchan;
    const root = document.querySelector("[data-hands]");
    const word = (name, values) => wordOf(root, name, values);
    const read = (id) => JSON.parse(document.getElementById(id).textContent);
    const part = (name) => root.querySelector("[data-" + name + "]");
    const rules = read("hands-rules");
    const isPractice = "practice" in root.dataset;
    const prefix = "umaoka-hands:" + root.dataset.user + ":" + root.dataset.table;
    let server = read("hands-state");
    let flow = null; // what is being entered; see `begin`
    let shown = "home"; // the panel, if nothing is being entered: home, more, list, undo
    let bell = false; // the time ran out during the hand in play

    // --- what is known ----------------------------------------------------------------------------------------

    const log = openLog({
        prefix,
        address: root.dataset.write,
        isKept: !isPractice,
        fieldsOf,
        isVain: (entry) => entry.fields.kind === "riichi", // of a hand that is over
        answered: (reply) => take(reply.state),
        changed: draw,
    });

    /** The server's newest state, which may be of the page, of an answer, or kept on this device. */
    function take(state) {
        if (state) {
            server = state;
            if (!isPractice) {
                keep({ name: prefix + ":state", state });
            }
        }
    }

    function fieldsOf({ fields }) {
        const { kind, based_on, after, target, seat, isOn } = fields;
        const others = server.riichi.filter((each) => each !== seat);
        const facts = kind === "riichi" ? { seats: isOn ? [...others, seat].sort() : others } : fields.facts;
        return { kind, based_on, facts: JSON.stringify(facts), ...(after ? { after } : {}), ...(target ? { target } : {}) };
    }

    /** The table with what waits: its hands {key, number, facts, entry}, riichi, and the game that follows. */
    function look() {
        const start = server.log.filter((each) => each.kind === "start").pop();
        const [first] = server.hands;
        const begins = { hand: first ? first.code : server.hand, points: null, deposits: 0, ...(start ? start.facts : {}) };
        const seen = { begins, hand: server.hand, keeps: server.keeps_points, riichi: new Set(server.riichi) };
        const keyOf = (number) => server.log.find((each) => each.number === number).key;
        seen.hands = server.hands.map(({ number, facts, by }) => ({ key: keyOf(number), facts, by }));
        for (const entry of log.entries()) {
            if (entry.state !== "unsent") {
                break;
            }
            apply(seen, entry);
        }
        const from = seen.keeps ? seen.begins : { points: null, deposits: 0 };
        seen.start = engine.newGame(rules, from.hand || seen.hand || "E1.0", from.points, from.deposits) || engine.newGame(rules);
        return Object.assign(seen, engine.replay(seen.start, seen.hands.map((each) => each.facts)));
    }

    function apply(seen, entry) {
        const { kind, facts, target, seat, isOn } = entry.fields;
        const at = seen.hands.findIndex((each) => each.key === target);
        if (server.log.some((each) => each.key === entry.key)) {
            return; // the server has it, and its answer was lost
        }
        if (kind === "riichi") {
            seen.riichi[isOn ? "add" : "delete"](seat);
        } else if (kind === "step") {
            const game = engine.newGame(rules, seen.hand || "E1.0");
            const [wind, number] = engine.handAt(game.turn + (facts.how === "stays" ? 0 : 1), rules);
            seen.hand = "ESWN"[wind] + number + "." + (facts.how === "passes" ? 0 : game.honba + 1);
        } else if (kind === "start") {
            Object.assign(seen, { begins: { hand: seen.hand, ...facts }, keeps: true });
        } else {
            const made = { key: entry.key, facts, entry };
            if (kind === "hand") {
                seen.keeps = true;
                seen.hands.push(made);
                seen.riichi.clear();
            } else if (at >= 0) {
                const isLast = kind === "remove" && at === seen.hands.length - 1;
                seen.riichi = isLast ? new Set(riichiOf(seen.hands[at].facts)) : seen.riichi; // declared again
                const instead = { correct: [{ ...seen.hands[at], facts }], insert: [made, seen.hands[at]], remove: [] };
                seen.hands.splice(at, 1, ...instead[kind]);
            }
        }
    }

    // --- what is pressed --------------------------------------------------------------------------------------

    const riichiBy = (seat, tile = "passed") => ({ seat, tile, live_tiles: null });
    const riichiOf = (facts) => (facts.riichi || []).map((each) => each.seat);
    const isFresh = (entry) => entry && !entry.isTried;

    /** Up to which entry this device knows the log: the server's last, and its own last that may be on its way. */
    function known() {
        const last = log.entries().pop();
        return { based_on: server.number, ...(last ? { after: last.key } : {}) };
    }

    const add = (kind, facts, more = {}) => log.add({ kind, facts, ...known(), ...more });

    function pressRiichi(seat) {
        const { riichi, game } = look();
        const isOn = !riichi.has(seat);
        const last = log.entries().pop();
        if (isOn && !rules.riichi_below_1000 && game.points[seat] < 1000) {
            tell(word("riichi_below_1000", { name: server.names[seat] }));
        } else if (isFresh(last) && last.fields.kind === "riichi" && last.fields.seat === seat) {
            log.remove(last); // taken back before anyone saw it
        } else {
            add("riichi", null, { seat, isOn });
        }
    }

    /** Add, change or take away a hand. One that never left this device changes in place. */
    function write(kind, facts, item, before) {
        if (item && isFresh(item.entry) && kind === "remove") {
            log.remove(item.entry);
        } else if (item && isFresh(item.entry) && kind === "correct") {
            item.entry.fields.facts = facts;
            log.change(item.entry);
        } else {
            log.add({ kind, facts, ...before, ...(item ? { target: item.key } : {}) });
        }
    }

    /** Begin to enter a hand. `how`: hand, correct, insert, start. `item`: the hand that is corrected or follows. */
    function begin(kind, step, how = flow ? flow.how : "hand", item = flow ? flow.item : null) {
        const seen = look();
        const at = item ? seen.hands.findIndex((each) => each.key === item.key) : seen.hands.length;
        const old = how === "correct" ? item.facts : {};
        const before = engine.replay(seen.start, seen.hands.slice(0, at).map((each) => each.facts)).game;
        const riichi = how === "correct" ? riichiOf(old) : how === "hand" ? [...seen.riichi] : [];
        flow = { kind, step, how, item, at, old, before, hands: seen.hands, start: seen.start, known: known() };
        Object.assign(flow, { wins: [], loser: null, riichi: new Set(riichi), picked: new Set(), nagashi: [], reason: null, isWonTile: false });
        Object.assign(flow, { points: before.points, repeats: false, bell: how === "hand" ? bell : Boolean(old.bell) });
        if (kind === "draw") {
            flow.picked = new Set(riichi);
        }
        draw();
    }

    function factsOf(entered) {
        const { kind, wins, loser, picked, riichi, old } = entered;
        const seats = [...picked].sort();
        const noten = SEATS.filter((seat) => riichi.has(seat) && !picked.has(seat) && !server.dead.includes(seat));
        const shownHands = { tenpai: seats, hidden: [], noten_riichi: noten };
        const outcome = {
            ron: () => ({ kind, wins, loser }),
            tsumo: () => ({ kind, win: wins[0] }),
            draw: () => ({ kind, ...shownHands }),
            nagashi: () => ({ kind, seats: entered.nagashi, ...(rules.nagashi_as_tsumo ? { tenpai: [], hidden: [], noten_riichi: [] } : shownHands) }),
            abort: () => ({ kind, reason: entered.reason }),
            chombo: () => ({ kind, seats, live_tiles: null }),
            scores: () => ({ kind, points: entered.points, dealer_repeats: entered.repeats, winners: [], win: null, honba: null }),
            ruling: () => ({ kind, points: entered.points }),
        }[kind]();
        if (kind === "ruling") {
            return { outcome };
        }
        const tile = (seat) => (kind === "ron" && entered.isWonTile && seat === loser ? "won" : "passed");
        const declared = [...riichi].sort().map((seat) => riichiBy(seat, tile(seat)));
        const bans = entered.how === "hand" ? { win_bans: server.bans, dead_hands: server.dead } : {};
        return { ...old, ...bans, outcome, riichi: declared, bell: entered.bell };
    }

    /** The log with what is being entered: {facts, game after the hand, end, refused}. */
    function preview() {
        const facts = flow.how === "remove" ? null : factsOf(flow);
        const later = flow.hands.slice(flow.at + (["correct", "remove"].includes(flow.how) ? 1 : 0)).map((each) => each.facts);
        const one = engine.replay(flow.before, facts ? [facts] : []);
        const all = one.refused ? one : engine.replay(one.game, later);
        return { facts, after: one.game, refused: one.refused, end: all.game, brokenAt: one.refused ? null : all.refused };
    }

    function save() {
        const { facts } = preview();
        const { how, item, known: before } = flow;
        leave();
        if (how === "hand") {
            bell = false;
        }
        write(how, facts || {}, item, before);
    }

    function leave(panel = "home") {
        flow = null;
        shown = panel;
        draw();
    }

    // --- words ------------------------------------------------------------------------------------------------

    const points = (number) => (number < 0 ? word("minus") : "") + String(Math.abs(number)).replace(/\B(?=(\d{3})+$)/g, ",");
    const change = (number) => (number > 0 ? "+" : "") + points(number);
    const labelled = (label, words) => word("labelled", { label, words });
    const names = (seats) => seats.map((seat) => server.names[seat]).join(word("and"));

    function handWords(code) {
        const [, wind, number, honba] = /^(.)(\d+)\.(\d+)/.exec(code) || [null, "E", "1", "0"];
        return { hand: word("hand", { wind: word("wind-" + "ESWN".indexOf(wind)), number }), honba };
    }

    function valueWords({ base, han, fu, limit, yakuman }) {
        if (yakuman > 1) {
            return word("limit-yakuman-" + yakuman);
        }
        const counted = han && fu ? word("han-fu", { han, fu }) : "";
        return limit ? word("limit-" + limit) : counted || word("base", { points: points(base) });
    }

    function resultWords({ outcome }) {
        const { kind } = outcome;
        const wins = outcome.wins || (outcome.win && kind === "tsumo" ? [outcome.win] : []);
        const won = wins.map((win) => server.names[win.winner] + " " + valueWords(win.value)).join(word("and"));
        const loser = server.names[outcome.loser];
        return {
            ron: () => word("said-ron", { won, loser }),
            tsumo: () => word("said-tsumo", { won }),
            draw: () => word("said-draw", { names: names(outcome.tenpai || []) || word("nobody") }),
            nagashi: () => labelled(word("nagashi"), names(outcome.seats)),
            abort: () => word("abort-" + outcome.reason),
            chombo: () => labelled(word("chombo"), names(outcome.seats)),
            scores: () => word("scores"),
            ruling: () => word("ruling"),
        }[kind]();
    }

    function nextWords(game) {
        const said = handWords(game.name);
        return game.over ? word("over", { why: word("over-" + game.over) }) : word("next", said);
    }

    function tell(sentence) {
        part("said").textContent = sentence;
    }

    // --- drawing ----------------------------------------------------------------------------------------------

    function button(name, text, act, className = "btn", more = {}) {
        const made = makeButton(className, text, act);
        made.dataset.do = name;
        Object.entries(more).forEach(([key, value]) => made.setAttribute(key, value));
        return made;
    }

    const row = (...parts) => withParts(make("div", "hands-row"), parts);
    const note = (text, className = "") => make("p", "hands-note " + className, text);

    function withParts(box, parts) {
        box.append(...parts.filter(Boolean));
        return box;
    }

    /** Seats as buttons if `act` is given; `marked` are pressed, `barred` cannot be. */
    function seats({ game, riichi = new Set(), after = null, act = null, marked = null, barred = [], what = "", plain = false }) {
        const box = make("div", "hands-seats");
        SEATS.forEach(function (seat) {
            const made = act ? button("seat-" + seat, "", () => act(seat), "hands-seat") : make("div", "hands-seat");
            const wind = part("winds").content.children[(seat - game.dealer + 4) % 4].cloneNode(true);
            const name = make("span", "hands-name", server.names[seat]);
            const bars = [server.dead.includes(seat) && "dead", server.bans.includes(seat) && "ban"].filter(Boolean);
            bars.forEach((bar) => name.append(" ", make("span", "badge-state badge-state-held", word(bar))));
            const stick = riichi.has(seat) ? make("span", "hands-stick", word("riichi")) : null;
            const paidStick = !after && riichi.has(seat) ? 1000 : 0; // lies on the table already
            const now = after ? after.points[seat] : game.points[seat] - paidStick;
            const gained = after ? after.points[seat] - game.points[seat] : 0;
            const gain = gained ? make("span", "hands-gain " + (gained > 0 ? "score-plus" : "score-minus"), change(gained)) : null;
            withParts(made, [wind, name, stick, gain, plain ? null : make("span", "hands-points", points(now))]);
            made.dataset.seat = seat;
            if (act) {
                made.disabled = barred.includes(seat);
                if (marked) {
                    made.setAttribute("aria-pressed", String(marked.has(seat)));
                }
                made.setAttribute("aria-label", what.replace("{name}", server.names[seat]) + (plain ? "" : ", " + points(now)));
            }
            box.append(made);
        });
        return box;
    }

    function paid(step) {
        const list = make("ul", "hands-paid");
        const side = (seat) => (seat === null ? word("table") : server.names[seat]);
        step.transfers.forEach(function ([payer, payee, amount, reason]) {
            list.append(make("li", "", word("pays", { payer: side(payer), payee: side(payee), points: points(amount), reason: word("for-" + reason) })));
        });
        return list;
    }

    function draw() {
        const focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.do : null;
        const seen = look();
        const { game } = seen;
        const isSmall = !seen.keeps && Boolean(seen.hand);
        const said = handWords(game.name);
        part("top").replaceChildren(
            make("strong", "hands-hand", said.hand),
            make("span", "", word("honba", said)),
            isSmall ? "" : make("span", "", word("deposits", { points: points(game.deposits + 1000 * seen.riichi.size) })),
            bell ? make("span", "chip chip-now", word("bell-on")) : "",
        );
        const parts = flow ? STEPS[flow.step]() : PANELS[shown](seen, isSmall);
        part("panel").replaceChildren(...parts.filter(Boolean));
        drawKept();
        const again = focused && root.querySelector('[data-do="' + focused + '"]');
        if (again) {
            again.focus({ preventScroll: true });
        }
    }

    const PANELS = {
        home(seen, isSmall) {
            const { game, riichi, hands } = seen;
            const isOver = game.over !== null || server.is_done || server.takes === false;
            const first = game.over ? note(nextWords(game), "hands-over") : null;
            const sheet = isOver && root.dataset.sheet ? make("a", "btn btn-primary", word("to-sheet")) : null;
            if (sheet) {
                sheet.href = root.dataset.sheet;
            }
            const ways = isSmall
                ? [...["stays", "passes", "draw"].map((how) => button(how, word("step-" + how), () => step(how), "btn btn-lg")), button("start", word("start"), () => begin("ruling", "points", "start"), "btn")]
                : [
                      button("ron", word("ron"), () => begin("ron", "winner"), "btn btn-lg"),
                      button("tsumo", word("tsumo"), () => begin("tsumo", "winner"), "btn btn-lg"),
                      button("draw", word("draw"), () => begin("draw", "tenpai"), "btn btn-lg"),
                      button("more", word("more"), () => leave("more"), "btn btn-lg"),
                  ];
            const marks = { act: isOver || isSmall ? null : pressRiichi, marked: riichi, what: word("riichi-of") };
            return [
                seats({ game, riichi, plain: isSmall, ...marks }),
                ...(server.requests || []).map((sentence) => note(sentence, "hands-request")),
                first,
                sheet,
                isOver ? null : withParts(make("div", "hands-ways"), ways),
                row(
                    hands.length && button("undo", word("undo"), () => beginUndo()),
                    hands.length && button("list", word("list", { count: hands.length }), () => leave("list")),
                    !isOver && root.dataset.sheet && hands.length ? withHref(make("a", "btn btn-quiet", word("to-sheet")), root.dataset.sheet) : null,
                ),
            ];
        },
        more(seen) {
            const aborts = [...rules.abortive_draws, ...(rules.multiple_ron === "triple_aborts" ? ["sanchahou"] : [])];
            const isNew = !flow;
            const act = (name, kind, step, set = {}) => button(name, word(name), () => (begin(kind, step), Object.assign(flow, set), draw()), "btn");
            return [
                prompt(word("more")),
                withParts(make("div", "hands-ways"), [
                    act("chombo", "chombo", "foul"),
                    rules.nagashi_mangan && act("nagashi", "nagashi", "nagashi"),
                    ...aborts.map((reason) => act("abort-" + reason, "abort", "confirm", { reason })),
                    act("scores", "scores", "points"),
                    isNew && rules.minutes !== null && button("bell", word(bell ? "bell-off" : "bell"), () => ((bell = !bell), leave())),
                    "staff" in root.dataset && act("ruling", "ruling", "points"),
                    isNew && !seen.hands.length && withParts(make("div", "hands-small"), [
                        note(word("small")),
                        ...["stays", "passes", "draw"].map((how) => button(how, word("step-" + how), () => step(how))),
                        button("start", word("start"), () => begin("ruling", "points", "start")),
                    ]),
                ]),
            ];
        },
        list(seen) {
            let game = seen.start;
            const lines = seen.hands.map(function (item) {
                const before = game;
                const { game: after, refused } = engine.replay(game, [item.facts]);
                game = after;
                const said = handWords(before.name);
                const line = make("li", "hands-line");
                const last = refused ? [] : after.steps[after.steps.length - 1].changes;
                withParts(line, [
                    make("strong", "", said.hand + " · " + said.honba),
                    make("span", "rest", resultWords(item.facts)),
                    make("span", "fine tabular hands-changes", last.map(change).join(" / ")),
                    item.by ? make("span", "fine", item.by) : null,
                    row(
                        button("correct-" + item.key, word("correct"), () => choose("correct", item), "btn btn-sm"),
                        button("insert-" + item.key, word("insert"), () => choose("insert", item), "btn btn-sm"),
                        button("remove-" + item.key, word("remove"), () => beginUndo(item), "btn btn-sm"),
                    ),
                ]);
                return line;
            });
            return [prompt(word("list", { count: lines.length })), withParts(make("ol", "hands-list"), lines.reverse())];
        },
    };

    function withHref(link, href) {
        link.href = href;
        return link;
    }

    function step(how) {
        shown = "home";
        add("step", { how });
    }

    /** Ask what the hand was that is corrected or was forgotten. */
    function choose(how, item) {
        begin("ron", "choose", how, item);
    }

    function beginUndo(item) {
        const { hands } = look();
        begin("ron", "undo", "remove", item || hands[hands.length - 1]);
    }

    function prompt(text, back = () => leave()) {
        return withParts(make("div", "hands-prompt"), [make("h2", "", text), button("back", word("back"), back, "btn btn-sm")]);
    }

    const go = (step) => ((flow.step = step), draw());

    /** The step in which one seat is picked. */
    function pickOne(question, barred, pick) {
        const { before, riichi } = flow;
        return [prompt(word(question)), seats({ game: before, riichi, barred, what: "{name}", act: (seat) => (pick(seat), draw()) })];
    }

    function toggle(set, seat) {
        set[set.has(seat) ? "delete" : "add"](seat);
        draw();
    }

    function pickSome(question, set, more) {
        const { before, riichi } = flow;
        return [prompt(word(question)), seats({ game: before, riichi, marked: set, what: "{name}", act: (seat) => toggle(set, seat), ...more })];
    }

    const STEPS = {
        choose() {
            const kinds = [["ron", "winner"], ["tsumo", "winner"], ["draw", "tenpai"]];
            const said = handWords(flow.before.name);
            return [
                prompt(word(flow.how === "correct" ? "correct-what" : "insert-what", said)),
                flow.how === "correct" ? note(resultWords(flow.item.facts)) : null,
                withParts(make("div", "hands-ways"), [
                    ...kinds.map(([kind, step]) => button(kind, word(kind), () => begin(kind, step), "btn btn-lg")),
                    button("more", word("more"), () => go("more"), "btn btn-lg"),
                ]),
            ];
        },
        more: () => PANELS.more(look()),
        winner() {
            const taken = [...flow.wins.map((win) => win.winner), flow.loser].filter((seat) => seat !== null);
            const barred = flow.how === "hand" ? [...server.bans, ...server.dead] : [];
            return pickOne("who-won", [...taken, ...barred], function (seat) {
                flow.wins = [...flow.wins, { winner: seat, value: null, liable: [] }];
                flow.step = flow.kind === "ron" && flow.loser === null ? "loser" : "value";
            });
        },
        loser: () => pickOne("who-dealt-in", flow.wins.map((win) => win.winner), (seat) => Object.assign(flow, { loser: seat, step: "value" })),
        value: drawGrid,
        tenpai() {
            const found = preview();
            return [...pickSome("who-tenpai", flow.picked, { barred: server.dead, after: found.after }), ...ending(found)];
        },
        nagashi() {
            const picked = new Set(flow.nagashi);
            const set = { has: (seat) => picked.has(seat), add: (seat) => flow.nagashi.push(seat), delete: (seat) => (flow.nagashi = flow.nagashi.filter((each) => each !== seat)) };
            flow.nagashi.sort();
            const next = rules.nagashi_as_tsumo ? "confirm" : "tenpai";
            const on = button("next", word("continue"), () => ((flow.picked = new Set(flow.riichi)), go(next)), "btn btn-primary");
            on.disabled = !flow.nagashi.length;
            return [...pickSome("who-nagashi", set, {}), row(on)];
        },
        foul: () => pickOne("who-chombo", [], (seat) => Object.assign(flow, { picked: new Set([seat]), step: "confirm" })),
        points: drawPoints,
        undo() {
            const found = preview();
            const said = handWords(flow.before.name);
            return [prompt(word("undo-what", said)), note(resultWords(flow.item.facts)), ...whatFollows(found), saveButton("undo-it", found)];
        },
        confirm() {
            const found = preview();
            const step = found.refused ? null : found.after.steps[found.after.steps.length - 1];
            return [prompt(resultWords(found.facts)), seats({ game: flow.before, riichi: flow.riichi, after: found.after }), step && paid(step), ...ending(found)];
        },
    };

    /** What is asked before it counts, what follows from it, and the button that saves. */
    function ending(found) {
        const { kind, wins, riichi, loser } = flow;
        const isWin = kind === "ron" || kind === "tsumo";
        const reward = (each) => each.yakuman > 0;
        const pao = wins.some((win) => reward(win.value) && rules.pao.yaku.length) || (kind === "tsumo" && rules.daiminkan_pao);
        const extra = [
            kind === "ron" && wins.length < 3 && button("another", word("another"), () => go("winner"), "btn btn-sm"),
            kind === "ron" && riichi.has(loser) && check("won-tile", flow.isWonTile, () => (flow.isWonTile = !flow.isWonTile)),
            isWin && pao && button("pao", word("pao"), () => ((flow.isPao = !flow.isPao), draw()), "btn btn-sm"),
            rules.minutes !== null && kind !== "ruling" && check("bell", flow.bell, () => (flow.bell = !flow.bell)),
        ];
        const declared = ["scores", "ruling"].includes(kind) || flow.step === "tenpai" ? null : riichiChips();
        return [declared, row(...extra), flow.isPao ? drawPao() : null, ...whatFollows(found), saveButton("save", found)];
    }

    const check = (name, isOn, act) => button(name, word(name), () => (act(), draw()), "btn btn-sm", { "aria-pressed": String(isOn) });

    /** Riichi that nobody tapped, or that was not declared. */
    function riichiChips() {
        const chips = SEATS.map((seat) => button("riichi-" + seat, server.names[seat], () => toggle(flow.riichi, seat), "btn btn-sm hands-chip", { "aria-pressed": String(flow.riichi.has(seat)) }));
        return withParts(make("div", "hands-riichi"), [make("span", "fine", word("riichi")), ...chips]);
    }

    /** Of a new hand the next one; of an earlier one what becomes of the game. */
    function whatFollows(found) {
        const { refused, brokenAt, end } = found;
        if (refused) {
            const [code, seat] = refused.why[0];
            const name = word("cannot-" + code) ? "cannot-" + code : "cannot";
            return [note(word(name, { name: server.names[seat] }), "hands-refused")];
        }
        const was = engine.replay(flow.start, flow.hands.map((each) => each.facts)).game;
        if (flow.how === "hand") {
            return [...asked(was, end), note(nextWords(end))];
        }
        const moved = SEATS.filter((seat) => was.points[seat] !== end.points[seat]);
        const list = make("ul", "hands-paid");
        moved.forEach((seat) => list.append(make("li", "", word("was-now", { name: server.names[seat], was: points(was.points[seat]), now: points(end.points[seat]) }))));
        const names = flow.hands.slice(flow.at + 1).map((item, index) => [was.steps[flow.at + 1 + index], end.steps.find((step) => step.hand.outcome === item.facts.outcome)]);
        names.filter(([a, b]) => a && b && a.name !== b.name).forEach(([a, b]) => list.append(make("li", "", word("was-now-hand", { was: short(a.name), now: short(b.name) }))));
        const broken = brokenAt && flow.hands[flow.at + (flow.how === "insert" ? 0 : 1) + brokenAt.at];
        return [
            note(moved.length ? word("changes") : word("changes-nothing")),
            list,
            ...asked(was, end),
            note(nextWords(end)),
            broken ? note(word("cannot-later", { hand: resultWords(broken.facts) }), "hands-refused") : null,
        ];
    }

    /** What a chombo more or less asks of the referees, where it costs score. One that they logged is settled. */
    function asked(was, end) {
        const { chombo: score, decides } = root.dataset;
        const fouls = (game, seat) => game.steps.flatMap((step) => step.chombo).filter((each) => each === seat).length;
        const isSettled = (seat) => flow.how === "hand" && server.chombo && server.chombo.includes(seat);
        const more = (seat) => fouls(end, seat) - fouls(was, seat);
        const said = (seat) => word(more(seat) > 0 ? "asks-" + decides : "asks-less", { name: server.names[seat], score });
        const seats = score ? SEATS.filter((seat) => more(seat) && !isSettled(seat)) : [];
        return seats.map((seat) => note(said(seat), "alert alert-warning"));
    }

    const short = (code) => Object.values(handWords(code)).join(" · ");

    function saveButton(name, { refused, brokenAt }) {
        const made = button(name, word(name), save, "btn btn-primary btn-lg hands-save");
        made.disabled = Boolean(refused || brokenAt);
        return made;
    }

    // --- values -----------------------------------------------------------------------------------------------

    /** One grid: han and fu, and at its lower right, where every hand has a limit, the limits. */
    function drawGrid() {
        const win = flow.wins[flow.wins.length - 1];
        const isTsumo = flow.kind === "tsumo";
        const isDealer = win.winner === flow.before.dealer;
        const pick = (value) => ((win.value = value), go("confirm"));
        const priced = function (value) {
            const paid = engine.price(value, isDealer, isTsumo).join("/");
            return isTsumo && isDealer ? word("each", { points: paid }) : paid;
        };
        const grid = make("div", "hands-grid");
        const cell = (value, at, text = "") => {
            const { han, fu, limit } = value;
            const name = text || word("han-fu", { han, fu });
            const made = button("value-" + at, "", () => pick(value), "hands-value" + (limit ? " hands-limit" : ""), { "aria-label": labelled(name, priced(value)) });
            return withParts(made, [text ? make("small", "", text) : null, make("span", "", priced(value))]);
        };
        grid.append(make("span", "fine", word("fu")), ...engine.HAN.map((han) => make("span", "fine hands-head", word("han", { han }))));
        const limits = engine.limits(rules).map((value) => cell(value, value.limit + value.yakuman, valueWords(value)));
        engine.FU.filter((fu) => engine.HAN.some((han) => engine.canBe(han, fu, rules, isTsumo))).forEach(function (fu) {
            const isLow = fu >= 70; // from three han on these are mangan
            grid.append(make("span", "hands-head", String(fu)));
            engine.HAN.slice(0, isLow ? 2 : 4).forEach(function (han) {
                const can = engine.canBe(han, fu, rules, isTsumo);
                grid.append(can ? cell(engine.handValue(han, fu, rules), han + "-" + fu) : make("span", ""));
            });
            if (isLow) {
                const limit = limits.shift();
                limit.classList.add("hands-wide");
                grid.append(limit);
            }
        });
        const who = { name: server.names[win.winner], wind: word("wind-" + ((win.winner - flow.before.dealer + 4) % 4)) };
        return [prompt(word("what-value", who)), grid, withParts(make("div", "hands-multiples"), limits), byPoints(isDealer, isTsumo, pick)];
    }

    /** The points that were paid, for a value that nobody counted, and the way to the calculator. */
    function byPoints(isDealer, isTsumo, pick) {
        const input = make("input", "form-control points-input");
        input.id = "hands-points";
        input.inputMode = "numeric";
        input.placeholder = isTsumo && !isDealer ? "1300/2600" : "5200";
        const label = make("label", "fine", word("by-points"));
        label.htmlFor = input.id;
        const on = button("by-points", word("continue"), function () {
            const typed = input.value.normalize("NFKC").split(/\D+/).filter(Boolean).map(Number);
            const [found] = engine.valuesPaying(typed, rules, isDealer, isTsumo);
            return found ? pick(found) : tell(word("no-such-points"));
        });
        if (!root.dataset.calculator) {
            return row(label, input, on);
        }
        const way = withHref(make("a", "btn btn-quiet", word("calculator")), root.dataset.calculator);
        way.target = "_blank";
        return row(label, input, on, way);
    }

    function drawPao() {
        const box = make("div", "hands-pao");
        flow.wins.forEach(function (win) {
            const yaku = [...(win.value.yakuman > 0 ? rules.pao.yaku : []), ...(flow.kind === "tsumo" && rules.daiminkan_pao ? ["rinshan"] : [])];
            yaku.forEach(function (code) {
                const others = SEATS.filter((seat) => seat !== win.winner);
                const isOn = (seat) => win.liable.some((each) => each.yaku === code && each.player === seat);
                const set = (seat) => (win.liable = [...win.liable.filter((each) => each.yaku !== code), ...(isOn(seat) ? [] : [{ player: seat, yaku: code, yakuman: null }])]);
                const chips = others.map((seat) => button("pao-" + code + seat, server.names[seat], () => (set(seat), draw()), "btn btn-sm hands-chip", { "aria-pressed": String(isOn(seat)) }));
                box.append(withParts(make("div", "hands-riichi"), [make("span", "fine", word("pao-" + code)), ...chips]));
            });
        });
        return box;
    }

    // --- only the scores --------------------------------------------------------------------------------------

    function drawPoints() {
        const left = (typed) => 4 * rules.start_points - typed.reduce((all, each) => all + each, 0);
        const sum = note("");
        const inputs = SEATS.map(function (seat) {
            const input = make("input", "form-control points-input");
            input.id = "hands-points-" + seat;
            input.inputMode = "numeric";
            input.value = flow.points[seat];
            input.addEventListener("input", showSum);
            return input;
        });
        const typed = () => inputs.map((input) => Number(input.value.normalize("NFKC").replace(/[▲△−–‐]/g, "-").replace(/,/g, "") || NaN));
        const on = button("next", word(flow.how === "start" ? "start" : "continue"), function () {
            flow.points = typed();
            if (flow.how !== "start") {
                return go("confirm");
            }
            const facts = { points: flow.points, deposits: left(flow.points) };
            leave();
            return add("start", facts);
        }, "btn btn-primary");
        function showSum() {
            const rest = left(typed());
            const isGood = rest >= 0 && rest % 1000 === 0 && typed().every((each) => each % 100 === 0);
            sum.textContent = isGood ? word("rest", { points: points(rest) }) : word("rest-wrong");
            on.disabled = !isGood;
        }
        const lines = SEATS.map(function (seat) {
            const label = make("label", "hands-name", server.names[seat]);
            label.htmlFor = inputs[seat].id;
            const sign = button("sign-" + seat, "±", () => ((inputs[seat].value = inputs[seat].value.startsWith("-") ? inputs[seat].value.slice(1) : "-" + inputs[seat].value), showSum()), "btn", { "aria-label": word("sign", { name: server.names[seat] }) });
            return withParts(make("div", "hands-seat"), [label, sign, inputs[seat]]);
        });
        const stays = flow.kind === "scores" ? check("repeats", flow.repeats, () => Object.assign(flow, { points: typed(), repeats: !flow.repeats })) : null;
        showSum();
        return [prompt(word(flow.how === "start" ? "start" : flow.kind)), withParts(make("div", "hands-seats"), lines), sum, row(stays, on)];
    }

    // --- what waits, and what others did ----------------------------------------------------------------------

    function drawKept() {
        const waiting = log.entries();
        const [first] = waiting;
        const box = part("kept");
        const said = isPractice ? "" : !waiting.length ? word("all-sent") : log.isSending() ? word("sending") : word([401, 403, 404].includes(log.status()) ? "not-taken" : "waiting", { count: waiting.length });
        const line = make("p", "hands-sent" + (waiting.length ? "" : " fine"), said);
        line.hidden = isPractice;
        line.dataset.state = waiting.length ? (first.state === "unsent" ? "waiting" : first.state) : "sent";
        const parts = [line];
        if (first && first.state !== "unsent") {
            parts.push(first.state === "conflict" ? conflictBox(first) : refusedBox(first));
        }
        box.replaceChildren(...parts);
    }

    function entryWords({ kind, fields, facts }) {
        const said = fields || { kind, facts };
        const { outcome, seats: declared } = said.facts || {};
        return outcome ? resultWords(said.facts) : declared ? labelled(word("riichi"), names(declared)) : word("kind-" + said.kind);
    }

    function refusedBox(entry) {
        const box = make("div", "alert alert-danger");
        entry.why.forEach((sentence) => box.append(note(sentence)));
        box.append(note(entryWords(entry)), row(button("discard", word("discard"), () => (log.remove(entry), log.sendAll()))));
        return box;
    }

    /** Others entered something before this entry arrived: the person chooses. */
    function conflictBox(entry) {
        const theirs = entry.conflict;
        const { kind, facts } = entry.fields;
        const declared = theirs.filter((each) => each.kind === "riichi").pop();
        const hand = theirs.filter((each) => each.kind !== "riichi").pop();
        const again = function (more) {
            Object.assign(entry.fields, { based_on: server.number }, more);
            log.change(Object.assign(entry, { state: "unsent", conflict: null }));
            log.sendAll();
        };
        const withRiichi = function () {
            const missing = declared.facts.seats.filter((seat) => !riichiOf(facts).includes(seat));
            const { outcome } = facts;
            const tenpai = outcome.tenpai ? { tenpai: [...new Set([...outcome.tenpai, ...missing])].sort() } : {};
            return { ...facts, riichi: [...facts.riichi, ...missing.map((seat) => riichiBy(seat))], outcome: { ...outcome, ...tenpai } };
        };
        const ways = hand
            ? [
                  button("keep-theirs", word("keep-theirs"), () => (log.remove(entry), log.sendAll()), "btn btn-primary"),
                  button("mine-too", word(kind === "hand" ? "mine-too" : "mine-all-the-same"), () => again({})),
                  kind === "hand" && hand.kind === "hand" && button("mine-instead", word("mine-instead"), () => again({ kind: "correct", target: hand.key })),
              ]
            : [
                  button("with-riichi", word("with-riichi"), () => again({ facts: withRiichi() }), "btn btn-primary"),
                  button("mine-too", word("without-riichi"), () => again({})),
              ];
        const said = hand ? theirs.filter((each) => each.kind !== "riichi") : [declared];
        const box = make("div", "alert alert-warning stack");
        box.append(note(word("theirs", { what: said.map(entryWords).join(word("and")) })), note(word("yours", { what: entryWords(entry) })), row(...ways));
        return box;
    }

    async function ask() {
        if (document.visibilityState !== "visible" || log.isSending()) {
            return;
        }
        try {
            const answer = await fetch(root.dataset.state, { cache: "no-cache", headers: { Accept: "application/json" } });
            const state = answer.ok ? await answer.json() : null;
            if (state && Array.isArray(state.hands) && state.version !== server.version) {
                take(state);
                if (!flow) {
                    draw();
                }
            }
        } catch (error) {
            // No network: the next question comes by itself.
        }
    }

    const kept = load(prefix + ":state");
    if (!isPractice && kept && kept.state.number > server.number) {
        server = kept.state; // the page was kept before
    }
    document.querySelectorAll("[data-plain]").forEach((each) => (each.hidden = true));
    root.hidden = false;
    draw();
    log.sendAll();
    if (!isPractice) {
        setInterval(ask, EVERY);
        document.addEventListener("visibilitychange", ask);
        ask();
    }
})();
