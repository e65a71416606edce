/* A part of the page that htmx asked the server for in vain says so: in a sentence of its own ([data-problem]) or in that
   of the page, until an answer comes. What asks by itself every few seconds stays quiet and asks again. */
(function () {
    "use strict";

    function say(event, isHidden) {
        const { elt, requestConfig } = event.detail;
        const line = elt.querySelector("[data-problem]") || document.querySelector("#messages [data-problem]");
        if (requestConfig.triggeringEvent && line) {
            line.hidden = isHidden;
        }
    }

    document.addEventListener("htmx:sendError", (event) => say(event, false));
    document.addEventListener("htmx:responseError", (event) => say(event, false));
    document.addEventListener("htmx:afterRequest", (event) => event.detail.successful && say(event, true));
    // What the server said in its answer comes into view.
    document.addEventListener("htmx:oobAfterSwap", function (event) {
        if (event.target.id === "messages" && event.target.querySelector(".alert:not([hidden])")) {
            event.target.scrollIntoView({ block: "nearest" });
        }
    });
})();
