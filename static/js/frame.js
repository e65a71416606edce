/* A page inside another site: its theme, before the first colour is drawn, and its height for the page around it. */
(function () {
    "use strict";
    const root = document.documentElement;

    if (root.dataset.theme === "auto") {
        const device = window.matchMedia("(prefers-color-scheme: dark)");
        const follow = () => root.setAttribute("data-bs-theme", device.matches ? "dark" : "light");
        follow();
        device.addEventListener("change", follow);
    }

    function tell() {
        if (document.body && window.parent !== window) {
            window.parent.postMessage({ umaoka: "height", height: Math.ceil(document.body.getBoundingClientRect().height) }, "*");
        }
    }

    window.addEventListener("message", (event) => {
        if (event.source === window.parent && event.data && event.data.umaoka === "ask") {
            tell(); // its script came after this page
        }
    });
    document.addEventListener("DOMContentLoaded", () => {
        tell();
        if ("ResizeObserver" in window) {
            new ResizeObserver(tell).observe(document.body);
        }
    });
})();
