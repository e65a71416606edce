/* Calls for a referee, on every page of theirs: a new one sounds, vibrates and counts in the title of the page.
   The first call of the page's competition lies over the head of the page, so that nothing moves, until it is put away
   on this device. All others are a number in the head. The desk and the queue have their own list, which js/live.js
   brings, and ask here for the number alone. Pages ask while they are in view, from the first page of a competition
   where the person referees until the server says that none of theirs is in play.
   An unchanged answer is a 304. Browsers let a page sound only after it was tapped. */
(function () {
    "use strict";

    const EVERY = 2000; // milliseconds
    const EVERY_NUMBER = 10000; // … where the page has its own list
    const MOST_AWAY = 100; // calls that this device remembers as put away
    const REFEREES = "umaoka-referees";
    const strip = document.querySelector("[data-calls]");
    const title = document.title;
    const KNOWN = "umaoka-calls"; // the calls that were seen in this tab
    const AWAY = "umaoka-calls-away"; // the calls that were put away on this device
    const hasList = document.querySelector("[data-alerts]") !== null;
    const putAway = []; // the same in this page, where storage is switched off
    let sound = null;
    let last = "";
    let timer = 0;

    /** Storage may be switched off: then only the pages of the competition ask. */
    function attempt(act) {
        try {
            return act();
        } catch (error) {
            return null;
        }
    }

    function waiting() {
        return Array.from(document.querySelectorAll("[data-call][data-waits]"), (call) => call.dataset.call);
    }

    /** Two short tones. */
    function ring() {
        sound = sound || new AudioContext(); // allowed where the page before was tapped
        [0, 0.3].forEach(function (later) {
            const tone = sound.createOscillator();
            const volume = sound.createGain();
            volume.gain.value = 0.2;
            tone.frequency.value = 880;
            tone.connect(volume).connect(sound.destination);
            tone.start(sound.currentTime + later);
            tone.stop(sound.currentTime + later + 0.2);
        });
    }

    function look() {
        const now = [...new Set(waiting())];
        const known = attempt(() => sessionStorage.getItem(KNOWN));
        const isNew = known !== null && now.some((call) => !known.split(" ").includes(call));
        attempt(() => sessionStorage.setItem(KNOWN, now.join(" ")));
        document.title = now.length > 0 ? "(" + now.length + ") " + title : title;
        if (isNew) {
            ring();
            if (navigator.vibrate) {
                navigator.vibrate([200, 100, 200]);
            }
            document.dispatchEvent(new Event("called"));
        }
    }

    /** The time that each has waited, where js/clock.js does not count it. */
    function count() {
        strip.querySelectorAll("[data-since]").forEach(function (place) {
            const seconds = Math.max(0, Math.floor(Date.now() / 1000 - Number(place.dataset.since)));
            const time = Math.floor(seconds / 60) + ":" + String(seconds % 60).padStart(2, "0");
            place.textContent = " · " + place.dataset.words.replace("#", time);
        });
    }

    function awayCalls() {
        return [...putAway, ...(attempt(() => localStorage.getItem(AWAY)) || "").split(" ")];
    }

    /** Shows the first call that was not put away, and the number of all others. */
    function show() {
        strip.replaceChildren(...new DOMParser().parseFromString(last, "text/html").body.childNodes);
        const bar = strip.querySelector(".call-bar");
        if (bar && hasList) {
            bar.remove();
        }
        const away = awayCalls();
        const calls = Array.from(strip.querySelectorAll(".call"));
        const first = calls.find((call) => !away.includes(call.dataset.call));
        calls.forEach((call) => (call.hidden = call !== first));
        strip.classList.toggle("calls-away", !first);
        const rest = strip.querySelectorAll("a[data-call]");
        const number = calls.length - (first ? 1 : 0) + rest.length;
        const queue = bar && bar.querySelector("[data-calls-number]").href;
        const words = document.querySelector("[data-words][data-calls-number]");
        document.querySelectorAll("[data-calls-number]").forEach(function (link) {
            link.hidden = number === 0;
            link.textContent = number;
            link.href = calls.length > (first ? 1 : 0) || !rest.length ? queue || link.href : rest[0].href;
            link.title = words.dataset.words.replace("#", number);
            link.setAttribute("aria-label", link.title);
        });
        strip.querySelectorAll("[name=next]").forEach((field) => (field.value = location.pathname + location.search));
        document.documentElement.style.scrollPaddingTop = first ? bar.offsetHeight + "px" : "";
        count();
    }

    async function ask() {
        if (document.visibilityState !== "visible") {
            return;
        }
        try {
            const answer = await fetch(strip.dataset.calls, { cache: "no-cache", credentials: "same-origin" });
            if (answer.status === 204 || answer.redirected) {
                clearInterval(timer);
                attempt(() => localStorage.removeItem(REFEREES));
                last = "";
                show();
                return;
            }
            const text = answer.ok ? await answer.text() : last;
            if (text !== last) {
                last = text;
                show();
                look();
            }
        } catch (error) {
            // No network: the next look comes by itself.
        }
    }

    // Phones take a tap for this when it ends, and switch the sound off with the screen.
    document.addEventListener("click", function (event) {
        sound = sound || new AudioContext();
        sound.resume().catch(() => undefined);
        if (event.target.closest("[data-put-away]")) {
            const calls = Array.from(strip.querySelectorAll(".call"), (call) => call.dataset.call);
            putAway.push(...calls);
            attempt(() => localStorage.setItem(AWAY, awayCalls().slice(-MOST_AWAY).join(" ")));
            show();
            document.querySelector("[data-words][data-calls-number]").focus();
        }
    });
    if (hasList) {
        document.addEventListener("renewed", look);
    }
    if ("referees" in strip.dataset || attempt(() => localStorage.getItem(REFEREES))) {
        attempt(() => localStorage.setItem(REFEREES, "yes"));
        timer = setInterval(ask, hasList ? EVERY_NUMBER : EVERY);
        setInterval(count, 1000);
        document.addEventListener("visibilitychange", ask);
        ask().then(() => hasList && look());
    }
})();
