/* A number pad below a score sheet on a phone: the device's own keyboard stays away, so that the whole sheet is in view.
   Used by js/sheet.js, which says what a press changes. A keyboard that is attached types as ever. */
(function () {
    "use strict";

    const { makeButton } = window.umaokaParts;
    const KEYS = ["1", "2", "3", "delete", "4", "5", "6", "0", "7", "8", "9", "next"];
    const SHOWN = { delete: "⌫", next: "→" };

    /** Builds the pad of a form. `inputs`: those that it types in, in their order. `word(name)`: a sentence of the
        page. `changed()` is called after each digit, `go(input)` to move on. */
    function prepare(form, { inputs, word, changed, go }) {
        const pad = form.querySelector("[data-keys]");
        let current = inputs.find((input) => input === document.activeElement) || inputs[0];
        let isFresh = true; // the first digit replaces what was there

        inputs.forEach(function (input) {
            input.inputMode = "none";
            input.addEventListener("focus", function () {
                isFresh = isFresh || current !== input;
                current = input;
            });
        });

        function press(key) {
            if (key === "next") {
                const at = inputs.indexOf(current);
                go(inputs[(at + 1) % inputs.length]);
                return;
            }
            const there = current.value.trim();
            if (key === "delete") {
                current.value = there.slice(0, -1);
            } else {
                current.value = (isFresh && there !== "-" ? "" : there) + key;
            }
            isFresh = false;
            changed();
        }

        KEYS.forEach(function (key) {
            const button = makeButton("btn at-key", SHOWN[key] || key, () => press(key));
            button.dataset.key = key;
            button.tabIndex = -1; // the inputs are the keyboard's way
            if (SHOWN[key]) {
                button.setAttribute("aria-label", word(key));
            }
            button.addEventListener("pointerdown", (event) => event.preventDefault()); // the input keeps the focus
            pad.append(button);
        });
        pad.hidden = false;
    }

    window.umaokaPad = { prepare };
})();
