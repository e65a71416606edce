/* Standings: finds a row while a name is typed, and shows this phone's own player at the bottom of the window.
   The page is the same for all visitors: what is personal comes by itself, to phones that remember a player. */
(function () {
    "use strict";
    const own = document.querySelector("[data-own]");

    function find() {
        const field = document.querySelector("[data-find]");
        if (!field || field.defaultValue) {
            return; // the server found these rows
        }
        const asked = field.value.trim();
        document.querySelectorAll("#live tbody tr").forEach(function (row) {
            const name = row.querySelector("th");
            row.hidden = asked !== "" && !(name && window.umaokaFolding.hasName(asked, name.textContent));
        });
    }

    function mark() {
        const bar = own && own.querySelector("[data-player]");
        const link = bar && document.querySelector("#live th a[href='" + bar.getAttribute("href") + "']");
        const row = link && link.closest("tr");
        if (row) {
            row.classList.add("own");
            row.setAttribute("aria-current", "true");
        }
        return row;
    }

    async function showOwn() {
        const slug = own.dataset.own.split("/")[2];
        const note = window.umaokaMe.read(slug);
        const offer = own.querySelector("[data-offer]");
        if (offer && !note) {
            offer.hidden = false; // no one has said who this is
            offer.querySelector("button").addEventListener("click", function () {
                window.umaokaMe.write(slug, "no");
                offer.hidden = true;
            });
        }
        const bar = note > "" && note !== "no" || own.dataset.known ? await window.umaokaMe.fetch(own.dataset.own) : "";
        if (bar) {
            own.innerHTML = bar;
            const row = mark();
            if (row && window.scrollY === 0 && !window.location.hash) {
                row.scrollIntoView({ block: "center" });
            }
        }
    }

    document.addEventListener("input", function (event) {
        if (event.target.matches("[data-find]")) {
            find();
        }
    });
    document.addEventListener("renewed", function () {
        find();
        mark();
    });
    find();
    if (own) {
        showOwn();
    }
})();
