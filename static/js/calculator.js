/* The hand calculator: tiles are tapped, the value follows.

   The text fields hold everything (hand, winning tile, indicators); taps change them, typing changes what is drawn.
   The server values the hand: htmx asks for the answer a moment after the last change. Without script the form is
   sent as any other. */
(function () {
    "use strict";
    const form = document.querySelector("[data-calculator]");
    if (!form) {
        return;
    }
    const SVG = "http://www.w3.org/2000/svg";
    const SUITS = "mpsz";
    const BRACKETS = { "(": ")", "[": "]", "{": "}" };
    const KINDS = { "(": "open", "[": "closed", "{": "added" };
    const SIGNS = { open: "()", closed: "[]", added: "{}" };
    const FIELDS = ["hand", "win", "dora", "ura"];
    const PLAIN = JSON.parse(form.dataset.plain); // what the address leaves out
    const WHOLE_HAND = 14;
    const SETS = { pair: 2, run: 3, triplet: 3, chi: 3, pon: 3, kan: 4, closed: 4, added: 4 };
    const OF_THE_HAND = ["pair", "run", "triplet"]; // closed tiles that one tap adds together
    const LAST_RULES = "umaoka-calculator-rules";
    const MOST_INDICATORS = 5;

    const keys = Array.from(form.querySelectorAll("[data-tile]"));
    const places = Array.from(form.querySelectorAll("[data-place]"));
    const labels = Object.fromEntries(keys.map((key) => [key.dataset.tile, key.getAttribute("aria-label")]));
    const box = form.querySelector("[data-hand]");
    const before = []; // earlier contents of the four fields, for taking back

    let state = null; // what the fields say; null while someone types what cannot be drawn
    let place = "hand"; // where the next tile goes
    let half = []; // the tiles of a chi that is not complete

    const { make, makeButton } = window.umaokaParts;
    const word = (name, values) => window.umaokaParts.word(form, name, values);

    // --- tiles and notation -----------------------------------------------------------------------------------

    const kind = (tile) => (tile[0] === "0" ? "5" + tile[1] : tile);

    // A red five comes after the plain ones.
    function rank(tile) {
        return SUITS.indexOf(tile[1]) * 100 + (tile[0] === "0" ? 51 : Number(tile[0]) * 10);
    }

    const sorted = (tiles) => tiles.slice().sort((a, b) => rank(a) - rank(b));

    /** "406p7z" → ["4p", "0p", "6p", "7z"]; null for any other text. */
    function tilesOf(text) {
        const found = [];
        let digits = "";
        for (const sign of text.replace(/[\s,]/g, "")) {
            if (/[0-9]/.test(sign)) {
                digits += sign;
            } else if (SUITS.includes(sign) && digits && !(sign === "z" && /[089]/.test(digits))) {
                found.push(...Array.from(digits, (digit) => digit + sign));
                digits = "";
            } else {
                return null;
            }
        }
        return digits ? null : found;
    }

    function textOf(tiles) {
        let text = "";
        tiles.forEach(function (tile, index) {
            const next = tiles[index + 1];
            text += tile[0] + (next && next[1] === tile[1] ? "" : tile[1]);
        });
        return text;
    }

    /** The hand as typed: closed tiles in their order, and melds; null when it cannot be read. */
    function handOf(text) {
        const melds = [];
        let broken = false;
        const closed = text.replace(/([([{])([^()[\]{}]*)([)\]}])/g, function (whole, open, inside, close) {
            const tiles = tilesOf(inside);
            broken = broken || !tiles || BRACKETS[open] !== close;
            melds.push({ kind: KINDS[open], tiles: tiles || [] });
            return " ";
        });
        const tiles = tilesOf(closed);
        return tiles && !broken ? { closed: tiles, melds: melds } : null;
    }

    const plainText = (field) => field.value.normalize("NFKC").toLowerCase().trim();

    function read() {
        const text = Object.fromEntries(FIELDS.map((name) => [name, plainText(form.elements[name])]));
        const hand = handOf(text.hand);
        const win = tilesOf(text.win);
        const dora = tilesOf(text.dora);
        const ura = tilesOf(text.ura);
        if (!hand || !win || win.length > 1 || !dora || !ura) {
            return null;
        }
        const last = hand.closed[hand.closed.length - 1];
        const named = win[0] && hand.closed.includes(win[0]) ? win[0] : "";
        return { ...hand, win: named || (count(hand) >= WHOLE_HAND ? last : ""), dora: dora, ura: ura };
    }

    /** Tiles of the hand, a kan as three. */
    const count = (hand) => hand.closed.length + 3 * hand.melds.length;

    function write() {
        const melds = state.melds.map((meld) => SIGNS[meld.kind][0] + textOf(meld.tiles) + SIGNS[meld.kind][1]);
        form.elements.hand.value = [textOf(sorted(state.closed)), ...melds].filter(Boolean).join(" ");
        form.elements.win.value = state.win;
        form.elements.dora.value = textOf(state.dora);
        form.elements.ura.value = textOf(state.ura);
        form.dispatchEvent(new CustomEvent("tiles"));
    }

    /** Before a tap changes anything: what was there can be had again. Typing that cannot be read is replaced. */
    function remember() {
        before.push(FIELDS.map((name) => form.elements[name].value));
        state = state || { closed: [], melds: [], win: "", dora: [], ura: [] };
    }

    // --- what may be tapped -----------------------------------------------------------------------------------

    const seen = () => [...state.closed, ...state.melds.flatMap((meld) => meld.tiles), ...half];

    const left = (tile) => 4 - seen().filter((each) => kind(each) === kind(tile)).length;

    const room = () => WHOLE_HAND - count(state) - half.length;

    function mayTap(tile) {
        if (!state) {
            return true;
        }
        if (place === "dora" || place === "ura") {
            return state[place].length < MOST_INDICATORS;
        }
        if (place === "win") {
            return state.closed.some((each) => each === tile) || (room() > 0 && left(tile) > 0);
        }
        if (tile[0] === "0" && seen().includes(tile) && tile !== "0p") {
            return false; // two red fives of circles are the most that any rule set has of one
        }
        if (place === "hand") {
            return room() > 0 && left(tile) > 0;
        }
        if (place === "chi") {
            return room() >= 3 - half.length && left(tile) > 0 && fitsRun(tile);
        }
        if (place === "run") {
            return tile[1] !== "z" && Number(kind(tile)[0]) <= 7 && room() >= 3 && run(tile).every((each) => left(each) > 0);
        }
        return room() >= Math.min(3, SETS[place]) && left(tile) >= SETS[place];
    }

    /** Three in a row from their lowest tile. */
    const run = (tile) => [tile, ...[1, 2].map((more) => Number(kind(tile)[0]) + more + tile[1])];

    function fitsRun(tile) {
        const numbers = [...half, tile].map((each) => Number(kind(each)[0]));
        const isRun = Math.max(...numbers) - Math.min(...numbers) <= 2 && new Set(numbers).size === numbers.length;
        return tile[1] !== "z" && isRun && half.every((each) => each[1] === tile[1]);
    }

    // --- taps -------------------------------------------------------------------------------------------------

    function tap(tile) {
        if (!mayTap(tile)) {
            return;
        }
        if (place === "chi" && half.length < 2) {
            half.push(tile);
            draw();
            return;
        }
        remember();
        if (place === "dora" || place === "ura") {
            state[place].push(tile);
        } else if (place === "hand") {
            addToHand(tile);
        } else if (place === "win") {
            markWin(tile);
        } else if (OF_THE_HAND.includes(place)) {
            addGroup(place === "run" ? run(tile) : equalTiles(tile, SETS[place]));
        } else {
            addMeld(place === "chi" ? [...half, tile] : equalTiles(tile, SETS[place]));
        }
        write();
        draw();
    }

    /** A hand that is complete was won with the tile that was tapped last. */
    function complete() {
        if (count(state) === WHOLE_HAND) {
            state.win = state.win || state.closed[state.closed.length - 1];
        }
    }

    function addToHand(tile) {
        state.closed.push(tile);
        complete();
    }

    /** The next tap tells which tile of a whole hand it was won with. */
    function addGroup(tiles) {
        state.closed.push(...tiles);
        complete();
        if (count(state) === WHOLE_HAND) {
            choose("win");
        }
    }

    function markWin(tile) {
        if (!state.closed.includes(tile)) {
            state.closed.push(tile);
        }
        state.win = tile;
        choose("hand");
    }

    function addMeld(tiles) {
        const kinds = { closed: "closed", added: "added" };
        state.melds.push({ kind: kinds[place] || "open", tiles: sorted(tiles) });
        complete();
        choose("hand");
    }

    /** Three or four of a kind; tapping the red five puts one red among them. */
    function equalTiles(tile, number) {
        return [tile, ...Array(number - 1).fill(kind(tile))];
    }

    function takeBack(list, index) {
        remember();
        const [tile] = list.splice(index, 1);
        if (list === state.closed && tile === state.win && count(state) < WHOLE_HAND) {
            state.win = "";
        }
        write();
        draw();
    }

    function undo() {
        if (half.length) {
            half.pop();
        } else if (before.length) {
            const values = before.pop();
            FIELDS.forEach((name, index) => (form.elements[name].value = values[index]));
            state = read();
            form.dispatchEvent(new CustomEvent("tiles"));
        }
        draw();
    }

    function clear() {
        remember();
        state = { closed: [], melds: [], win: "", dora: [], ura: [] };
        half = [];
        choose("hand");
        write();
        draw();
    }

    function choose(name) {
        place = name;
        half = [];
        places.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.place === name)));
    }

    // --- drawing ----------------------------------------------------------------------------------------------

    function picture(tile) {
        const svg = document.createElementNS(SVG, "svg");
        svg.setAttribute("class", "tile");
        svg.setAttribute("viewBox", "0 0 60 84");
        svg.setAttribute("aria-hidden", "true");
        const use = document.createElementNS(SVG, "use");
        use.setAttribute("href", form.dataset.tiles + "#t" + tile);
        svg.append(use);
        return svg;
    }

    function button(tile, sentence, act) {
        return tileButton("tile-button", word(sentence, { tile: labels[tile] || tile }), [tile], act);
    }

    function tileButton(className, label, tiles, act) {
        const made = makeButton(className, "", act);
        made.setAttribute("aria-label", label);
        made.append(...tiles.map(picture));
        return made;
    }

    function group(name, children) {
        const made = make("span", "calc-group calc-group-" + name);
        made.append(...children);
        return made;
    }

    function closedTiles() {
        const order = state.closed.map((tile, index) => [tile, index]).sort((a, b) => rank(a[0]) - rank(b[0]));
        const apart = state.win ? order.slice().reverse().find((each) => each[0] === state.win) : null;
        const made = ([tile, index]) =>
            button(tile, place === "win" ? "mark" : "take-back", function () {
                if (place === "win") {
                    tap(tile);
                } else {
                    takeBack(state.closed, index);
                }
            });
        const rest = order.filter((each) => each !== apart).map(made);
        return apart ? [group("closed", rest), group("win", [made(apart)])] : [group("closed", rest)];
    }

    function meldTiles(meld, index) {
        const shown = meld.kind === "closed" ? ["back", meld.tiles[1], meld.tiles[2], "back"] : meld.tiles;
        const names = meld.tiles.map((tile) => labels[tile]).join(", ");
        const className = "tile-button calc-meld calc-meld-" + meld.kind;
        return tileButton(className, word("take-back", { tile: names }), shown, () => takeBack(state.melds, index));
    }

    function waiting() {
        const shown = half.map(picture);
        const empty = Array.from({ length: 3 - half.length }, () => make("span", "tile-space"));
        return group("half", [...shown, ...empty]);
    }

    function drawHand() {
        const active = Array.from(box.querySelectorAll("button")).indexOf(document.activeElement);
        const parts = state ? [...closedTiles(), ...state.melds.map(meldTiles)] : [];
        box.replaceChildren(...parts.filter((part) => part.children.length), ...(half.length ? [waiting()] : []));
        box.dataset.empty = String(box.children.length === 0);
        const buttons = box.querySelectorAll("button");
        if (active >= 0) {
            (buttons[Math.min(active, buttons.length - 1)] || keys[0]).focus();
        }
    }

    function drawIndicators(name) {
        const line = form.querySelector('[data-indicators="' + name + '"]');
        const tiles = state ? state[name] : [];
        line.hidden = tiles.length === 0 && place !== name;
        const had = line.contains(document.activeElement);
        const made = tiles.map((tile, index) => button(tile, "take-back", () => takeBack(state[name], index)));
        line.querySelector("[data-row]").replaceChildren(...made);
        if (had) {
            (made[made.length - 1] || keys[0]).focus();
        }
    }

    function draw() {
        drawHand();
        drawIndicators("dora");
        drawIndicators("ura");
        keys.forEach((key) => key.setAttribute("aria-disabled", String(!mayTap(key.dataset.tile))));
        form.querySelector("[data-undo]").setAttribute("aria-disabled", String(!before.length && !half.length));
    }

    // --- starting ---------------------------------------------------------------------------------------------

    function onTyped(event) {
        if (!FIELDS.includes(event.target.name)) {
            return;
        }
        half = [];
        state = read();
        draw();
    }

    /** Only what differs from an empty form is in the address. */
    function shorten(event) {
        if (event.target !== form) {
            return;
        }
        const sent = event.detail.parameters;
        Array.from(new Set(Object.keys(sent))).forEach(function (name) {
            const value = String(sent[name]).trim();
            if (value === "" || value === PLAIN[name]) {
                delete sent[name];
            }
        });
    }

    /** The address follows, without a new step to go back over. */
    function answered(event) {
        if (event.detail.elt !== form || !event.detail.successful) {
            return;
        }
        history.replaceState(null, "", event.detail.pathInfo.finalRequestPath);
        const share = document.querySelector("[data-share]");
        share.querySelector("[data-copy]").value = location.href;
        share.hidden = !form.elements.hand.value.trim();
        form.querySelector("[data-said]").textContent = document.getElementById("calc-bar").innerText;
        form.querySelectorAll("[aria-invalid]").forEach(function (field) {
            field.classList.remove("is-invalid");
            field.removeAttribute("aria-invalid");
        });
        hideReds();
    }

    /** Without red fives in the rule set no key has one. */
    function hideReds() {
        const none = document.querySelector("[data-red-fives]").dataset.redFives === "0";
        keys.filter((key) => key.dataset.tile[0] === "0").forEach((key) => (key.hidden = none));
    }

    // --- the rule set of the last time, for an address that says nothing ----------------------------------------

    function lastRules(key) {
        try {
            return key ? localStorage.setItem(LAST_RULES, key) : localStorage.getItem(LAST_RULES);
        } catch {
            return null;
        }
    }

    const known = Array.from(form.elements.rules.options, (option) => option.value);
    const last = location.search ? null : lastRules();
    if (last && last !== form.elements.rules.value && known.includes(last)) {
        location.replace("?rules=" + encodeURIComponent(last));
        return;
    }
    form.elements.rules.addEventListener("change", () => lastRules(form.elements.rules.value));

    form.querySelector("[data-tapping]").hidden = false;
    form.querySelector("[data-send]").hidden = true;
    keys.forEach((key) => key.addEventListener("click", () => tap(key.dataset.tile)));
    places.forEach((button) =>
        button.addEventListener("click", function () {
            choose(button.dataset.place);
            draw();
        }),
    );
    form.querySelector("[data-undo]").addEventListener("click", undo);
    form.querySelector("[data-clear]").addEventListener("click", clear);
    form.addEventListener("input", onTyped);
    document.body.addEventListener("htmx:configRequest", shorten);
    document.body.addEventListener("htmx:afterRequest", answered);
    // A tile that completes the hand, offered in the answer.
    document.body.addEventListener("click", function (event) {
        const wait = event.target.closest("[data-wait]");
        if (wait && state) {
            event.preventDefault();
            remember();
            addToHand(wait.dataset.wait);
            write();
            draw();
        }
    });

    state = read();
    choose("hand");
    draw();
})();
