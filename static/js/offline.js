/* This page opens without network once it was seen (js/worker.js), and says so then. The desk makes its tables ready too. */
(function () {
    "use strict";

    function say() {
        document.querySelectorAll("[data-offline]").forEach((each) => (each.hidden = navigator.onLine));
    }

    if ("serviceWorker" in navigator) {
        const isNew = navigator.serviceWorker.controller === null;
        navigator.serviceWorker
            .register("/worker.js")
            .then(() => navigator.serviceWorker.ready)
            .then(function (registration) {
                const prepare = function () {
                    const links = Array.from(document.querySelectorAll("a[data-hand]"));
                    const tables = links.map((each) => ({ address: each.href, hand: each.dataset.hand }));
                    registration.active.postMessage({ tables });
                };
                document.addEventListener("renewed", prepare);
                prepare();
                if (isNew) {
                    const loaded = performance.getEntriesByType("resource").map((each) => each.name);
                    const files = loaded.filter((name) => name.startsWith(location.origin + "/static/"));
                    registration.active.postMessage({ page: location.href, files });
                }
            })
            .catch(() => undefined); // private windows have no workers
    }
    window.addEventListener("online", say);
    window.addEventListener("offline", say);
    say();
})();
