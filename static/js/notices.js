/* Notices in this browser: asks for the permission, subscribes with the key of the server, and sends the subscription as a
   form. js/worker.js shows what arrives. */
(function () {
    "use strict";
    const here = document.querySelector("[data-notices]");
    const able = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
    if (!here || !able) {
        return;
    }
    const form = here.querySelector("form[hidden]");
    const isOn = here.dataset.on !== "";
    const show = (name, yes) => here.querySelectorAll("[data-" + name + "]").forEach((each) => (each.hidden = !yes));

    function bytesOf(text) {
        const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
        return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
    }

    function textOf(buffer) {
        const plain = String.fromCharCode(...new Uint8Array(buffer));
        return btoa(plain).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
    }

    function offer(lost) {
        const blocked = Notification.permission === "denied";
        show("unable", false);
        show("blocked", blocked);
        show("lost", lost && !blocked);
        form.hidden = blocked || (isOn && !lost);
    }

    /** The subscription with the present key of the server, or null. One with a former key ends. */
    async function find(registration) {
        const found = await registration.pushManager.getSubscription();
        const key = found && found.options.applicationServerKey;
        if (found && key && textOf(key) !== here.dataset.notices) {
            await found.unsubscribe();
            return null;
        }
        return found;
    }

    async function subscribe() {
        await navigator.serviceWorker.register("/worker.js");
        const registration = await navigator.serviceWorker.ready;
        const options = { userVisibleOnly: true, applicationServerKey: bytesOf(here.dataset.notices) };
        return (await find(registration)) || (await registration.pushManager.subscribe(options));
    }

    form.addEventListener("submit", async function (event) {
        event.preventDefault();
        if ((await Notification.requestPermission()) !== "granted") {
            offer(isOn);
            return;
        }
        try {
            const made = await subscribe();
            form.elements.endpoint.value = made.endpoint;
            form.elements.p256dh.value = textOf(made.getKey("p256dh"));
            form.elements.auth.value = textOf(made.getKey("auth"));
            form.submit();
        } catch (error) {
            show("unable", true); // a private window, or the push service cannot be reached
        }
    });

    offer(false);
    if (isOn) {
        navigator.serviceWorker
            .getRegistration("/")
            .then((registration) => registration && find(registration))
            .then((found) => offer(!found || Notification.permission !== "granted"));
    }
})();
