/* A new call for a referee sounds, vibrates and counts in the title of the page. js/live.js brings it: this file looks at what
   came. Browsers let a page sound only after it was tapped. */
(function () {
    "use strict";

    const title = document.title;
    let known = new Set(waiting());
    let sound = null;

    function waiting() {
        return Array.from(document.querySelectorAll("[data-alerts] [data-call][data-waits]"), (call) => call.dataset.call);
    }

    /** Two short tones. */
    function ring() {
        if (sound === null) {
            return;
        }
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
        const isNew = now.some((call) => !known.has(call));
        known = new Set(now);
        document.title = now.length > 0 ? "(" + now.length + ") " + title : title;
        if (isNew) {
            ring();
            if (navigator.vibrate) {
                navigator.vibrate([200, 100, 200]);
            }
            document.dispatchEvent(new Event("called"));
        }
    }

    // Phones take a tap for this when it ends, and switch the sound off with the screen.
    document.addEventListener("click", function () {
        sound = sound || new AudioContext();
        sound.resume().catch(() => undefined);
    });
    document.addEventListener("renewed", look);
    look();
})();
