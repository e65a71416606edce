/* A named screen in the hall, opened once and left alone: it asks for its version while in view, takes its new content, and
   turns its parts. It goes on by itself when the server or the network is back, and loads itself again after an update of
   the server. A touch stops the turning for a minute, so that a part can be read. */
(function () {
    "use strict";
    const EVERY = 1000; // milliseconds
    const TURN = 12000;
    const READING = 60000;
    const PATIENCE = 8000; // until an answer counts as lost
    const CODES = 5000;
    const LOST = 10000; // without an answer until the screen says so
    let turned = Date.now();
    let heard = Date.now();
    let reading = 0;
    let isBusy = false;
    let codes = null; // of the open rounds, as the server wrote them
    let asked = 0;

    async function ask(address) {
        const stop = new AbortController();
        const timer = setTimeout(() => stop.abort(), PATIENCE);
        try {
            const answer = await fetch(address, { cache: "no-cache", credentials: "same-origin", signal: stop.signal });
            return answer.ok && !answer.redirected ? await answer.text() : null;
        } finally {
            clearTimeout(timer);
        }
    }

    async function renew(number) {
        const text = await ask(location.pathname + "?page=" + number);
        const fresh = text && new DOMParser().parseFromString(text, "text/html").getElementById("screen");
        if (fresh) {
            document.getElementById("screen").replaceWith(fresh);
            document.documentElement.setAttribute("data-bs-theme", fresh.dataset.theme);
            showCodes();
            turned = Date.now();
        }
    }

    function showCodes() {
        const place = document.querySelector("[data-codes]");
        if (place && codes) {
            place.replaceWith(codes.cloneNode(true));
        }
    }

    /* The key of the codes is the part of the address that is not sent, so that the page itself is the same for all. */
    async function lookForCodes(screen) {
        const key = location.hash.slice(1);
        if (!/^[0-9a-f]+$/.test(key) || Date.now() - asked < CODES) {
            return;
        }
        asked = Date.now();
        const text = await ask(screen.dataset.codesUrl + key + "/");
        codes = text && new DOMParser().parseFromString(text, "text/html").querySelector("[data-codes]");
        showCodes();
    }

    async function look() {
        const screen = document.getElementById("screen");
        const text = await ask(screen.dataset.versionUrl);
        if (text === null) {
            return;
        }
        await lookForCodes(screen);
        const now = JSON.parse(text);
        heard = Date.now();
        if (now.release !== screen.dataset.release) {
            location.reload();
        } else if (now.revision !== screen.dataset.revision) {
            await renew(screen.dataset.page);
        } else if (screen.dataset.following !== screen.dataset.page && Date.now() - turned > TURN && Date.now() > reading) {
            await renew(screen.dataset.following);
        }
    }

    async function tick() {
        if (isBusy || document.visibilityState !== "visible") {
            return;
        }
        isBusy = true;
        try {
            await look();
        } catch (error) {
            // No network, or no server: the next tick asks again.
        }
        isBusy = false;
        document.querySelectorAll("[data-lost]").forEach((place) => (place.hidden = Date.now() - heard < LOST));
    }

    for (const kind of ["pointerdown", "keydown", "wheel"]) {
        document.addEventListener(kind, () => (reading = Date.now() + READING), { passive: true });
    }
    document.addEventListener("visibilitychange", tick);
    setInterval(tick, EVERY);
})();
