/* The outbox: what a person typed or confirmed stays on the device until the server has it, and is sent once.

   A record is an object with the `name` under which it is kept, the `action` and `fields` of its form, and its `state`:
   draft (typed, never sent by itself), unsent (waits for the network), stopped (the server asks the person to look at
   it), refused (the server asks who the person is: sent again from the next page of theirs). The submission's key is
   among the fields and makes sending twice harmless.
   Names begin with the person whom the page was made for: another person's page does not see them. A page that still
   is open when another person signs in has an old token, with which the server refuses what it sends.
   Where storage is switched off or full nothing is kept, and a record lives as long as the page.
   What has an order, as the hands of a table, is in a log (`openLog`). */
(function () {
    "use strict";

    const { word, make, makeButton } = window.umaokaParts;
    const PATIENCE = 20000; // ms until an answer counts as lost
    const AGAIN = 15000; // ms between attempts

    const memory = new Map(); // the records that the storage does not take

    function load(name) {
        try {
            return JSON.parse(memory.get(name) || localStorage.getItem(name));
        } catch (error) {
            return null; // storage is switched off, or holds something that is not ours
        }
    }

    function keep(record) {
        memory.set(record.name, JSON.stringify(record));
        try {
            localStorage.setItem(record.name, memory.get(record.name));
            memory.delete(record.name);
        } catch (error) {
            // Storage is switched off or full.
        }
    }

    function forget(name) {
        memory.delete(name);
        try {
            localStorage.removeItem(name);
        } catch (error) {
            // Nothing was kept.
        }
    }

    function stored() {
        try {
            return Object.keys(localStorage);
        } catch (error) {
            return [];
        }
    }

    function all(prefix) {
        return Array.from(new Set([...memory.keys(), ...stored()]))
            .filter((name) => name.startsWith(prefix))
            .map(load)
            .filter((record) => record && record.fields);
    }

    function bodyOf(record, more) {
        const body = new URLSearchParams(record.fields);
        Object.entries(more).forEach(([name, value]) => body.set(name, value));
        const token = document.querySelector("[name=csrfmiddlewaretoken]");
        body.set("csrfmiddlewaretoken", token ? token.value : "");
        return body;
    }

    /** Put the server's page in the place of this one; without script it would have come by itself. True if it has
        another path than this one. */
    function turnTo(page, target) {
        document.getElementById("content").replaceWith(page.getElementById("content"));
        document.title = page.title;
        const isElsewhere = target.pathname !== location.pathname;
        if (isElsewhere) {
            history.pushState(null, "", target);
        }
        return isElsewhere;
    }

    /** The outbox of a page. `differing` says what differs; from `headers` on it may be left out:
        kind, place()          of the names of its records, besides the person
        root()                 the element that holds the page, its words and `data-user`; null on other pages
        where()                a text that is another one when the person does something else
        compare                the order of its records
        buttonClass            of its buttons
        isOurs(fresh)          whether the server's page is one of these: else the person may have been signed out
        isSaved(answer, ours, fresh)  whether the server has the record now
        words(record)          the values of the record's sentence, which has the name of its state
        isListed(record)       false for what the person sees anyway
        calm()                 makes the page ready to send again
        and what it does then: notSent(inFront), saved(record, {answer, text, fresh}, inFront), turned(fresh, record)
        headers                of what it sends
        more()                 what it sends besides the record
        look(record)           how to look at it without sending it, or null
        lines()                further lines of the list
        and what it does then: discarded(record), allSent().
        `inFront`: the person waits for the answer: they asked for it, and are where they were then. */
    function openOutbox(differing) {
        const usual = { headers: {}, more: () => ({}), look: () => null, lines: () => [], discarded() {}, allSent() {} };
        const page = { ...usual, ...differing };
        const underway = new Set(); // records being sent, by name

        const prefix = () => page.kind + ":" + page.root().dataset.user + ":" + page.place() + "#";
        const kept = () => all(prefix()).sort(page.compare);

        function showKept() {
            const list = page.root().querySelector("[data-kept]");
            if (list) {
                const listed = kept().filter((record) => !underway.has(record.name) && page.isListed(record));
                const box = make("div", "kept-box alert stack");
                box.append(...page.lines(), ...listed.map(keptLine));
                list.replaceChildren(...(box.hasChildNodes() ? [box] : []));
            }
        }

        function line(sentence, ...parts) {
            const made = make("p", "kept-line flow");
            made.append(make("span", "", sentence), ...parts);
            return made;
        }

        function button(name, act) {
            const made = makeButton(page.buttonClass, word(page.root(), name), act);
            made.dataset.do = name;
            return made;
        }

        function keptLine(record) {
            const made = line(word(page.root(), record.state, page.words(record)), wayOn(record), discardButton(record));
            made.dataset.state = record.state;
            return made;
        }

        function wayOn(record) {
            if (record.state === "refused") {
                return button("reload", () => location.reload());
            }
            return button(record.state === "unsent" ? "send" : "look", page.look(record) || (() => send(record, true)));
        }

        function discardButton(record) {
            return button("discard", function (made) {
                if (made.dataset.sure) {
                    forget(record.name);
                    page.discarded(record);
                    showKept();
                    return;
                }
                made.dataset.sure = "yes";
                made.textContent = word(page.root(), "discard-sure");
            });
        }

        async function send(record, isAsked) {
            if (underway.has(record.name)) {
                return;
            }
            // What the server sent back before is settled by this try of the same.
            kept()
                .filter((each) => each.name !== record.name && each.state === "stopped" && each.what && each.what === record.what)
                .forEach((each) => forget(each.name));
            record.state = "unsent";
            keep(record);
            underway.add(record.name);
            const where = page.where();
            let answer = null;
            let text = "";
            const abort = new AbortController(); // AbortSignal.timeout is missing in iOS 15
            const timer = setTimeout(() => abort.abort(), PATIENCE);
            try {
                answer = await fetch(record.action, {
                    method: "POST",
                    headers: page.headers,
                    body: bodyOf(record, page.more()),
                    signal: abort.signal,
                });
                text = await answer.text();
            } catch (error) {
                answer = null;
            }
            clearTimeout(timer);
            underway.delete(record.name);
            const inFront = isAsked && page.where() === where;
            if (answer === null || answer.status >= 500) {
                page.calm();
                page.notSent(inFront);
                showKept();
            } else {
                answered(record, answer, text, inFront);
            }
        }

        function answered(record, answer, text, inFront) {
            const fresh = new DOMParser().parseFromString(text, "text/html");
            const isOurs = page.isOurs(fresh);
            if (page.isSaved(answer, isOurs, fresh)) {
                forgetIfSent(record);
                page.saved(record, { answer, text, fresh }, inFront);
                return;
            }
            record.state = isOurs ? "stopped" : "refused";
            record.why = Array.from(fresh.querySelectorAll("[data-wrong], .field-errors"), (each) =>
                each.textContent.trim().replace(/\s+/g, " "),
            ).join(" ");
            keep(record);
            if (isOurs && inFront) {
                page.turned(fresh, record);
            } else {
                page.calm();
                showKept();
            }
        }

        // The person may have typed on while the record was under way.
        function forgetIfSent(record) {
            const now = load(record.name);
            if (!now || JSON.stringify(now.fields) === JSON.stringify(record.fields)) {
                forget(record.name);
            }
        }

        /** Send what waits, one after the other. */
        async function sendAll() {
            if (!page.root()) {
                return;
            }
            for (const record of kept().filter((each) => each.state === "unsent")) {
                await send(record, false);
            }
            page.allSent();
        }

        /** To be called once, when the page is ready. */
        function begin() {
            // What the server refused to look at on an earlier page may be fine from this one.
            kept()
                .filter((record) => record.state === "refused")
                .forEach((record) => keep(Object.assign(record, { state: "unsent" })));
            sendAll();
        }

        window.addEventListener("online", sendAll);
        setInterval(sendAll, AGAIN);
        return { prefix, line, send, showKept, begin };
    }

    /** A log: entries that are sent one after the other, each until the server's answer names its key.

        An entry has `key`, `pressed` (this device's clock), `isTried`, and its `state`: unsent, conflict (others were
        first) or refused. The first that is not unsent holds up those behind it. `page` says what differs:
        prefix                 of the names of its entries
        address                to which they are sent
        isKept                 false: nothing is kept or sent, as in practice
        fieldsOf(entry)        what is sent, besides key and `ago`
        isVain(entry)          true if the entry means nothing where others were first
        answered(reply)        the server knows the entry: as saved, and then it is forgotten, or not
        changed()              something else happened to the entries */
    function openLog(page) {
        const inMemory = [];
        let isSending = false;
        let status = 0; // of the last answer that was none

        const entries = () => (page.isKept ? all(page.prefix + "#").sort((a, b) => (a.name < b.name ? -1 : 1)) : [...inMemory]);

        function add(fields) {
            const last = entries().pop();
            const number = last ? Number(last.name.split("#").pop()) + 1 : 1;
            const name = page.prefix + "#" + String(number).padStart(8, "0");
            const entry = { name, key: window.umaokaParts.newKey(), pressed: Date.now(), state: "unsent", fields };
            if (!page.isKept) {
                inMemory.push(entry);
            }
            change(entry);
            sendAll();
        }

        function change(entry) {
            if (page.isKept) {
                keep(entry);
            }
            page.changed();
        }

        function remove(entry) {
            forget(entry.name);
            inMemory.splice(0, inMemory.length, ...inMemory.filter((each) => each.name !== entry.name));
            page.changed();
        }

        /** The server's reply, or null where the network, a landing page or a server that is down answered. */
        async function ask(entry) {
            const abort = new AbortController();
            const timer = setTimeout(() => abort.abort(), PATIENCE);
            const ago = Math.max(0, Math.round((Date.now() - entry.pressed) / 1000));
            try {
                const answer = await fetch(page.address, {
                    method: "POST",
                    headers: { Accept: "application/json" },
                    body: bodyOf({ fields: page.fieldsOf(entry) }, { key: entry.key, ago }),
                    signal: abort.signal,
                });
                status = answer.redirected ? 403 : answer.status; // to the page to sign in
                const reply = await answer.json();
                return reply.saved === entry.key || reply.conflict || reply.refused ? reply : null;
            } catch (error) {
                return null;
            } finally {
                clearTimeout(timer);
            }
        }

        async function sendAll() {
            if (!page.isKept || isSending) {
                return;
            }
            isSending = true;
            status = 0;
            for (let [entry] = entries(); entry && entry.state === "unsent"; [entry] = entries()) {
                keep(Object.assign(entry, { isTried: true }));
                const reply = await ask(entry);
                if (reply === null) {
                    break;
                }
                const { saved, conflict, refused } = reply;
                if (saved || (conflict && page.isVain(entry))) {
                    forget(entry.name);
                } else {
                    keep(Object.assign(entry, { state: conflict ? "conflict" : "refused", conflict, why: refused }));
                }
                page.answered(reply);
            }
            isSending = false;
            page.changed();
        }

        if (page.isKept) {
            window.addEventListener("online", sendAll);
            window.addEventListener("pageshow", sendAll);
            document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && sendAll());
            setInterval(sendAll, AGAIN);
        }
        return { entries, add, change, remove, sendAll, status: () => status, isSending: () => isSending };
    }

    window.umaokaOutbox = { load, keep, forget, turnTo, openOutbox, openLog };
})();
