/* The search among the cards of players, without which all cards are shown; and Enter in a slip, which goes on to
   the next thing that is empty and saves when nothing is. */
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
})();
