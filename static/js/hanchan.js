/* A game hand by hand on the device: who pays what, points, deal, honba, deposits, and its end.

   The same rules as scoring/payments and scoring/hanchan, which say where each comes from and have the last word: the
   server plays every hand again. Rules and hands are in the shapes of `Rules.as_values` and `Hand.as_values`. Seats are
   0 to 3, east to north at the start. A transfer is [payer, payee, points, reason]; null is the deposits on the table. */
(function () {
    "use strict";

    const SEATS = [0, 1, 2, 3];
    const DEPOSIT = 1000;
    const BASE = { mangan: 2000, haneman: 3000, baiman: 4000, sanbaiman: 6000, counted_yakuman: 8000, yakuman: 8000 };
    const FEWEST_HAN = [[13, "counted_yakuman"], [11, "sanbaiman"], [8, "baiman"], [6, "haneman"], [5, "mangan"]];
    const HAN = [1, 2, 3, 4];
    const FU = [20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110];
    const WINDS = { east: [0], half: [0, 1], full: [0, 1, 2, 3], east_north: [0, 3], east_east: [0, 0], each_hand: [0] };
    const DOUBLE_YAKUMAN = ["daisuushii"]; // of those that a player can be liable for

    const hundreds = (points, among = 1) => Math.ceil(points / (among * 100)) * 100;
    const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);
    const total = (rules) => 4 * rules.start_points;
    const sorted = (seats) => [...seats].sort((a, b) => a - b);

    // --- values -----------------------------------------------------------------------------------------------

    const value = (base, han, fu, limit, yakuman = 0) => ({ base, han, fu, limit, yakuman });

    function handValue(han, fu, rules) {
        let limit = (FEWEST_HAN.find(([fewest]) => han >= fewest) || [0, null])[1];
        if (limit === "counted_yakuman" && rules.counted_yakuman === "none") {
            limit = "sanbaiman";
        }
        const base = fu * 2 ** (han + 2);
        const isRounded = rules.kiriage_mangan && ((han === 4 && fu === 30) || (han === 3 && fu === 60));
        limit = limit || (base >= BASE.mangan || isRounded ? "mangan" : null);
        return value(limit ? BASE[limit] : base, han, fu, limit);
    }

    const limitValue = (limit) => value(BASE[limit], null, null, limit, limit === "yakuman" ? 1 : 0);

    function yakumanValue(multiples, rules) {
        const most = rules.composite_yakuman ? rules.yakuman_limit || multiples : rules.double_yakuman ? 2 : 1;
        const paid = Math.min(multiples, most, rules.yakuman_limit || multiples);
        return value(paid * BASE.yakuman, null, null, "yakuman", paid);
    }

    /** Whether a hand of these han and fu can win so. */
    function canBe(han, fu, rules, isTsumo) {
        if (fu === 20 && rules.sequences_fu === "fixed") {
            return true;
        }
        const least = isTsumo ? { 20: 2, 25: 3, 110: 2 } : { 20: 9, 25: 2 };
        return han >= (least[fu] || 1);
    }

    /** The limits that the rule set pays: mangan to yakuman, and multiples of it. */
    function limits(rules) {
        const usual = ["mangan", "haneman", "baiman", "sanbaiman"];
        const counted = rules.counted_yakuman === "none" ? [] : ["counted_yakuman"];
        const yakuman = [1, 2, 3, 4, 5, 6].map((count) => yakumanValue(count, rules));
        return [...[...usual, ...counted].map(limitValue), ...yakuman.filter((each, at) => each.yakuman === at + 1)];
    }

    const ronPoints = (base, isDealer) => hundreds(base * (isDealer ? 6 : 4));
    const tsumoPoints = (base, isDealer) => hundreds(base * (isDealer ? 2 : 1));

    /** What a win pays without honba: [points] by ron, [from each] or [from another, from the dealer] by tsumo. */
    function price(worth, isDealer, isTsumo) {
        if (!isTsumo) {
            return [ronPoints(worth.base, isDealer)];
        }
        return isDealer ? [tsumoPoints(worth.base, true)] : [false, true].map((payer) => tsumoPoints(worth.base, payer));
    }

    /** The values that pay so. */
    function valuesPaying(paid, rules, isDealer, isTsumo) {
        const below = HAN.flatMap((han) => FU.filter((fu) => canBe(han, fu, rules, isTsumo)).map((fu) => handValue(han, fu, rules)));
        const all = [...below.filter((each) => !each.limit), ...limits(rules)];
        return all.filter((each) => String(price(each, isDealer, isTsumo)) === String(paid));
    }

    // --- payments ---------------------------------------------------------------------------------------------

    function winnersOf(wins, loser, rules) {
        const nearest = [...wins].sort((a, b) => ((a.winner - loser + 4) % 4) - ((b.winner - loser + 4) % 4));
        if (rules.multiple_ron === "triple_aborts") {
            return nearest.length < 3 ? nearest : [];
        }
        return nearest.slice(0, { head_bump: 1, double: 2, triple: 3 }[rules.multiple_ron]);
    }

    function honbaPoints(win, honba, rules) {
        return win.value.yakuman && !rules.honba_on_yakuman ? 0 : honba * rules.honba;
    }

    /** The basic points of a win by liable seat, null for the usual payers. */
    function parts(win, rules, isTsumo) {
        const { pao } = rules;
        const counts = (each) =>
            each.yaku === "rinshan" ? isTsumo && rules.daiminkan_pao : win.value.yakuman > 0 && pao.yaku.includes(each.yaku);
        let liable = win.liable.filter(counts);
        liable = pao.several === "first" ? liable.slice(0, 1) : liable;
        const whole = liable.find((each) => each.yaku === "rinshan" || pao.composite === "whole");
        const found = new Map();
        const add = (seat, base) => found.set(seat, (found.get(seat) || 0) + base);
        let left = win.value.base;
        liable.forEach(function ({ player, yaku, yakuman }) {
            const usual = rules.double_yakuman && DOUBLE_YAKUMAN.includes(yaku) ? 2 : 1;
            const own = Math.min((yaku === "rinshan" ? 0 : yakuman || usual) * BASE.yakuman, left);
            add(player, own);
            left -= own;
        });
        add(whole ? whole.player : null, left);
        return [...found].filter(([, base]) => base);
    }

    function payTsumo(win, dealer, honba, rules) {
        const divided = parts(win, rules, true);
        const others = SEATS.filter((seat) => seat !== win.winner);
        const moved = [];
        divided.forEach(function ([liable, base]) {
            const shares = others.map((seat) => [seat, win.winner, tsumoPoints(base, [seat, win.winner].includes(dealer)), "hand"]);
            moved.push(...(liable === null ? shares : [[liable, win.winner, sum(shares.map((each) => each[2])), "liability"]]));
        });
        const each = hundreds(honbaPoints(win, honba, rules), 3);
        const first = divided[0][0];
        moved.push(...(first === null ? others.map((seat) => [seat, win.winner, each, "honba"]) : [[first, win.winner, 3 * each, "honba"]]));
        return moved;
    }

    function payRon(win, loser, dealer, honba, rules) {
        const half = (points) => Math.floor(points / 200) * 100;
        const divided = parts(win, rules, false);
        const moved = [];
        let discarder = 0;
        divided.forEach(function ([liable, base]) {
            const points = ronPoints(base, dealer === win.winner);
            const answered = liable === null ? 0 : rules.pao.ron === "half" ? half(points) : points;
            discarder += points - answered;
            moved.push([liable, win.winner, answered, "liability"]);
        });
        moved.push([loser, win.winner, discarder, "hand"]);
        const points = honbaPoints(win, honba, rules);
        const first = divided[0][0];
        const answered = first === null ? 0 : { liable: points, discarder: 0, half: half(points) }[rules.pao.honba];
        return [...moved, [first, win.winner, answered, "honba"], [loser, win.winner, points - answered, "honba"]];
    }

    function payDeposits(winners, deposits, riichi, rules) {
        const own = rules.multi_ron_sticks === "own_back" ? winners.slice(1).filter((win) => riichi.includes(win.winner)) : [];
        const back = own.map((win) => [null, win.winner, DEPOSIT, "deposits"]);
        return [...back, ...winners.slice(0, 1).map((win) => [null, win.winner, deposits - DEPOSIT * back.length, "deposits"])];
    }

    function manganShares(winner, dealer, reason) {
        const payers = SEATS.filter((seat) => seat !== winner);
        return payers.map((payer) => [payer, winner, tsumoPoints(BASE.mangan, [payer, winner].includes(dealer)), reason]);
    }

    function payDraw(tenpai, rules) {
        const ready = SEATS.filter((seat) => tenpai.includes(seat));
        const noten = SEATS.filter((seat) => !tenpai.includes(seat));
        const pairs = ready.length === 2 ? noten.map((payer, at) => [payer, ready[at]]) : noten.flatMap((payer) => ready.map((payee) => [payer, payee]));
        return pairs.map(([payer, payee]) => [payer, payee, hundreds(rules.noten_payment, pairs.length), "noten"]);
    }

    function payNagashi(seats, { dealer, honba, rules }, deposits) {
        const nearest = [...seats].sort((a, b) => ((a - dealer + 4) % 4) - ((b - dealer + 4) % 4));
        const moved = nearest.flatMap((seat) => manganShares(seat, dealer, "nagashi"));
        if (!rules.nagashi_as_tsumo) {
            return moved;
        }
        const first = nearest[0];
        const extra = SEATS.filter((seat) => seat !== first).map((payer) => [payer, first, hundreds(honba * rules.honba, 3), "honba"]);
        return [...moved, ...extra, [null, first, deposits, "deposits"]];
    }

    function toEach(seat, points, reason) {
        return SEATS.filter((payee) => payee !== seat).map((payee) => [seat, payee, points, reason]);
    }

    function payChombo(seat, { dealer, rules }) {
        const cost = rules.chombo;
        if (cost === "reverse_mangan" || cost.reverse_mangan) {
            return manganShares(seat, dealer, "chombo").map(([payer, , points, reason]) => [seat, payer, points, reason]);
        }
        return toEach(seat, cost.each || 0, "chombo");
    }

    // --- what follows from a hand -----------------------------------------------------------------------------

    const standing = (hand) => hand.riichi.filter((each) => each.tile !== "won");

    /** Who paid for riichi. */
    function laid(hand, rules) {
        return standing(hand)
            .filter((each) => each.tile === "passed" || rules.deposit_when_called)
            .map((each) => each.seat);
    }

    const aborted = (game) => ({ kind: "abort", repeats: true, honba: game.honba + 1 });

    function afterWin(game, kind, transfers, winners) {
        const stays = game.rules.renchan !== "none" && winners.includes(game.dealer);
        return { kind, transfers, winners, repeats: stays, earned: stays, honba: stays ? game.honba + 1 : 0 };
    }

    function payWin(game, hand, wins, loser) {
        const { rules, dealer } = game;
        const winners = loser === null ? wins : winnersOf(wins, loser, rules);
        if (!winners.length) {
            return aborted(game);
        }
        const riichi = laid(hand, rules);
        let moved = [];
        let honba = game.honba;
        if (loser === null) {
            moved = payTsumo(winners[0], dealer, honba, rules);
        } else {
            winners.forEach(function (win) {
                moved.push(...payRon(win, loser, dealer, honba, rules));
                honba = rules.multi_ron_bonus === "first" && honbaPoints(win, honba, rules) ? 0 : honba;
            });
        }
        const deposits = payDeposits(winners, game.deposits + DEPOSIT * riichi.length, riichi, rules);
        return afterWin(game, "win", [...moved, ...deposits], winners.map((win) => win.winner));
    }

    function withoutWin(game, kind, draw, moved) {
        const { rules } = game;
        const offenders = draw.noten_riichi;
        if (offenders.length && rules.noten_riichi === null && !rules.redeal_tiles) {
            return fouled(game, offenders);
        }
        const stays = rules.renchan === "tenpai" && draw.tenpai.includes(game.dealer);
        const paid = (seat) => (rules.noten_riichi === null ? payChombo(seat, game) : toEach(seat, rules.noten_riichi, "noten_riichi"));
        return {
            kind,
            transfers: [...moved, ...offenders.flatMap(paid)],
            chombo: rules.noten_riichi === null ? offenders : [],
            repeats: stays,
            earned: stays,
            honba: game.honba + 1,
        };
    }

    function fouled(game, seats) {
        const isVoid = game.rules.after_chombo === "replay";
        return {
            kind: "chombo",
            transfers: seats.flatMap((seat) => payChombo(seat, game)),
            chombo: seats,
            repeats: game.rules.after_chombo !== "rotate",
            honba: isVoid ? game.honba : game.honba + 1,
            isVoid,
        };
    }

    function moved(game, points) {
        const gains = points.map((after, seat) => [seat, after - game.points[seat]]);
        const lost = gains.filter(([, gain]) => gain < 0).map(([seat, gain]) => [seat, null, -gain, "scores"]);
        return [...lost, ...gains.filter(([, gain]) => gain > 0).map(([seat, gain]) => [null, seat, gain, "scores"])];
    }

    const RESULTS = {
        ron: (game, hand, outcome) => payWin(game, hand, outcome.wins, outcome.loser),
        tsumo: (game, hand, outcome) => payWin(game, hand, [outcome.win], null),
        draw: (game, hand, draw) => withoutWin(game, "draw", draw, payDraw(draw.tenpai, game.rules)),
        nagashi: function (game, hand, draw) {
            const paid = payNagashi(draw.seats, game, game.deposits + DEPOSIT * laid(hand, game.rules).length);
            const isWin = game.rules.nagashi_as_tsumo;
            return isWin ? afterWin(game, "nagashi", paid, draw.seats) : withoutWin(game, "nagashi", draw, paid);
        },
        abort: (game) => aborted(game),
        chombo: (game, hand, outcome) => fouled(game, outcome.seats),
        scores: function (game, hand, scores) {
            const stays = scores.dealer_repeats;
            const usual = scores.winners.length && !stays ? 0 : game.honba + 1;
            const honba = scores.honba === null ? usual : scores.honba;
            return { kind: "unseen", transfers: moved(game, scores.points), winners: scores.winners, repeats: stays, earned: stays, honba };
        },
        ruling: (game, hand, ruling) => ({ kind: "ruled", transfers: moved(game, ruling.points), repeats: true, honba: game.honba, isVoid: true }),
    };

    const gain = (transfers, side) => sum(transfers.map(([payer, payee, points]) => (payee === side ? points : 0) - (payer === side ? points : 0)));

    /** The game after one more hand. The hand is possible: see `refusals`. */
    function play(game, facts) {
        const { rules } = game;
        const hand = complete(facts);
        const result = { transfers: [], winners: [], chombo: [], earned: false, isVoid: false, ...RESULTS[hand.outcome.kind](game, hand, hand.outcome) };
        let transfers = result.transfers;
        if (!["unseen", "ruled"].includes(result.kind)) {
            const bets = result.isVoid ? [] : laid(hand, rules).map((seat) => [seat, null, DEPOSIT, "deposits"]);
            const extra = SEATS.flatMap((seat) => toEach(seat, hand.extra_tiles[seat] * rules.extra_tile_payment, "extra_tiles"));
            transfers = [...bets, ...extra, ...hand.fouls.flatMap((foul) => payChombo(foul.seat, game)), ...transfers];
        }
        transfers = transfers.filter((each) => each[2]);
        const points = SEATS.map((seat) => game.points[seat] + gain(transfers, seat));
        const late = lateAfter(game, hand, result);
        const next = nextTurn({ turn: game.turn, points, isVoid: result.isVoid, repeats: result.repeats, earned: result.earned, late }, rules);
        const over = typeof next === "string" ? next : null;
        const step = {
            hand,
            name: game.name,
            dealer: game.dealer,
            result: result.kind,
            transfers,
            changes: SEATS.map((seat) => gain(transfers, seat)),
            points,
            deposits: game.deposits + gain(transfers, null),
            winners: result.winners,
            chombo: sorted([...result.chombo, ...hand.fouls.map((foul) => foul.seat)]),
            dealer_repeats: result.repeats,
            over,
        };
        return make({
            rules,
            points,
            deposits: step.deposits,
            turn: over ? game.turn : next,
            honba: over ? game.honba : result.honba,
            late,
            over,
            minutes: Math.max(game.minutes, hand.minutes || 0),
            rang: game.rang || hand.bell,
            steps: [...game.steps, step],
        });
    }

    /** The hand with the parts that were left out. Liability keeps its order. */
    function complete(hand) {
        const usual = { riichi: [], fouls: [], win_bans: [], dead_hands: [], extra_tiles: [0, 0, 0, 0], minutes: null, bell: false, ...hand };
        const { outcome } = usual;
        const shown = { tenpai: [], hidden: [], noten_riichi: [] };
        const more = { draw: shown, nagashi: shown, scores: { winners: [], win: null, honba: null } }[outcome.kind] || {};
        return { ...usual, riichi: usual.riichi.map((each) => ({ tile: "passed", live_tiles: null, ...each })), outcome: { ...more, ...outcome } };
    }

    function lateAfter(game, hand, result) {
        if (result.isVoid || game.late !== null) {
            return result.isVoid ? game.late : game.late + 1;
        }
        const limit = game.rules.minutes;
        const ranOut = limit !== null && (hand.bell || game.rang || Math.max(game.minutes, hand.minutes || 0) >= limit);
        return ranOut ? 0 : null;
    }

    // --- the course of a game ---------------------------------------------------------------------------------

    /** [round wind, number from 1] of the hand after so many passes of the deal. */
    function handAt(turn, rules) {
        const winds = WINDS[rules.game_length];
        const wind = Math.floor(turn / 4);
        const beyond = wind - winds.length + 1;
        if (beyond <= 0) {
            return [winds[wind], (turn % 4) + 1];
        }
        const isEast = rules.game_length === "east_east";
        return isEast ? [0, 4 * beyond + (turn % 4) + 1] : [(winds[winds.length - 1] + beyond) % 4, (turn % 4) + 1];
    }

    function canGoOn(turn, rules) {
        const played = Math.floor(turn / 4) + 1 - WINDS[rules.game_length].length;
        return rules.extension !== "none" && (rules.extension_winds === null || played < rules.extension_winds);
    }

    /** The turn of the next hand, or how the game ends. */
    function nextTurn(played, rules) {
        if (rules.bust && Math.min(...played.points) < 0) {
            return "bust";
        }
        if (played.isVoid) {
            return played.turn;
        }
        const next = inTime(played, rules);
        return played.late !== null && played.late >= rules.extra_hands && typeof next !== "string" ? "time" : next;
    }

    function inTime(played, rules) {
        const winds = WINDS[rules.game_length].length;
        const isReached = rules.target_points === null || Math.max(...played.points) >= rules.target_points;
        if (rules.game_length === "each_hand") {
            return "length";
        }
        if (played.turn >= 4 * winds && rules.extension === "sudden_death" && isReached) {
            return "target";
        }
        if (played.turn % 4 !== 3 || Math.floor(played.turn / 4) + 1 < winds) {
            return played.turn + (played.repeats ? 0 : 1);
        }
        const isDecided = isReached || !canGoOn(played.turn, rules);
        if (played.repeats && (rules.all_last_renchan || !played.earned)) {
            return played.earned && isDecided && rules.agari_yame && leads(played, rules) ? "agari_yame" : played.turn;
        }
        return isDecided ? "length" : played.turn + 1;
    }

    function leads(played, rules) {
        const dealer = played.turn % 4;
        const most = Math.max(...played.points);
        return rules.tie_rule === "seat" ? played.points.indexOf(most) === dealer : played.points[dealer] === most;
    }

    function make(game) {
        const [wind, number] = handAt(game.turn, game.rules);
        return { ...game, dealer: game.turn % 4, name: "ESWN"[wind] + number + "." + game.honba };
    }

    /** A game before its first hand, which has this code ("S4.2"); null if the rule set does not play it. */
    function newGame(rules, code = "E1.0", points = null, deposits = 0) {
        const [hand, honba] = code.split(".");
        const turns = rules.game_length === "each_hand" ? 1 : 4 * (WINDS[rules.game_length].length + (rules.extension === "none" ? 0 : rules.extension_winds || 12));
        const names = Array.from({ length: turns }, (_, turn) => handAt(turn, rules));
        const turn = names.findIndex(([wind, number]) => "ESWN"[wind] + number === hand);
        const start = points || SEATS.map(() => rules.start_points);
        const begun = { rules, points: start, deposits, turn, honba: Number(honba), late: null, over: null, minutes: 0, rang: false, steps: [] };
        return turn < 0 ? null : make(begun);
    }

    // --- hands that cannot be ---------------------------------------------------------------------------------

    /** Why this hand cannot be the next one, as [code, seat] of scoring/hanchan/problems; values are not checked. */
    function refusals(game, facts) {
        const { rules } = game;
        const hand = complete(facts);
        const { outcome } = hand;
        const found = [];
        const refuse = (code, seats = [null]) => found.push(...seats.map((seat) => [code, seat]));
        if (game.over !== null) {
            return [["game_over", null]];
        }
        const declared = hand.riichi.map((each) => each.seat);
        const stands = standing(hand).map((each) => each.seat);
        const won = hand.riichi.filter((each) => each.tile === "won").map((each) => each.seat);
        const fouls = hand.fouls.map((foul) => foul.seat);
        const banned = new Set([...hand.win_bans, ...hand.dead_hands, ...fouls, ...SEATS.filter((seat) => hand.extra_tiles[seat])]);
        const ban = (seats) => refuse("winner_banned", seats.filter((seat) => banned.has(seat)));

        refuse("riichi_below_1000", rules.riichi_below_1000 ? [] : declared.filter((seat) => game.points[seat] < DEPOSIT));
        refuse("riichi_tiles", hand.riichi.filter((each) => each.live_tiles !== null && each.live_tiles < rules.tiles_for_riichi).map((each) => each.seat));
        if (outcome.kind === "ron") {
            refuse("riichi_tile_won", won.filter((seat) => seat !== outcome.loser));
        } else if (outcome.kind === "abort" && outcome.reason === "sanchahou") {
            refuse("nobody_dealt_in", won.length > 1 ? [null] : []);
        } else {
            refuse("riichi_tile_won", won);
        }
        if (!["abort", "chombo", "scores", "ruling"].includes(outcome.kind) && rules.abortive_draws.includes("suucha_riichi") && stands.length === 4) {
            refuse("four_riichi");
        }
        if (["draw", "nagashi"].includes(outcome.kind)) {
            const { tenpai, hidden, noten_riichi: noten } = outcome;
            const known = [...tenpai, ...hidden, ...noten, ...hand.dead_hands];
            refuse("riichi_hidden", hidden.filter((seat) => stands.includes(seat)));
            refuse("hidden", rules.hidden_tenpai ? [] : hidden.filter((seat) => !stands.includes(seat)));
            refuse("tenpai_and_hidden", hidden.filter((seat) => tenpai.includes(seat)));
            refuse("dead_hand_tenpai", tenpai.filter((seat) => hand.dead_hands.includes(seat)));
            refuse("riichi_unknown", outcome.kind === "nagashi" && rules.nagashi_as_tsumo ? [] : stands.filter((seat) => !known.includes(seat)));
            refuse("noten_riichi", noten.filter((seat) => !stands.includes(seat) || tenpai.includes(seat) || hand.dead_hands.includes(seat)));
        }
        if (outcome.kind === "ron" || outcome.kind === "tsumo") {
            ban((outcome.wins || [outcome.win]).map((win) => win.winner));
        } else if (outcome.kind === "nagashi") {
            refuse("nagashi", rules.nagashi_mangan ? [] : [null]);
            ban(rules.nagashi_as_tsumo ? outcome.seats : []);
        } else if (outcome.kind === "abort") {
            const allowed = [...rules.abortive_draws, ...(rules.multiple_ron === "triple_aborts" ? ["sanchahou"] : [])];
            refuse("abort", allowed.includes(outcome.reason) ? [] : [null]);
            const isFirst = ["kyuushu_kyuuhai", "suufon_renda"].includes(outcome.reason);
            refuse("abort_after_call", isFirst ? hand.riichi.filter((each) => each.tile === "called").map((each) => each.seat) : []);
            refuse("four_riichi_missing", outcome.reason === "suucha_riichi" && stands.length < 4 ? [null] : []);
        } else if (outcome.kind === "chombo") {
            const left = outcome.live_tiles === undefined ? null : outcome.live_tiles;
            refuse("hand_goes_on", left !== null && left < rules.redeal_tiles ? [null] : []);
        } else if (outcome.kind === "scores" || outcome.kind === "ruling") {
            const broken = SEATS.filter((seat) => outcome.points[seat] % 100);
            const left = total(rules) - sum(outcome.points);
            refuse("hundreds", broken);
            refuse("scores_sum", left < 0 ? [null] : []);
            refuse("sticks", left >= 0 && left % DEPOSIT && !broken.length ? [null] : []);
            ban(outcome.winners || []);
        }
        const voids = (foul) => typeof foul.live_tiles === "number" && foul.live_tiles >= rules.redeal_tiles && !foul.referee;
        refuse("hand_is_void", hand.fouls.filter((foul) => !rules.redeal_tiles || voids(foul)).map((foul) => foul.seat));
        refuse("bell", hand.bell && rules.minutes === null ? [null] : []);
        refuse("minutes_back", hand.minutes !== null && hand.minutes < game.minutes ? [null] : []);
        return found;
    }

    /** The game after these hands, and the first of them that cannot be: {game, refused: null or {at, why}}. */
    function replay(game, hands) {
        let played = game;
        for (const [at, hand] of hands.entries()) {
            const why = refusals(played, hand);
            if (why.length) {
                return { game: played, refused: { at, why } };
            }
            played = play(played, hand);
        }
        return { game: played, refused: null };
    }

    window.umaokaHanchan = { HAN, FU, newGame, play, replay, refusals, handValue, canBe, limits, price, valuesPaying, handAt, winnersOf };
})();
