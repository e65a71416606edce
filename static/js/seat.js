/* Helps while a round is seated; everything works without it, and the server checks again. */
(function () {
    "use strict";

    /* By hand: Enter goes to the next seat, and a name that occurs twice is marked at once. */
    const form = document.querySelector("[data-seat-form]");
    if (form) {
        const inputs = Array.from(form.querySelectorAll("input[list]"));

        /* As templates/core/_field_errors.html says what the server found; that stays until the form is sent again. */
        const say = function (input, twice) {
            const id = input.id + "_twice";
            const shown = document.getElementById(id);
            const found = document.getElementById(input.id + "_error");
            if (shown && !twice) {
                shown.remove();
            } else if (twice && !shown) {
                const list = document.createElement("ul");
                const line = document.createElement("li");
                list.id = id;
                list.className = "field-errors";
                line.textContent = form.dataset.twice;
                list.append(line);
                input.after(list);
            }
            input.classList.toggle("is-invalid", twice || found !== null);
            if (twice || found) {
                input.setAttribute("aria-invalid", "true");
                input.setAttribute("aria-describedby", [found && found.id, twice && id].filter(Boolean).join(" "));
            } else {
                input.removeAttribute("aria-invalid");
                input.removeAttribute("aria-describedby");
            }
        };
        const mark = function () {
            const seen = new Map();
            inputs.forEach(function (input) {
                const name = window.umaokaFolding.exactKey(input.value);
                seen.set(name, (seen.get(name) || 0) + 1);
            });
            inputs.forEach(function (input) {
                const twice = input.value.trim() !== "" && seen.get(window.umaokaFolding.exactKey(input.value)) > 1;
                say(input, twice);
            });
        };
        inputs.forEach(function (input, position) {
            input.addEventListener("input", mark);
            input.addEventListener("keydown", function (event) {
                const next = inputs[position + 1];
                if (event.key === "Enter" && !event.isComposing && next) {
                    event.preventDefault();
                    next.focus();
                    next.select();
                }
            });
        });
    }

    /* At random: how many are too many, while ticking who plays. */
    const fold = document.querySelector("[data-who-plays]");
    if (fold) {
        const line = fold.querySelector("[data-count]");
        const count = function () {
            const over = fold.querySelectorAll("input[name='plays']:checked").length % 4;
            line.textContent = over ? fold.dataset.over.replace("{over}", over) : fold.dataset.fits;
        };
        fold.addEventListener("change", count);
        count();
    }
})();
