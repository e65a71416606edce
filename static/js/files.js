/* A file that is being created keeps its page: the link shows the progress, then the file comes. Without this file the
   server's own page waits. */
(function () {
    "use strict";
    const { word, make } = window.umaokaParts;

    const IS_FILE = /\.(xlsx|csv|json|pdf)$/;
    const FAILED_AFTER = 30; // seconds to wait, as the server says after a failure
    const words = document.getElementById("file-words");
    const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

    /** Ask until the file is there. Returns whether it is; the answer to the first question makes it. */
    async function isMade(address, note) {
        for (;;) {
            const answer = await fetch(address, { method: "HEAD", credentials: "same-origin" });
            if (answer.status !== 503) {
                return true; // or the server's own page says what is wrong
            }
            const seconds = Number(answer.headers.get("Retry-After")) || 1;
            if (seconds > FAILED_AFTER) {
                return false;
            }
            note.hidden = false;
            await pause(seconds);
        }
    }

    async function bring(link) {
        const asked = new URL(link.href);
        asked.searchParams.set("since", String(Date.now()));
        const note = make("span", "file-note flow");
        note.setAttribute("role", "status");
        note.append(make("progress", "file-progress"), make("span", "fine", word(words, "wait")));
        note.hidden = true;
        link.after(note);
        link.setAttribute("aria-busy", "true");
        let made = true;
        try {
            made = await isMade(asked, note);
        } catch (error) {
            made = true; // no network: the browser says so
        }
        link.removeAttribute("aria-busy");
        if (made) {
            note.remove();
            location.assign(asked); // a file that was begun since then
        } else {
            note.replaceChildren(make("span", "fine", word(words, "failed")));
        }
    }

    document.addEventListener("click", function (event) {
        const link = event.target.closest("a[href]");
        const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
        if (!link || !isPlain || link.origin !== location.origin || !IS_FILE.test(link.pathname)) {
            return;
        }
        event.preventDefault();
        if (!link.hasAttribute("aria-busy")) {
            bring(link);
        }
    });
})();
