/* Chooses the size of the letters in a list on the wall: the largest at which all rows fit and no name is cut off.
   Without this script the lists have the size of the style sheet. */
(function () {
    "use strict";
    const WIDE = window.matchMedia("(min-width: 700.02px)");
    const LISTS = ".screen > .screen-ranks, .screen > .seating-names, .screen > .seating-tables, .screen > .screen-tables";
    const NAMES = ".seating-who, .hall-name";
    const SMALLEST = 0.6; // of the page's letters
    const LARGEST = 4;
    const TRIES = 8; // each halves what is left between the two

    function isCut(name) {
        const content = document.createRange();
        content.selectNodeContents(name);
        return content.getBoundingClientRect().width > name.getBoundingClientRect().width + 0.01;
    }

    function fits(list) {
        const page = document.documentElement;
        return page.scrollHeight <= window.innerHeight && page.scrollWidth <= page.clientWidth && !Array.from(list.querySelectorAll(NAMES)).some(isCut);
    }

    function fit(list) {
        let small = SMALLEST;
        let large = LARGEST;
        for (let tries = 0; tries < TRIES; tries++) {
            const size = (small + large) / 2;
            list.style.fontSize = size + "em";
            if (fits(list)) {
                small = size;
            } else {
                large = size;
            }
        }
        list.style.fontSize = small + "em";
    }

    function fitAll() {
        document.querySelectorAll(LISTS).forEach((list) => (WIDE.matches ? fit(list) : list.style.removeProperty("font-size")));
    }

    fitAll();
    document.fonts.ready.then(fitAll);
    window.addEventListener("resize", fitAll);
    // A new part takes the place of the whole screen (js/screen.js, htmx).
    new MutationObserver(fitAll).observe(document.body, { childList: true });
})();
