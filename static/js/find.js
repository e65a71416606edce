/* The search of the organizer's page: typed words leave the links that have them all. Without this file the fold shows every link. */
(function () {
    "use strict";

    const form = document.querySelector("[data-find]");
    if (!form) {
        return;
    }
    const input = form.querySelector("input");
    const fold = document.getElementById(form.dataset.find);
    const none = fold.querySelector("[data-none]");
    const plain = (text) => " " + text.normalize("NFKC").toLowerCase().replace(/[\s,.·’-]+/g, " ");
    /* Latin words are found by how they begin, others anywhere. */
    const holds = (text, word) => text.includes(/^[a-z0-9]/.test(word) ? " " + word : word);
    const sections = Array.from(fold.querySelectorAll("section"), (section) => ({
        section,
        isDoor: "door" in section.dataset,
        items: Array.from(section.querySelectorAll("li"), (item) => ({
            item,
            text: plain(item.textContent + " " + item.dataset.also),
        })),
    }));

    function show() {
        const words = plain(input.value).split(/\s+/).filter(Boolean);
        let found = 0;
        sections.forEach(({ section, isDoor, items }) => {
            let here = 0;
            items.forEach(({ item, text }) => {
                item.hidden = !words.every((word) => holds(text, word));
                here += item.hidden ? 0 : 1;
            });
            /* What stands behind a door is only shown if it is searched for. */
            section.hidden = here === 0 || (isDoor && words.length === 0);
            found += here;
        });
        none.hidden = found > 0;
        if (words.length > 0) {
            fold.open = true;
        }
    }

    input.addEventListener("input", show);
    form.addEventListener("submit", function (event) {
        event.preventDefault();
        const first = input.value.trim() && fold.querySelector("section:not([hidden]) li:not([hidden]) a");
        if (first) {
            location.assign(first.href);
        }
    });
    show();
})();
