/* A list that is filtered, summed and turned to another page without loading the page again. Without this file the filter's
   button and the links do the same. The parts that follow are marked [data-list]; the filter keeps what is chosen. */
(function () {
    "use strict";

    const form = document.querySelector("form[data-list-filter]");
    let newest = 0;

    /** What is in a part is replaced, and not the part: a reader's program follows it. The keyboard stays on its link. */
    function renew(part, fresh) {
        const active = part.contains(document.activeElement) ? document.activeElement : null;
        part.replaceChildren(...fresh.childNodes);
        if (active) {
            const links = Array.from(part.querySelectorAll("a"));
            const same = (what) => links.find((each) => each[what] === active[what]);
            (same("href") || same("textContent") || part).focus({ preventScroll: true });
        }
    }

    async function show(address) {
        newest += 1;
        const mine = newest;
        let text = "";
        try {
            const answer = await fetch(address, { credentials: "same-origin" });
            text = answer.ok ? await answer.text() : "";
        } catch (error) {
            text = "";
        }
        if (mine !== newest) {
            return; // something else was chosen since
        }
        const fresh = Array.from(new DOMParser().parseFromString(text, "text/html").querySelectorAll("[data-list]"));
        const parts = document.querySelectorAll("[data-list]");
        if (fresh.length !== parts.length) {
            location.assign(address); // signed out, or no network: the browser says so
            return;
        }
        parts.forEach((part, index) => renew(part, fresh[index]));
    }

    function go(address) {
        const query = new URL(address, location.href).searchParams;
        form.querySelectorAll("select, [type=hidden]").forEach((field) => (field.value = query.get(field.name) || ""));
        history.pushState(null, "", address);
        show(address);
    }

    if (form) {
        form.querySelectorAll("[data-no-script]").forEach((each) => (each.hidden = true));
        form.addEventListener("change", function () {
            const chosen = Array.from(new FormData(form)).filter(([, value]) => value !== "");
            go("?" + new URLSearchParams(chosen));
        });
    }
    document.addEventListener("click", function (event) {
        const link = event.target.closest("[data-list] a[href^='?']");
        if (form && link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
            event.preventDefault();
            go(link.getAttribute("href"));
        }
    });
    window.addEventListener("popstate", () => location.hash || location.reload());
})();
