/* An evening: the search finds absent players and moves them to the present ones. Enter in a score sheet goes on to the
   next score and saves after the last. Score sheets keep their input while other buttons load the page again. */
(function () {
    "use strict";

    const search = document.querySelector("[data-filters='people']");
    const absent = document.querySelector("[data-people='absent']");
    const fold = absent && absent.closest("details");
    const wasOpen = fold && fold.open;

    function filter() {
        const typed = search.value.trim();
        absent.querySelectorAll(".person").forEach((person) => {
            person.hidden = !window.umaokaFolding.hasName(typed, person.dataset.name);
        });
        fold.open = typed ? true : wasOpen;
    }

    /* Move each player to the right list. Called after a search only, so that nothing moves under a finger. */
    function sort() {
        sizes.replaceSync("");
        document.querySelectorAll("[data-people] .person").forEach((person) => {
            const list = document.querySelector("[data-people='" + (person.matches(".is-on") ? "here" : "absent") + "']");
            if (person.parentElement !== list) {
                list.append(person);
                person.hidden = false;
            }
        });
    }

    /* A tapped player keeps their place in the window and their size, whatever the answer changes there and above. */
    const sizes = new CSSStyleSheet();
    let before = 0;
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sizes];

    document.addEventListener("htmx:beforeSwap", function ({ detail: { target } }) {
        if (target.matches(".person")) {
            const { top, width, height } = target.getBoundingClientRect();
            before = top;
            sizes.insertRule(`#${target.id} :is(form, button) { width: ${width}px; height: ${height}px; overflow: hidden; }`);
        }
    });
    document.addEventListener("htmx:afterSwap", function ({ detail: { target } }) {
        if (target.matches(".person") && !document.querySelector("#messages .alert:not([hidden])")) {
            window.scrollBy(0, document.getElementById(target.id).getBoundingClientRect().top - before);
        }
    });

    if (search) {
        let isTyped = false; // Enter in the search chose the player, who then moves to the present ones
        search.hidden = false;
        search.addEventListener("focus", () => search.select());
        search.addEventListener("input", function () {
            sort();
            filter();
        });
        search.addEventListener("keydown", function (event) {
            const first = absent.querySelector(".person:not([hidden]) button");
            if (event.key === "Enter" && !event.isComposing && search.value.trim() && first) {
                event.preventDefault();
                isTyped = true;
                first.click();
            }
        });
        fold.addEventListener("toggle", () => fold.open || sort());
        document.addEventListener("htmx:afterSettle", function () {
            if (isTyped) {
                isTyped = false;
                search.value = "";
                sort();
                filter();
                search.focus();
            }
        });
    }

    /** The next score or name in the sheet that is empty, from this field on. */
    function nextEmpty(slip, from) {
        const fields = [...slip.querySelectorAll("input[type='text']:not([name='sticks'], [name$='_chips'])")];
        return fields.slice(fields.indexOf(from) + 1).find((field) => !field.value.trim());
    }

    document.addEventListener("keydown", (event) => {
        const slip = event.target.closest("form.slip");
        if (event.key !== "Enter" || event.isComposing || !slip || event.target.type !== "text") {
            return;
        }
        const next = nextEmpty(slip, event.target);
        if (next) {
            event.preventDefault();
            next.focus();
        }
    });

    // --- what is typed into slips: kept in this tab, by the table of the slip

    function recordOf(slip) {
        return "umaoka-slip:" + slip.getAttribute("action") + ":" + slip.elements.table.value;
    }

    function fieldsOf(slip) {
        return [...slip.querySelectorAll("input[type='text'], select")];
    }

    function keep(slip, isSent) {
        const values = Object.fromEntries(fieldsOf(slip).map((field) => [field.name, field.value]));
        try {
            sessionStorage.setItem(recordOf(slip), JSON.stringify({ isSent, values }));
        } catch (error) {
            // storage may be full or switched off: then nothing is kept
        }
    }

    function restore(slip) {
        const record = JSON.parse(sessionStorage.getItem(recordOf(slip)));
        if (slip.querySelector("[role='alert'], [aria-invalid], [name='sure']")) {
            keep(slip, false); // it was refused, and the server knows what was typed
        } else if (record && record.isSent && !isBack) {
            sessionStorage.removeItem(recordOf(slip)); // it arrived: this page came after it
        } else if (record) {
            fieldsOf(slip).forEach((field) => (field.value = record.values[field.name] ?? field.value));
            if (slip.closest("details")) {
                slip.closest("details").open = true;
            }
        }
    }

    const [loaded] = performance.getEntriesByType("navigation");
    const isBack = loaded && loaded.type === "back_forward"; // from the browser's own page on a lost network
    ["input", "submit"].forEach((event) =>
        document.addEventListener(event, function ({ target }) {
            const slip = target.closest("form.slip");
            if (slip) {
                keep(slip, event === "submit");
            }
        }),
    );
    try {
        document.querySelectorAll("form.slip").forEach(restore);
    } catch (error) {
        // storage is switched off
    }

    const begun = document.querySelector("form.slip [autofocus]:not([aria-invalid])");
    if (begun && begun.value && begun.type === "text" && !begun.form.querySelector("[role='alert']")) {
        (nextEmpty(begun.form, begun) || begun).focus();
    } else if (begun && begun.select) {
        begun.select();
    }
})();
