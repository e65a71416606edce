/* The search among the cards of players; without it all cards are shown. */
(function () {
    "use strict";
    let typed = "";

    function filter() {
        const field = document.querySelector("[data-filters='people']");
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
})();
