/* The referee's desk: four taps in one page, the seconds in which a penalty can be taken back, and nothing lost on a bad
   network.

   Everything works without this file: each tap is a page, or a choice in a form. It never decides anything itself: what the
   book asks for lies in the page as templates, made by the server, which checks it again. What was confirmed goes into the
   outbox (js/outbox.js). The server answers with JSON only when the penalty is logged: that is how this file knows. */
(function () {
    "use strict";

    const STEPS = ["seat", "offence", "confirm", "free"];
    const MOST_NEAREST = 5;
    const NEAREST_SHARE = 0.4; // of the nearest offence's score

    const { make, newKey } = window.umaokaParts;
    const { turnTo, openOutbox } = window.umaokaOutbox;
    let root = null; // the element that holds the page; replaced with every answer
    let sent = []; // what was logged while the person did something else

    const word = (name, values) => window.umaokaParts.word(root, name, values);

    // --- kept on the device -----------------------------------------------------------------------------------

    /** The key of the form that is open before the person, or "". */
    function keyInView() {
        const form = root.querySelector("[data-step]:not([hidden]) form[data-send]");
        return form ? form.elements.key.value : "";
    }

    /** A form that came back is open before the person, and speaks for itself. */
    function isInView(record) {
        return record.state === "stopped" && keyInView() === record.key;
    }

    function where() {
        return stepInView() + " " + keyInView();
    }

    function sentLine(record) {
        const link = make("a", "btn", word("desk"));
        link.href = root.dataset.desk;
        return outbox.line(word("sent", { what: record.what }), link);
    }

    // --- sending ----------------------------------------------------------------------------------------------

    function recordOf(form) {
        const fields = Array.from(new FormData(form)).filter(([name]) => name !== "csrfmiddlewaretoken");
        const said = form.closest("[data-step]");
        const offence = said.querySelector("[data-said-offence]");
        const words = [
            said.querySelector("[data-said-player]").textContent,
            offence ? offence.textContent : form.elements.reason.value,
            root.dataset.place,
        ];
        const key = form.elements.key.value;
        return {
            name: outbox.prefix() + key,
            key,
            action: form.getAttribute("action"),
            what: words.map((each) => each.trim()).filter(Boolean).join(" · "),
            fields,
            state: "unsent",
            at: Date.now(),
        };
    }

    const outbox = openOutbox({
        kind: "umaoka-penalty",
        place: () => root.dataset.slug,
        root: () => root,
        where,
        compare: (a, b) => a.at - b.at,
        headers: { Accept: "application/json" },
        buttonClass: "btn",
        isOurs: (fresh) => fresh.querySelector("[data-taps]") !== null,
        isSaved: (answer) => answer.ok && (answer.headers.get("Content-Type") || "").startsWith("application/json"),
        words: (record) => ({ what: record.what, why: record.why || "" }),
        isListed: (record) => !isInView(record),
        lines: () => sent.map(sentLine),
        calm,
        notSent: (inFront) => inFront && stepInView() && begin(),
        saved,
        turned,
        allSent: () => sent.length > 0 && isIdle() && location.assign(root.dataset.desk),
    });

    /** On to the desk, where it can be taken back; but no one is taken away from what they are doing. */
    function saved(record, { text }, inFront) {
        if (inFront) {
            location.assign(JSON.parse(text).then);
            return;
        }
        sent.push(record);
        outbox.showKept();
    }

    function turned(fresh, record) {
        turnTo(fresh, new URL(record.action, location.href));
        start();
        window.scrollTo(0, 0);
    }

    function isIdle() {
        return !isTyping() && (!("taps" in root.dataset) || stepInView() === "seat");
    }

    /** Is there a field in focus, or one with words that are not sent yet? The steps of a penalty that was sent are hidden. */
    function isTyping() {
        const fields = Array.from(root.querySelectorAll("input, textarea")).filter((each) => !each.closest("[hidden]"));
        return fields.some((each) => each === document.activeElement || each.value !== each.defaultValue);
    }

    function calm() {
        root.querySelectorAll("form[data-send] [type=submit]").forEach((each) => (each.disabled = false));
    }

    /** A level that the book does not ask for, and no remark yet: better said now than when the network is back. */
    function lacksRemark(form) {
        const level = form.elements.level ? form.elements.level.value : "";
        const asked = form.elements["asked-c" + (form.elements.condition ? form.elements.condition.value : "")];
        return level !== "" && asked && asked.value !== level && !form.elements.reason.value.trim();
    }

    function onSubmit(event) {
        event.preventDefault();
        const form = event.currentTarget;
        if (form.dataset.send === "offence" && lacksRemark(form)) {
            form.elements.reason.required = true;
            form.elements.reason.reportValidity();
            return;
        }
        form.querySelectorAll("[type=submit]").forEach((each) => (each.disabled = true));
        outbox.send(recordOf(form), true);
    }

    // --- four taps --------------------------------------------------------------------------------------------

    let tapped = { player: null, entrant: "", code: "" };

    function stepInView() {
        const shown = root.querySelector("[data-step]:not([hidden])");
        return shown ? shown.dataset.step : "";
    }

    function show(step) {
        STEPS.forEach(function (name) {
            const section = root.querySelector('[data-step="' + name + '"]');
            section.hidden = name !== step;
        });
        outbox.showKept();
        window.scrollTo(0, 0);
        const title = root.querySelector('[data-step="' + step + '"] .step-title');
        title.focus({ preventScroll: true });
    }

    /** The address of a step, which also works without script. */
    function addressOf(player, code) {
        const base = root.dataset.base;
        const atTable = /[?&]table=/.test(base);
        return (
            base +
            (atTable && player ? "&player=" + encodeURIComponent(tapped.entrant) : "") +
            (code ? "&offence=" + encodeURIComponent(code) : "")
        );
    }

    function seatOf(test) {
        return Array.from(root.querySelectorAll("a[data-player]")).find(test);
    }

    function takeSeat(link) {
        tapped = { player: link.dataset.player, entrant: link.dataset.entrant, code: "" };
        root.querySelectorAll("[data-said-player]").forEach((each) => (each.textContent = link.dataset.name));
        root.querySelectorAll("[data-said-total]").forEach(function (each) {
            each.textContent = link.dataset.total;
            each.className = link.dataset.minus ? "score score-minus" : "score";
        });
        root.querySelectorAll("form[data-send] [name=player]").forEach((each) => (each.value = tapped.player));
        root.querySelectorAll("[data-other]").forEach((each) => (each.hidden = each.dataset.other === tapped.player));
    }

    /** The step after the seat: rules without offences have none to tap. */
    function afterSeat() {
        return root.querySelector("template[data-stock]") ? "offence" : takeOffence("other");
    }

    /** The step that an offence leads to, with its form filled; empty for an offence that the book lacks. */
    function takeOffence(code) {
        if (code === "other") {
            empty(root.querySelector('form[data-send="free"]'));
            return "free";
        }
        const all = Array.from(root.querySelectorAll("template[data-stock]")).filter((each) => each.dataset.stock === code);
        const own = all.find((each) => each.dataset.player === tapped.player) || all.find((each) => !each.dataset.player);
        if (!own) {
            return "";
        }
        tapped.code = code;
        fill(root.querySelector('form[data-send="offence"]'), own);
        return "confirm";
    }

    /** For another penalty: without what was chosen and confirmed for the one that the server sent back. */
    function empty(form) {
        form.reset();
        form.querySelectorAll("[data-wrong], .field-errors").forEach((each) => each.remove());
        form.querySelectorAll("[name=others], [name=add]").forEach((each) => (each.checked = false));
        ["level", "offence", "deduction", "reason"]
            .filter((name) => form.elements[name])
            .forEach((name) => (form.elements[name].value = ""));
        form.elements.key.value = newKey();
    }

    function fill(form, stock) {
        empty(form);
        form.querySelectorAll("[data-fold]").forEach((each) => (each.open = false));
        form.querySelectorAll("[data-change]").forEach((each) => (each.open = true));
        form.querySelector("[data-cases]").replaceChildren(stock.content.cloneNode(true));
        form.querySelectorAll("[data-others]").forEach((each) => (each.open = Boolean(form.querySelector("[data-of-others]"))));
        form.elements.infraction.value = tapped.code;
        form.elements.player.value = tapped.player;
        form.closest("[data-step]").querySelector("[data-said-offence]").textContent = stock.dataset.title;
    }

    function go(step, address) {
        history.pushState(null, "", address);
        show(step);
    }

    function begin() {
        const alone = !root.querySelector("[data-back]");
        tapped.code = "";
        history.pushState(null, "", addressOf(alone, ""));
        show(alone ? afterSeat() : "seat");
    }

    /** What the address says, after the phone's own way back. */
    function follow(query) {
        const seat = seatOf((link) => link.dataset.entrant === query.get("player"));
        if (!seat) {
            show("seat");
            return;
        }
        takeSeat(seat);
        const code = query.get("offence");
        show((code && takeOffence(code)) || afterSeat());
    }

    function prepareTaps() {
        const chosen = seatOf((link) => link.hasAttribute("aria-current"));
        if (chosen) {
            takeSeat(chosen);
        }
        root.querySelectorAll("a[data-player]").forEach(function (link) {
            link.addEventListener("click", function (event) {
                event.preventDefault();
                takeSeat(link);
                root.querySelectorAll("a[data-offence]").forEach((each) => (each.href = addressOf(true, each.dataset.offence)));
                go(afterSeat(), addressOf(true, ""));
            });
        });
        root.querySelectorAll("a[data-offence]").forEach(function (link) {
            link.addEventListener("click", function (event) {
                event.preventDefault();
                go(takeOffence(link.dataset.offence), addressOf(true, link.dataset.offence));
            });
        });
        root.querySelectorAll("a[data-back]").forEach(function (link) {
            link.addEventListener("click", function (event) {
                event.preventDefault();
                begin();
            });
        });
        root.querySelectorAll("form[data-send]").forEach((form) => form.addEventListener("submit", onSubmit));
        prepareFind(root.querySelector("form[data-find]"));
    }

    // --- finding an offence -----------------------------------------------------------------------------------

    /** Is every typed word a whole word of the text? Such finds come first, as `league.search.holds_words` says. */
    function holdsWords(words, text) {
        const whole = new Set(text.match(/[\p{L}\p{M}\p{N}_-]+/gu));
        return words.every((each) => whole.has(each));
    }

    /** What similar texts are found by, as `league.core.search.pieces` says. */
    function pieces(words) {
        return new Set(
            words.flatMap(function (word) {
                const letters = Array.from(word);
                if (letters.some((letter) => letter > "\u007f")) {
                    return [...letters, ...letters.slice(1).map((letter, index) => letters[index] + letter)];
                }
                return word.length > 2 ? [word, word.slice(0, 5)] : [];
            }),
        );
    }

    /** The offences that share the most pieces with the words. Rare pieces weigh more. */
    function nearest(words, items) {
        const scores = new Map();
        pieces(words).forEach(function (piece) {
            const holding = items.filter(({ text }) => text.includes(piece));
            holding.forEach((each) => scores.set(each, (scores.get(each) || 0) + 1 / holding.length));
        });
        const least = NEAREST_SHARE * Math.max(...scores.values());
        const near = items.filter((each) => scores.get(each) >= least);
        return near.sort((one, other) => scores.get(other) - scores.get(one)).slice(0, MOST_NEAREST);
    }

    function prepareFind(form) {
        const input = form.elements.q;
        const list = root.querySelector("[data-offences]");
        const usual = list.querySelector("[data-usual]");
        const found = list.querySelector("[data-found]");
        const groups = Array.from(list.querySelectorAll("[data-group]"));
        const near = list.querySelector("[data-near]");
        const items = groups.flatMap((group) => Array.from(group.querySelectorAll("[data-words]"), (item) => ({ item, group, text: item.dataset.words + " " + item.dataset.conditions })));

        function filter() {
            const words = window.umaokaFolding.folded(input.value).split(/\s+/).filter(Boolean);
            const holds = (text) => words.every((each) => text.includes(each));
            const matching = items.filter(({ text }) => holds(text));
            const rank = ({ item }) => (!holds(item.dataset.words) ? 2 : holdsWords(words, item.dataset.words) ? 0 : 1);
            items.forEach(({ item, group }) => group.append(item)); // back in the order of the book
            const similar = matching.length === 0 ? nearest(words, items) : [];
            if (words.length > 0) {
                const sorted = [...matching].sort((one, other) => rank(one) - rank(other));
                found.replaceChildren(...[...sorted, ...similar].map(({ item }) => item));
            }
            found.hidden = words.length === 0;
            near.hidden = similar.length === 0;
            groups.concat(usual || []).forEach((group) => (group.hidden = words.length > 0));
            list.querySelector("[data-none]").hidden = matching.length + similar.length > 0;
        }

        form.querySelectorAll("[data-no-script]").forEach((each) => (each.hidden = true));
        form.addEventListener("submit", function (event) {
            event.preventDefault(); // Enter takes the first offence found, unless it is only similar
            const first = found.querySelector("[data-words]");
            if (first && near.hidden && input.value.trim()) {
                first.click();
            }
        });
        input.addEventListener("input", filter);
    }

    // --- taking back ------------------------------------------------------------------------------------------

    function prepareUndo(form) {
        const until = performance.now() + Number(form.dataset.seconds) * 1000;
        const timer = setInterval(function () {
            const left = (until - performance.now()) / 1000;
            if (left <= 0 || !form.isConnected) {
                clearInterval(timer);
                form.remove();
                return;
            }
            form.querySelector("[data-left]").textContent = word("seconds", { seconds: Math.ceil(left) });
            form.querySelector("[data-bar]").value = left;
        }, 200);
    }

    // --- starting ---------------------------------------------------------------------------------------------

    function start() {
        root = document.querySelector("[data-referee]");
        if (!root) {
            return;
        }
        root.querySelectorAll("form[data-undo]").forEach(prepareUndo);
        if ("taps" in root.dataset && root.querySelector("[data-step]")) {
            prepareTaps();
        }
        outbox.showKept();
    }

    window.addEventListener("popstate", function () {
        const here = new URL(location.href);
        if (here.hash) {
            return; // a link to a place in the page
        }
        const base = root && root.dataset.base ? new URL(root.dataset.base, location.href) : null;
        const same = base && base.pathname === here.pathname && base.searchParams.get("table") === here.searchParams.get("table");
        if (same && root.querySelector("[data-step]")) {
            follow(here.searchParams);
        } else {
            location.reload();
        }
    });

    start();
    if (root) {
        outbox.begin();
    }
})();
