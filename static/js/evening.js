/* The search among the cards of players, without which all cards are shown; Enter in a slip, which goes on to the next
   thing that is empty and saves when nothing is; and what is typed into slips, which stays while other buttons load
   the page again. */
(function () {
    "use strict";
    let typed = "";

    function filter() {
        const field = document.querySelector("[data-filters='people']");
        if (!field) {
            return; // the page of a slip alone
        }
        field.hidden = false;
        field.value = typed;
        document.querySelectorAll(".person-card").forEach((card) => {
            card.hidden = !card.dataset.name.toLowerCase().includes(typed.trim().toLowerCase());
        });
    }

    document.addEventListener("input", (event) => {
        if (event.target.matches("[data-filters='people']")) {
            typed = event.target.value;
            filter();
        }
    });
    /* A card that was tapped is found; the next search begins with nothing. */
    document.addEventListener("htmx:afterSettle", () => {
        typed = "";
        filter();
    });
    filter();

    document.addEventListener("keydown", (event) => {
        const slip = event.target.closest("form.slip");
        if (event.key !== "Enter" || event.isComposing || !slip || event.target.type !== "text") {
            return;
        }
        const fields = [...slip.querySelectorAll("input[type='text']:not([name='sticks'], [name$='_chips'])")];
        const next = fields.slice(fields.indexOf(event.target) + 1).find((field) => !field.value.trim());
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
            const fold = slip.closest("details");
            if (fold) {
                fold.open = true;
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
})();
