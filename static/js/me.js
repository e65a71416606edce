/* Notes that this phone remembers a player, so that the standings ask for their line; the server knows whom. */
(function () {
    "use strict";
    const here = document.querySelector("[data-me]");
    const key = "umaoka-me:" + window.location.pathname.split("/")[2];
    try {
        if (here.dataset.me) {
            localStorage.setItem(key, here.dataset.me);
        } else {
            localStorage.removeItem(key);
        }
    } catch (error) {
        // Storage is switched off in this browser: the standings stay as everyone sees them.
    }
})();
