/* Clocks that count down to the end of a round's time, and the time that someone has waited.
   The device's own clock may be wrong: the server's is asked once (its Date header) and the difference kept. Without
   this file the page tells when the time ends, and since when someone waits. */
(function () {
    "use strict";
    const SECOND = 1000;
    let ahead = 0; // milliseconds by which the server's clock is before ours

    async function ask() {
        const live = document.getElementById("live");
        const address = live ? live.dataset.revisionUrl : window.location.href; // a small answer, where there is one
        try {
            const sent = Date.now();
            const answer = await fetch(address, { method: "HEAD", cache: "no-store", credentials: "same-origin" });
            const theirs = Date.parse(answer.headers.get("Date") || "");
            const arrived = Date.now();
            if (Number.isFinite(theirs)) {
                ahead = theirs + SECOND / 2 - (sent + arrived) / 2; // the header has whole seconds
            }
        } catch (error) {
            // No network: our own clock has to do.
        }
        tick();
    }

    function left(clock, now) {
        const rests = clock.dataset.rests;
        return rests === undefined ? Math.ceil(Number(clock.dataset.ends) - now) : Number(rests);
    }

    function words(seconds) {
        const minutes = Math.floor(seconds / 60);
        return minutes + ":" + String(seconds % 60).padStart(2, "0");
    }

    function tick() {
        const now = (Date.now() + ahead) / SECOND;
        document.querySelectorAll("[data-clock]").forEach(function (clock) {
            const seconds = left(clock, now);
            const shown = clock.querySelector("[data-left]");
            const plain = clock.querySelector("[data-plain]");
            shown.hidden = false;
            shown.textContent = seconds > 0 ? words(seconds) : clock.dataset.zero;
            clock.classList.toggle("clock-over", seconds <= 0);
            if (plain) {
                plain.hidden = true;
            }
        });
        document.querySelectorAll("[data-since][data-words]").forEach(function (place) {
            place.textContent = " · " + place.dataset.words.replace("#", words(Math.max(0, Math.floor(now - Number(place.dataset.since)))));
        });
    }

    ask();
    setInterval(tick, SECOND);
    // What came new from the server (js/live.js) shows its clock at once, not with the next second.
    new MutationObserver(function (changes) {
        const isNew = (node) => node.nodeType === Node.ELEMENT_NODE && node.querySelector("[data-left][hidden], [data-since]:empty");
        if (changes.some((change) => Array.from(change.addedNodes).some(isNew))) {
            tick();
        }
    }).observe(document.body, { childList: true, subtree: true });
    document.addEventListener("visibilitychange", function () {
        if (document.visibilityState === "visible") {
            ask();
        }
    });
})();
