/* For the page of a club: gives each frame of Umaoka the height of what it shows. Reads and changes nothing else. */
(function () {
    "use strict";
    const home = new URL(document.currentScript.src).origin;
    const HIGHEST = 20000; // pixels

    function frames() {
        return Array.from(document.querySelectorAll("iframe")).filter((frame) => frame.src.startsWith(home + "/"));
    }

    window.addEventListener("message", (event) => {
        const data = event.data;
        if (event.origin !== home || !data || data.umaoka !== "height" || !(data.height > 0)) {
            return;
        }
        frames().forEach((frame) => {
            if (frame.contentWindow === event.source) {
                frame.style.height = Math.min(data.height, HIGHEST) + "px";
            }
        });
    });
    /* For frames that sent their height before this script came. A frame that is still empty belongs to this page. */
    const ask = () => frames().forEach((frame) => frame.contentWindow.postMessage({ umaoka: "ask" }, "*"));
    ask();
    document.addEventListener("DOMContentLoaded", ask);
})();
