/* Small things that scripts make: sentences of the page, elements, keys. */
(function () {
    "use strict";

    /** The sentence of this name, which the page's element holds as an attribute, with its {values} put in. */
    function word(holder, name, values) {
        const sentence = holder.getAttribute("data-word-" + name) || "";
        return sentence.replace(/\{(\w+)\}/g, (whole, key) => (values && key in values ? values[key] : whole));
    }

    function make(tag, className, text) {
        const element = document.createElement(tag);
        element.className = className;
        element.textContent = text || "";
        return element;
    }

    /** A button that sends nothing by itself; `act` gets the button. */
    function makeButton(className, text, act) {
        const button = make("button", className, text);
        button.type = "button";
        button.addEventListener("click", () => act(button));
        return button;
    }

    /** A new submission's key: random, version 4. crypto.randomUUID is missing where the page comes without TLS. */
    function newKey() {
        const bytes = crypto.getRandomValues(new Uint8Array(16));
        bytes[6] = (bytes[6] & 0x0f) | 0x40;
        bytes[8] = (bytes[8] & 0x3f) | 0x80;
        const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
        return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
    }

    window.umaokaParts = { word, make, makeButton, newKey };
})();
