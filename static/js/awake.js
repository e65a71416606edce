/* Keeps a page of the wall from being dimmed. A browser ends the lock when its page is out of sight, so it is asked for
   again when the page is back. A browser that cannot, or a device that saves power, shows the page as before. */
(function () {
    "use strict";
    async function stayAwake() {
        if (!navigator.wakeLock || document.visibilityState !== "visible") {
            return;
        }
        try {
            await navigator.wakeLock.request("screen");
        } catch (error) {
            // The device refuses, for example with an empty battery.
        }
    }

    document.addEventListener("visibilitychange", stayAwake);
    stayAwake();
})();
