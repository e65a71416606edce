/* Standings: finds a row while a name is typed, and shows this phone's own player at the bottom of the window.
   The page is the same for all visitors: what is personal comes by itself, to phones that remember a player. */
(function () {
    "use strict";
    const own = document.querySelector("[data-own]");
    const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

    function find() {
        const field = document.querySelector("[data-find]");
        if (!field) {
            return;
        }
        field.hidden = false;
        const asked = fold(field.value.trim());
        document.querySelectorAll("#live tbody tr").forEach(function (row) {
            const name = row.querySelector("th");
            row.hidden = asked !== "" && !(name && fold(name.textContent).includes(asked));
        });
    }

    function mark() {
        const bar = own && own.querySelector("[data-player]");
        const link = bar && document.querySelector("#live th a[href='" + bar.getAttribute("href") + "']");
        if (link) {
            link.closest("tr").classList.add("own");
        }
    }

    async function showOwn() {
        const key = "umaoka-me:" + own.dataset.own.split("/")[2];
        let remembered = null;
        try {
            remembered = localStorage.getItem(key);
        } catch (error) {
            return; // storage is switched off in this browser
        }
        if (!remembered) {
            return;
        }
        try {
            const answer = await fetch(own.dataset.own, { credentials: "same-origin" });
            if (answer.status === 200) {
                own.innerHTML = await answer.text();
                document.body.classList.add("with-own");
                mark();
            }
        } catch (error) {
            // No network: the page stays as it is.
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
