/* Score sheets: fewer keys, the sum while typing, and nothing lost on a bad network.

   Everything works without this file. It never settles anything itself: places and scores come from the server.
   What is typed goes into the outbox (js/outbox.js). The server redirects only when a sheet is saved: that is how
   this file knows. From the page of a round it says the newest sheet that the page shows, and gets what has changed
   (data-changes) in place of the redirect. */
(function () {
    "use strict";

    const SEATS = ["east", "south", "west", "north"];
    // How the hanchan ended: only under some rule sets.
    const ENDING = ["last_dealer", ...SEATS.flatMap((seat) => [seat + "_named", seat + "_chips"])];
    const FACTS = [...SEATS, "sticks", ...ENDING];
    const FIELDS = ["key", "number", "based_on", "seated", ...FACTS, "reason", "sure", "objects"];
    const STICK = 10; // in hundreds
    const MOST_STICKS = 10; // a shortage up to here may be sticks on the table
    const PAUSE = 150; // ms of rest before places and scores are asked for

    const { make, makeButton, newKey } = window.umaokaParts;
    const { load, keep, forget, turnTo, openOutbox } = window.umaokaOutbox;
    let root = null; // the element that holds the sheets; replaced with every answer

    // --- words and numbers ------------------------------------------------------------------------------------

    const word = (name, values) => window.umaokaParts.word(root, name, values);

    /** The whole number in "287", "-52", "−52", "▲52" or "２８７"; null if it is none. */
    function parse(text) {
        const plain = text.normalize("NFKC").trim().replace(/[▲△−–‐‒ー]/g, "-");
        return /^[+-]?[0-9]{1,6}$/.test(plain) ? parseInt(plain, 10) : null;
    }

    /** Numbers typed in hundreds, some or all perhaps in points: 28700 is 287 (see results.forms.understand). */
    function understand(numbers, total) {
        const typed = numbers.filter((number) => number !== null);
        const isLarge = (number) => Math.abs(number) > 2 * total && number % 100 === 0;
        const inFull = typed.some(isLarge) && typed.every((number) => number % 100 === 0);
        const isPoints = (number) => number !== null && (inFull || isLarge(number));
        return { numbers: numbers.map((number) => (isPoints(number) ? number / 100 : number)), inFull };
    }

    function inPoints(hundreds) {
        return (hundreds * 100).toString().replace(/\B(?=(\d{3})+$)/g, ",");
    }

    function signed(hundreds) {
        return hundreds < 0 ? word("minus") + -hundreds : String(hundreds);
    }

    // --- one form ---------------------------------------------------------------------------------------------

    function seatsOf(form) {
        return SEATS.map(function (seat) {
            return form.elements[seat];
        });
    }

    /** The facts that this form asks for. */
    function factsOf(form) {
        return FACTS.filter((name) => form.elements[name]);
    }

    function canBeTyped(form) {
        return form.elements.east.type !== "hidden";
    }

    /** What is typed: the blank inputs, the wrong ones, and what is missing (in hundreds) if all are numbers. */
    function read(form) {
        const inputs = seatsOf(form);
        const total = Number(root.dataset.total) / 100;
        const { numbers, inFull } = understand(inputs.map((input) => parse(input.value)), total);
        const blank = inputs.filter((input) => !input.value.trim());
        const wrong = inputs.filter((input, index) => input.value.trim() && numbers[index] === null);
        const sticks = parse(form.elements.sticks.value.trim() || "0");
        const sum = numbers.reduce((all, number) => all + (number || 0), 0);
        if (sticks === null || sticks < 0) {
            wrong.push(form.elements.sticks);
        }
        return { blank, wrong, inFull, left: total - sum - STICK * (sticks || 0) };
    }

    /** The sum in words: ["good" or "bad", the sentence], or null while there is nothing to say. */
    function verdict(typed) {
        if (typed.wrong.length) {
            return ["bad", word("not-a-number")];
        }
        if (typed.blank.length) {
            return null;
        }
        if (typed.left === 0) {
            return ["good", word("adds-up")];
        }
        if (typed.left < 0) {
            return ["bad", word("over", { points: inPoints(-typed.left) })];
        }
        const sticks = typed.left % STICK === 0 ? typed.left / STICK : 0;
        const name = sticks === 1 ? "short-stick" : sticks && sticks <= MOST_STICKS ? "short-sticks" : "short";
        return ["bad", word(name, { points: inPoints(typed.left), count: sticks })];
    }

    function refresh(form) {
        const typed = read(form);
        const said = verdict(typed);
        const line = form.querySelector("[data-sum]");
        line.textContent = said ? said[1] : "";
        line.dataset.state = said ? said[0] : "";
        suggest(form, typed);
        askPreview(form, said !== null && said[0] === "good");
    }

    // The fourth score destroys the check of the sum if it fills itself in: it is only offered.
    function suggestion(typed) {
        const offered = "suggest" in root.dataset && typed.blank.length === 1 && !typed.wrong.length;
        return offered ? (typed.inFull ? 100 : 1) * typed.left : null;
    }

    function suggest(form, typed) {
        form.querySelectorAll(".sheet-accept").forEach((old) => old.remove());
        const value = suggestion(typed);
        if (value === null) {
            return;
        }
        const input = typed.blank[0];
        const button = makeButton("btn sheet-accept", "= " + signed(value), () => fill(form, input, value));
        button.tabIndex = -1; // the key = is the keyboard's way
        button.setAttribute("aria-label", word("accept", { wind: input.dataset.wind, value: signed(value) }));
        form.querySelector('[data-result="' + input.name + '"]').append(button);
    }

    function fill(form, input, value) {
        input.value = String(value);
        input.focus();
        changed(form);
    }

    // --- places and scores, from the server -------------------------------------------------------------------

    const asked = new WeakMap(); // form → what stops its last question

    function askPreview(form, adding) {
        if (asked.has(form)) {
            asked.get(form)();
        }
        showPreview(form, []);
        if (!adding) {
            return;
        }
        const abort = new AbortController();
        const timer = setTimeout(function () {
            const query = new URLSearchParams();
            factsOf(form).forEach((name) => query.set(name, form.elements[name].value));
            query.set("number", form.elements.number.value); // a substitute may have come late to this table
            const joined = root.dataset.preview.includes("?") ? "&" : "?";
            fetch(root.dataset.preview + joined + query, { signal: abort.signal })
                .then((answer) => (answer.ok ? answer.json() : { seats: [] }))
                .then((answer) => showPreview(form, answer.seats))
                .catch(() => undefined); // no network, or typed on: the marks stay away
        }, PAUSE);
        asked.set(form, function () {
            clearTimeout(timer);
            abort.abort();
        });
    }

    function showPreview(form, seats) {
        SEATS.forEach(function (name, index) {
            const slot = form.querySelector('[data-result="' + name + '"]');
            slot.querySelectorAll(".place, .score").forEach((old) => old.remove());
            const seat = seats[index];
            if (!seat) {
                return;
            }
            const place = make("span", "place place-" + seat.place, seat.place);
            place.setAttribute("role", "img");
            place.setAttribute("aria-label", seat.label);
            slot.append(place, make("span", seat.classes, seat.score));
        });
    }

    // --- kept on the device -----------------------------------------------------------------------------------

    function nameOf(form) {
        return outbox.prefix() + form.dataset.sheet;
    }

    /** What a form holds, as it is kept and sent. */
    function recordOf(form, state) {
        const data = new FormData(form);
        const fields = {};
        FIELDS.forEach(function (name) {
            if (data.has(name)) {
                fields[name] = data.get(name);
            }
        });
        return { name: nameOf(form), number: form.dataset.sheet, action: form.getAttribute("action"), fields, state };
    }

    function sameSheet(record, form) {
        return ["based_on", "seated"].every((name) => record.fields[name] === form.elements[name].value);
    }

    function differsFrom(record, form) {
        return factsOf(form).some((name) => record.fields[name] !== form.elements[name].value);
    }

    function restore(form) {
        const record = load(nameOf(form));
        if (!record || !canBeTyped(form) || !sameSheet(record, form)) {
            return;
        }
        form.elements.key.value = record.fields.key;
        if (!differsFrom(record, form)) {
            return;
        }
        [...FACTS, "reason"].forEach(function (name) {
            if (form.elements[name] && name in record.fields) {
                form.elements[name].value = record.fields[name];
            }
        });
        form.querySelector("[data-note]").textContent = word("restored");
    }

    function changed(form) {
        const record = recordOf(form, "draft");
        if (SEATS.some((name) => record.fields[name].trim())) {
            keep(record);
        } else {
            forget(record.name);
        }
        form.querySelector("[data-note]").textContent = "";
        refresh(form);
        outbox.showKept();
    }

    // --- what is kept, as a list ------------------------------------------------------------------------------

    function formOf(record) {
        const panel = panelOf(record.number);
        return (panel || root).querySelector('form[data-sheet="' + record.number + '"]');
    }

    /** The form in which a draft can be typed on, or null: the table may have got a sheet or other players. */
    function draftForm(record) {
        const form = record.state === "draft" ? formOf(record) : null;
        return form && canBeTyped(form) && sameSheet(record, form) ? form : null;
    }

    // A form that is open speaks for itself.
    function isListed(record) {
        const form = record.state === "draft" ? draftForm(record) : record.state === "stopped" ? formOf(record) : null;
        return !(form && !form.closest("[hidden]"));
    }

    function discarded(record) {
        const form = formOf(record);
        if (form && canBeTyped(form)) {
            form.reset();
            form.querySelector("[data-note]").textContent = "";
            refresh(form);
        }
    }

    // --- sending ----------------------------------------------------------------------------------------------

    const outbox = openOutbox({
        kind: "umaoka-sheet",
        place: () => root.dataset.place,
        root: () => root,
        where,
        compare: (a, b) => Number(a.number) - Number(b.number),
        buttonClass: "btn btn-sm",
        more: () => ("since" in root.dataset ? { since: root.dataset.since } : {}),
        isOurs: (fresh) => fresh.querySelector("[data-sheets], [data-changes]") !== null,
        isSaved: (answer, isOurs, fresh) => isOurs && answer.ok && (answer.redirected || changesIn(fresh) !== null),
        words: (record) => ({
            number: record.number,
            value: SEATS.map((seat) => record.fields[seat].trim() || "–").join(" · "),
        }),
        isListed,
        look: (record) => draftForm(record) && (() => openTable(Number(record.number))),
        calm,
        notSent,
        saved,
        turned: (fresh, record) => goOn(fresh, record.action, true),
        discarded,
    });

    function openPanel() {
        return root.querySelector("[data-panel]:not([hidden])");
    }

    function where() {
        const open = openPanel();
        const number = root.querySelector("[data-number] input");
        return [open ? open.dataset.panel : "", number ? number.value : ""].join(" ");
    }

    function notSent(inFront) {
        const number = root.querySelector("[data-number] input");
        if (inFront && number) {
            hideSheets();
            number.value = "";
            number.focus();
        }
    }

    function saved(record, { answer, fresh }, inFront) {
        const changes = changesIn(fresh);
        if (changes === null) {
            goOn(fresh, answer.url, inFront);
        } else if ("since" in root.dataset) {
            const panel = panelOf(record.number);
            const isLookedAt = inFront && panel !== null && !panel.hidden;
            putIn(changes);
            if (isLookedAt) {
                beginAgain(Number(record.number));
            }
        }
        outbox.showKept(); // the page may be another one by now, which is up to date
    }

    function changesIn(fresh) {
        return fresh.querySelector("[data-changes]");
    }

    /** What has changed, in the place of what was shown; where someone types they go on typing. */
    function putIn(changes) {
        const content = document.getElementById("content");
        content.querySelectorAll("#messages, [data-undo]").forEach((old) => old.remove());
        root.querySelector("[data-bar]").replaceChildren(...changes.querySelectorAll("[data-messages] > *"));
        hideUndo();
        if (Number(changes.dataset.since) < Number(root.dataset.since)) {
            return; // a later answer was faster, and held this one's tables
        }
        root.dataset.since = changes.dataset.since;
        root.querySelector("[data-progress]").replaceWith(changes.querySelector("[data-progress]"));
        putClosing(changes.querySelector("[data-closing]"));
        changes.querySelectorAll("[data-line]").forEach(putLine);
        changes.querySelectorAll("[data-panel]").forEach(putPanel);
        const lines = Array.from(root.querySelectorAll("[data-line]"));
        const entered = lines.filter((line) => !line.querySelector("[data-show]")).length;
        if (entered !== Number(root.querySelector("[data-progress]").dataset.progress)) {
            location.reload(); // another scorer has undone a sheet: its table has a form again
        }
    }

    /** The buttons that close the round take the last sheet's place, which stays as high as it was. */
    function putClosing(closing) {
        const place = root.querySelector("[data-panels]");
        if (closing.firstElementChild) {
            place.style.minHeight = place.offsetHeight + "px";
        }
        root.querySelector("[data-closing]").replaceWith(closing);
    }

    /** A line of a table with a sheet, in its old place, so that the list does not move. */
    function putLine(line) {
        const old = root.querySelector('.sheet-list [data-line="' + line.dataset.line + '"]');
        if (old) {
            old.replaceWith(line);
        }
    }

    function putPanel(panel) {
        const old = panelOf(panel.dataset.panel);
        if (old) {
            panel.hidden = old.hidden;
            old.replaceWith(panel);
        } else {
            root.querySelector("[data-closing]").before(panel);
        }
    }

    /** The next table: its number is asked for, and the next sheet that is missing is shown. */
    function beginAgain(after) {
        const number = root.querySelector("[data-number] input");
        history.replaceState(null, "", location.pathname);
        hideSheets();
        const missing = Array.from(root.querySelectorAll("[data-show]"), (link) => Number(link.dataset.show));
        const next = missing.find((other) => other > after) || missing[0];
        if (next) {
            showPanel(next);
        }
        root.querySelector("[data-number-error]").textContent = "";
        number.value = "";
        go(number);
        window.scrollTo(0, 0);
    }

    /** The server's page, made ready; where someone types they go on typing. */
    function goOn(page, url, inFront) {
        const where = inFront ? null : whereTyped();
        const target = new URL(url, location.href);
        if (!turnTo(page, target)) {
            history.replaceState(null, "", target);
        }
        start();
        if (where) {
            goBackTo(where);
        } else {
            window.scrollTo(0, 0);
            begin();
        }
    }

    /** Where the page wants to be typed in; what is there is selected, so that typing replaces it. */
    function begin() {
        const first = root.querySelector("[autofocus]");
        if (first) {
            go(first);
        }
    }

    function whereTyped() {
        const active = document.activeElement;
        const open = openPanel();
        const number = root.querySelector("[data-number] input");
        return {
            panel: open ? open.dataset.panel : null,
            id: active ? active.id : "",
            number: number ? number.value : "",
        };
    }

    function goBackTo(where) {
        const number = root.querySelector("[data-number] input");
        if (number) {
            number.value = where.number;
        }
        if (where.panel !== null) {
            showPanel(where.panel);
        }
        const active = where.id && document.getElementById(where.id);
        if (active) {
            active.focus();
        }
    }

    function calm() {
        root.querySelectorAll("form[data-sheet] [type=submit]").forEach((save) => (save.disabled = false));
        root.querySelectorAll("form[data-sheet] [data-note]").forEach((note) => (note.textContent = ""));
    }

    // --- moving about -----------------------------------------------------------------------------------------

    function go(input) {
        input.focus();
        if (input.select && input.type === "text") {
            input.select();
        }
    }

    function hideSheets() {
        root.querySelectorAll("[data-panel]").forEach((panel) => (panel.hidden = true));
    }

    function panelOf(number) {
        return root.querySelector('[data-panel="' + number + '"]') || makePanel(number);
    }

    /** A copy of the page's blank sheet for a table whose line says who sits there; null if there is none. */
    function makePanel(number) {
        const line = root.querySelector('[data-line="' + number + '"][data-seated]');
        const blank = root.querySelector("template[data-blank]");
        if (!line || !blank) {
            return null;
        }
        const panel = make("section", "");
        panel.dataset.panel = number;
        panel.hidden = true;
        panel.append(blank.content.cloneNode(true));
        panel.querySelectorAll("*").forEach((part) =>
            Array.from(part.attributes).forEach((attribute) => {
                attribute.value = attribute.value.replace(/(^| )t0-/g, "$1t" + number + "-");
            }),
        );
        const form = panel.querySelector("form");
        const title = form.querySelector(".sheet-title");
        form.dataset.sheet = number;
        title.textContent = title.textContent.replace("0", number);
        form.elements.key.value = newKey();
        form.elements.number.value = number;
        form.elements.seated.value = line.dataset.seated;
        const names = line.querySelectorAll(".rest > span");
        seatsOf(form).forEach(function (input, index) {
            const label = form.querySelector('label[for="' + input.id + '"]');
            const name = Array.from(names[index].childNodes, (node) => node.cloneNode(true));
            label.replaceChildren(label.firstElementChild, " ", ...name);
        });
        Object.entries(JSON.parse(line.dataset.typed || "{}")).forEach(([name, value]) => preset(form.elements[name], value));
        blank.before(panel);
        prepare(form);
        return panel;
    }

    /** Fill in what the form begins with, and comes back to if it is reset. */
    function preset(input, value) {
        if (input && input.options) {
            Array.from(input.options).forEach((option) => (option.defaultSelected = option.value === value));
        } else if (input) {
            input.defaultValue = value;
        }
    }

    /** Show one table's panel; null if this round has no such table. */
    function showPanel(number) {
        const panel = panelOf(number);
        if (panel) {
            hideSheets();
            panel.hidden = false;
            outbox.showKept();
        }
        return panel;
    }

    /** Opens a table; `scores` are typed into its blank sheet, in the order of the seats, then the sticks. */
    function openTable(number, scores = []) {
        const panel = number === null ? null : showPanel(number);
        const said = root.querySelector("[data-number-error]");
        const input = root.querySelector("[data-number] input");
        if (!panel) {
            said.textContent = word("no-table", { number: input.value });
            go(input);
            return;
        }
        said.textContent = "";
        const form = panel.querySelector("form[data-sheet]");
        if (form && canBeTyped(form) && scores.length) {
            const inputs = [...seatsOf(form), form.elements.sticks];
            scores.slice(0, inputs.length).forEach((score, index) => (inputs[index].value = score));
            changed(form);
        }
        const blank = form && read(form).blank[0];
        const last = scores.length >= SEATS.length && form ? form.elements.north : null;
        go(blank || last || (form ? form.elements.east : panel.querySelector("a")));
    }

    function onEnter(form, input) {
        const inputs = seatsOf(form);
        const next = inputs[inputs.indexOf(input) + 1];
        if (next) {
            go(next);
        } else {
            form.querySelector("[type=submit]").click();
        }
    }

    /** The input to correct before the sheet is worth sending, or null. */
    function toCorrect(form) {
        const typed = read(form);
        if (typed.wrong.length || typed.blank.length) {
            return typed.wrong[0] || typed.blank[0];
        }
        if (typed.left === 0) {
            return null;
        }
        const mayBeSticks = typed.left > 0 && typed.left % STICK === 0 && typed.left <= STICK * MOST_STICKS;
        return mayBeSticks ? form.elements.sticks : form.elements.east;
    }

    function onSubmit(event, form) {
        event.preventDefault();
        const wrong = canBeTyped(form) ? toCorrect(form) : null;
        if (wrong) {
            if (!wrong.value.trim()) {
                form.querySelector("[data-sum]").textContent = word("blank");
                form.querySelector("[data-sum]").dataset.state = "bad";
            }
            go(wrong);
            return;
        }
        form.querySelectorAll("[type=submit]").forEach((save) => (save.disabled = true));
        form.querySelector("[data-note]").textContent = word("saving");
        outbox.send(recordOf(form, "unsent"), true);
    }

    // --- starting ---------------------------------------------------------------------------------------------

    // Phones' number pads can lack a minus.
    function addSign(form, input) {
        const sign = makeButton("btn sheet-sign", "±", function () {
            const plain = input.value.trim();
            input.value = /^[-−▲△]/.test(plain) ? plain.slice(1) : "-" + plain.replace(/^\+/, "");
            input.focus();
            changed(form);
        });
        sign.tabIndex = -1;
        sign.setAttribute("aria-label", word("sign", { wind: input.dataset.wind }));
        input.before(sign);
    }

    function onTyped(form, input) {
        if (["=", "+"].includes(input.value.normalize("NFKC").trim())) {
            input.value = "";
            const value = suggestion(read(form));
            if (value !== null) {
                input.value = String(value);
            }
        }
        changed(form);
    }

    function prepare(form) {
        form.addEventListener("submit", (event) => onSubmit(event, form));
        if (!canBeTyped(form)) {
            return;
        }
        restore(form);
        if ("pad" in form.dataset) {
            const inputs = [...form.querySelectorAll(".points-input")];
            window.umaokaPad.prepare(form, { inputs, word, go, changed: () => changed(form) });
        }
        seatsOf(form).forEach(function (input) {
            input.inputMode = "pad" in form.dataset ? "none" : "numeric"; // only now that there is a button for the minus
            addSign(form, input);
            input.addEventListener("input", () => onTyped(form, input));
            input.addEventListener("keydown", function (event) {
                if (event.key === "Enter" && !event.isComposing) {
                    event.preventDefault();
                    onEnter(form, input);
                }
            });
        });
        ["sticks", "reason", ...ENDING].forEach(function (name) {
            if (form.elements[name]) {
                form.elements[name].addEventListener("input", () => changed(form));
            }
        });
        refresh(form);
    }

    function prepareNumber(form) {
        const input = form.querySelector("input");
        form.addEventListener("submit", function (event) {
            event.preventDefault();
            const [number, ...scores] = input.value.normalize("NFKC").trim().split(/[\s,、;/]+/);
            input.value = number;
            openTable(parse(number), scores);
        });
        root.addEventListener("keydown", function (event) {
            if (event.key === "Escape") {
                hideSheets();
                outbox.showKept();
                go(input);
            }
        });
        root.querySelectorAll("[data-show]").forEach(function (link) {
            link.addEventListener("click", function (event) {
                event.preventDefault();
                input.value = link.dataset.show;
                openTable(parse(link.dataset.show));
            });
        });
    }

    /** The button that takes back what was saved goes away after ten seconds. */
    function hideUndo() {
        const shown = document.querySelectorAll("[data-undo]");
        setTimeout(() => shown.forEach((each) => each.remove()), 10000);
    }

    function start() {
        root = document.querySelector("[data-sheets]");
        if (!root) {
            return;
        }
        root.querySelectorAll("form[data-sheet]").forEach(prepare);
        root.querySelectorAll("form[data-number]").forEach(prepareNumber);
        root.querySelectorAll("[data-forget]").forEach(function (link) {
            link.addEventListener("click", () => forget(outbox.prefix() + link.dataset.forget));
        });
        outbox.showKept();
        hideUndo();
    }

    // A page put back together by script is asked for again when the person goes back to it.
    window.addEventListener("popstate", () => location.hash || location.reload());

    start();
    if (root) {
        begin();
        outbox.begin();
    }
})();
