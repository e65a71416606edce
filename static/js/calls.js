/* Calls for a referee, on every page of theirs: a new one sounds, vibrates and counts in the title of the page.
   The desk and the queue have their own list, which js/live.js brings. Other pages ask for it here while they are in view,
   from the first page of a competition where the person referees until the server says that none of theirs is in play.
   An unchanged answer is a 304. Browsers let a page sound only after it was tapped. */
(function () {
    "use strict";

    const EVERY = 2000; // milliseconds
    const REFEREES = "umaoka-referees";
    const strip = document.querySelector("[data-calls]");
    const title = document.title;
    const KNOWN = "umaoka-calls"; // the calls that were seen in this tab
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
        const now = waiting();
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

    async function ask() {
        if (document.visibilityState !== "visible") {
            return;
        }
        try {
            const answer = await fetch(strip.dataset.calls, { cache: "no-cache", credentials: "same-origin" });
            if (answer.status === 204 || answer.redirected) {
                clearInterval(timer);
                attempt(() => localStorage.removeItem(REFEREES));
                strip.replaceChildren();
                return;
            }
            const text = answer.ok ? await answer.text() : last;
            if (text !== last) {
                const height = last ? strip.offsetHeight : null;
                last = text;
                strip.replaceChildren(...new DOMParser().parseFromString(text, "text/html").body.childNodes);
                strip.querySelectorAll("[name=next]").forEach((field) => (field.value = location.pathname + location.search));
                count();
                if (height !== null) {
                    window.scrollBy(0, strip.offsetHeight - height); // nothing moves below a thumb
                }
                look();
            }
        } catch (error) {
            // No network: the next look comes by itself.
        }
    }

    // Phones take a tap for this when it ends, and switch the sound off with the screen.
    document.addEventListener("click", function () {
        sound = sound || new AudioContext();
        sound.resume().catch(() => undefined);
    });
    if (document.querySelector("[data-alerts]")) {
        document.addEventListener("renewed", look);
        look();
    } else if ("referees" in strip.dataset || attempt(() => localStorage.getItem(REFEREES))) {
        attempt(() => localStorage.setItem(REFEREES, "yes"));
        timer = setInterval(ask, EVERY);
        setInterval(count, 1000);
        document.addEventListener("visibilitychange", ask);
        ask();
    }
})();
