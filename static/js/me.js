/* The player whom this phone remembers. The server knows whom from a cookie that it gets below `seat/` alone; a note
   of this browser says of which competitions pages may ask for what is personal: a player's number, or "no". */
(function () {
    "use strict";
    const NOTE = "umaoka-me:";
    const MOST = 4; // competitions asked for on the front page

    function notes() {
        try {
            return Object.entries(localStorage).filter(([name]) => name.startsWith(NOTE));
        } catch (error) {
            return []; // storage is switched off in this browser: pages stay as everyone sees them
        }
    }

    window.umaokaMe = {
        read: (slug) => (notes().find(([name]) => name === NOTE + slug) || [])[1],
        write: function (slug, player) {
            try {
                return player ? localStorage.setItem(NOTE + slug, player) : localStorage.removeItem(NOTE + slug);
            } catch (error) {
                return undefined;
            }
        },
        fetch: async function (address) {
            try {
                const answer = await fetch(address, { credentials: "same-origin" });
                return answer.status === 200 ? await answer.text() : "";
            } catch (error) {
                return ""; // no network
            }
        },
    };
    const slug = window.location.pathname.split("/")[2];

    const here = document.querySelector("[data-me]");
    if (here) {
        window.umaokaMe.write(slug, here.dataset.me);
    }

    // On a player's page: the offer, unless this phone remembers someone else.
    const offer = document.querySelector("[data-is-me]");
    const known = offer && window.umaokaMe.read(slug);
    if (offer && known === offer.dataset.isMe) {
        offer.textContent = offer.dataset.ownWords;
    } else if (offer && known && known !== "no") {
        offer.hidden = true;
    }

    // On the calendar: the proposed times that wait for this player.
    const times = document.querySelector("[data-asked]");
    const player = times && window.umaokaMe.read(slug);
    if (player && player !== "no") {
        window.umaokaMe.fetch(times.dataset.asked).then((asked) => times.insertAdjacentHTML("beforeend", asked));
    }

    // On the front page: the next tables, in place of the words for newcomers.
    const next = document.querySelector("[data-next]");
    const asked = next ? notes().filter(([, player]) => player !== "no").slice(-MOST) : [];
    asked.forEach(async function ([name]) {
        const card = await window.umaokaMe.fetch(next.dataset.next.replace("SLUG", name.slice(NOTE.length)));
        if (card) {
            next.lastElementChild.insertAdjacentHTML("beforeend", card);
            next.hidden = false;
            document.querySelector(".hero").hidden = true;
        }
    });
})();
