/* A page that is open, on a projector or a phone: when the competition changed, its #live part is fetched again.
   A page that refused a form is at the address of the form: data-page says where the page itself is.
   Asked only while the page is in view, with the ETag that the browser keeps: an unchanged answer costs next to nothing. */
(function () {
    "use strict";
    const asked = document.querySelector("#live[data-every]");
    const EVERY = asked ? Number(asked.dataset.every) : 15000; // milliseconds
    const PATIENCE = 20000; // ms until an answer counts as lost
    let began = 0; // when the question was asked that waits for an answer

    async function changed(part) {
        const answer = await fetch(part.dataset.revisionUrl, { cache: "no-cache", credentials: "same-origin" });
        if (!answer.ok) {
            return false;
        }
        const latest = await answer.json();
        return String(latest.revision) !== part.dataset.revision;
    }

    async function renew(part) {
        const answer = await fetch(part.dataset.page || window.location.href, { cache: "no-cache", credentials: "same-origin" });
        if (!answer.ok || answer.redirected) {
            return;
        }
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const fresh = page.getElementById("live");
        if (!fresh || waits(part)) {
            return; // someone has begun to type
        }
        const scrolled = Array.from(part.querySelectorAll(".table-scroll"), function (box) {
            return box.scrollLeft;
        });
        const inTable = document.activeElement.matches(".table-scroll");
        const typed = Array.from(part.querySelectorAll("[data-find], #all-columns"));
        const folds = Array.from(part.querySelectorAll("details[id]"));
        const filled = Array.from(part.querySelectorAll("input[id]")).filter((field) => field.value !== field.defaultValue);
        const focused = part.contains(document.activeElement) ? nameOf(document.activeElement) : "";
        part.replaceChildren(...fresh.childNodes);
        folds.forEach(function (fold) {
            const same = document.getElementById(fold.id);
            if (same) {
                same.open = fold.open; // what was unfolded stays unfolded
            }
        });
        filled.forEach(function (field) {
            const same = document.getElementById(field.id);
            if (same) {
                same.value = field.value; // as does what is not sent yet
            }
        });
        const again = focused && Array.from(part.querySelectorAll("a, button, summary")).find((each) => nameOf(each) === focused);
        if (again) {
            again.focus({ preventScroll: true });
        }
        part.dataset.revision = fresh.dataset.revision;
        document.querySelectorAll("[data-renew]").forEach(function (place) {
            const same = page.getElementById(place.id); // what stands elsewhere on the page, as the tabs of the desk
            place.replaceChildren(...(same ? same.childNodes : []));
        });
        part.querySelectorAll("[data-find], #all-columns").forEach(function (field, index) {
            if (typed[index]) {
                field.replaceWith(typed[index]); // what was asked for stays asked for
            }
        });
        document.dispatchEvent(new Event("renewed"));
        part.querySelectorAll(".table-scroll").forEach(function (box, index) {
            box.scrollLeft = scrolled[index] || 0;
            if (inTable && index === 0) {
                box.focus({ preventScroll: true });
            }
        });
    }

    /** What a link or a button is known by, when the server sends it again. */
    function nameOf(element) {
        const box = element.closest("form, details");
        return [element.tagName, element.href || element.value || "", box ? box.action || box.id : ""].join(" ");
    }

    /** A page of alerts goes on in the background and behind a link in focus, one that only follows goes on behind a link
        in focus; what is being typed is left alone. */
    function waits(part) {
        const active = document.activeElement;
        if ("alerts" in part.dataset) {
            return part.contains(active) && active.matches("input, select, textarea");
        }
        const inPart = part.contains(active) && !active.matches(".table-scroll");
        return document.visibilityState !== "visible" || (inPart && !("follows" in part.dataset));
    }

    async function look() {
        const part = document.getElementById("live"); // another script may have put another page in
        if (!part || Date.now() - began < PATIENCE || waits(part)) {
            return; // a person on a link in there with the keyboard keeps their place
        }
        began = Date.now();
        try {
            if (await changed(part)) {
                await renew(part);
            }
        } catch (error) {
            // No network: the page stays as it is, and the next look comes by itself.
        }
        began = 0;
    }

    setInterval(look, EVERY);
    document.addEventListener("visibilitychange", look);
})();
