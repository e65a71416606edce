/* Making a seating: shows what belongs to the chosen method, counts who plays, and follows a search.
   Everything works without it: the button “Search on” does by hand what this does by itself. */
(function () {
    "use strict";

    const ask = document.querySelector("[data-seating-ask]");
    if (ask) {
        const chosen = (name) => (ask.querySelector("input[name='" + name + "']:checked") || {}).value || "";
        const show = function () {
            ask.querySelectorAll("[data-method]").forEach(function (part) {
                part.hidden = !part.dataset.method.split(" ").includes(chosen("method"));
            });
            ask.querySelectorAll("[data-sit-out]").forEach(function (part) {
                part.hidden = part.dataset.sitOut !== chosen("sit_out");
            });
        };
        ask.addEventListener("change", show);
        show();

        const fold = ask.querySelector("[data-playing]");
        const count = function () {
            const playing = fold.querySelectorAll("input[name='plays']:checked").length;
            const over = playing % 4;
            const words = fold.dataset.playing.replace("{playing}", playing);
            const odd = fold.dataset.over.replace("{over}", over).replace("{short}", 4 - over);
            fold.querySelector("[data-count]").textContent = "· " + words + (over ? " · " + odd : "");
        };
        fold.addEventListener("change", count);
        fold.addEventListener("htmx:afterSettle", count); // other ticks came
        count();

        ask.addEventListener("submit", function () {
            const button = ask.querySelector("button[type='submit']");
            button.textContent = ask.dataset.busy;
            window.setTimeout(() => (button.disabled = true), 0); // after the browser has read the form
        });
        window.addEventListener("pageshow", function (event) {
            if (event.persisted) {
                window.location.reload(); // come back to: its button would stay disabled
            }
        });
    }

    /* Numbers drawn in the hall: a scanner types a player or a number and Enter; the second of the two fills the
       number in beside the name. */
    const numbers = document.querySelector("[data-numbers]");
    if (numbers) {
        const lines = Array.from(numbers.querySelectorAll("[data-player]"));
        const input = (line) => line.querySelector("input");
        const field = numbers.querySelector("#scan");
        const said = numbers.querySelector("[data-said]");
        let player = null;
        let number = "";
        const find = function (text) {
            const { exactKey, isOneName } = window.umaokaFolding;
            const named = (test) => lines.filter((line) => line.dataset.player.split("|").some((name) => name && test(name)));
            const exact = named((name) => exactKey(name) === exactKey(text));
            const found = exact.length ? exact : named((name) => isOneName(name, text));
            return found.length === 1 ? found[0] : null;
        };
        const isFree = (text) => /^[1-9][0-9]{0,3}$/.test(text) && Number(text) <= lines.length && !lines.some((line) => input(line).value === text);
        const count = function () {
            const drawn = lines.filter((line) => input(line).value).length;
            numbers.querySelector("[data-numbers-count]").textContent = drawn + " / " + lines.length;
        };
        numbers.querySelector("[data-scan-part]").hidden = false;
        numbers.addEventListener("input", count);
        count();
        field.addEventListener("keydown", function (event) {
            if (event.key !== "Enter" || event.isComposing) {
                return;
            }
            event.preventDefault();
            const text = field.value.trim();
            const line = find(text);
            field.value = "";
            if (isFree(text) && (!number || !line)) {
                number = text;
            } else if (line) {
                player = line;
            } else if (text) {
                said.textContent = numbers.dataset.unknown.replace("{text}", text);
                return;
            }
            said.textContent = text && text + " …";
            if (player && number) {
                input(player).value = number;
                const name = player.querySelector("label").textContent;
                said.textContent = numbers.dataset.entered.replace("{name}", name).replace("{number}", number);
                player = null;
                number = "";
                count();
            }
        });
        field.focus();
    }

    /* A search, which goes on without the page: it asks how far the search is, and is made again when it ends. */
    const PAUSE = 1000; // milliseconds between two questions
    const AWAY = 5000; // … when the network is gone

    async function askProgress() {
        const part = document.getElementById("search");
        const form = part && part.querySelector("[data-search-form]");
        if (!form || part.dataset.running !== "yes") {
            return;
        }
        const lost = part.querySelector("[data-search-lost]");
        const body = new FormData(form);
        body.set("do", "on");
        let answer;
        try {
            answer = await fetch(form.action, {
                method: "POST",
                body: body,
                credentials: "same-origin",
                headers: { "X-Requested-With": "fetch" },
            });
        } catch (error) {
            lost.hidden = false;
            window.setTimeout(askProgress, AWAY);
            return;
        }
        if (!answer.ok || answer.status === 204) {
            window.location.reload();
            return;
        }
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("search");
        if (!fresh || fresh.dataset.running !== "yes") {
            window.location.reload();
            return;
        }
        if (leaving) {
            return;
        }
        const focused = part.contains(document.activeElement) ? document.activeElement.value : "";
        part.replaceWith(fresh);
        hide(fresh);
        if (focused) {
            const again = fresh.querySelector("button[value='" + focused + "']");
            if (again) {
                again.focus();
            }
        }
        window.setTimeout(askProgress, PAUSE);
    }

    let leaving = false;
    function hide(part) {
        const on = part.querySelector("[data-search-on]");
        if (on) {
            on.hidden = true;
        }
    }
    const part = document.getElementById("search");
    if (part && part.dataset.running === "yes") {
        document.addEventListener("submit", () => (leaving = true));
        hide(part);
        document.querySelectorAll("[data-of-the-plan]").forEach(function (old) {
            old.hidden = true; // of the plan that was the best when the page was made
        });
        window.setTimeout(askProgress, PAUSE);
    }
})();
