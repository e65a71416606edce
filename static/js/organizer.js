/* Helps on the organizer's forms; all of them work without it. */
(function () {
    "use strict";
    const { make, makeButton } = window.umaokaParts;

    /* The keyboard goes to what is wrong first, unfolded if need be. */
    const wrong = document.querySelector("main [aria-invalid='true']");
    if (wrong) {
        for (let fold = wrong.closest("details"); fold; fold = fold.parentElement.closest("details")) {
            fold.open = true;
        }
        wrong.focus();
    }

    /* The browser knows its time zone: chosen where nothing better is known. */
    const zone = document.querySelector("input[data-guess='yes']");
    if (zone && zone.value === "UTC") {
        const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
        const found = Array.from(zone.list.options).find((option) => option.label === here);
        if (found) {
            zone.value = found.value;
        }
    }

    /* Another rule book fills its values in, except where the organizer typed something else. */
    const fold = document.querySelector("[data-prefills]");
    if (fold) {
        const prefills = JSON.parse(fold.dataset.prefills);
        const form = fold.closest("form");
        const source = form.querySelector("[name='prefilled']");
        const text = (value) => (value === null ? "" : String(value));

        const follow = function (slug) {
            const before = prefills[source.value];
            const after = prefills[slug];
            if (!before || !after) {
                return; // prefilled from a competition's own values: they are the organizer's
            }
            Object.keys(after).forEach(function (name) {
                const input = form.elements[name];
                if (input.type === "checkbox") {
                    input.checked = input.checked === before[name] ? after[name] : input.checked;
                } else if (input.value.trim() === text(before[name]).trim()) {
                    input.value = text(after[name]);
                }
            });
            source.value = slug;
        };
        /* Of the open questions only those of the rules that are chosen. */
        const ask = function (slug) {
            form.querySelectorAll("[data-asked]").forEach(function (asked) {
                asked.hidden = asked.dataset.asked !== slug;
            });
        };
        form.querySelectorAll("[name='preset']").forEach(function (radio) {
            radio.addEventListener("change", function () {
                follow(radio.value);
                ask(radio.value);
            });
        });
        ask(form.elements.preset.value);
    }

    /* Tie-breaks move up and down with buttons. */
    const ties = document.querySelector("[data-ties]");
    if (ties) {
        const selects = Array.from(ties.querySelectorAll("select"));
        const swap = function (from, to) {
            const kept = selects[from].value;
            selects[from].value = selects[to].value;
            selects[to].value = kept;
            selects[to].focus();
        };
        const button = function (label, sign, from, to) {
            const made = makeButton("btn", sign, () => swap(from, to));
            made.setAttribute("aria-label", label);
            made.title = label;
            made.disabled = to < 0 || to >= selects.length;
            return made;
        };
        selects.forEach(function (select, position) {
            const row = make("div", "flow mb-2");
            select.before(row);
            select.classList.add("rest");
            row.append(
                select,
                button(ties.dataset.up, "↑", position, position - 1),
                button(ties.dataset.down, "↓", position, position + 1),
            );
        });
    }
})();
