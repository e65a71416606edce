// Stops the pages of the wall from turning for a minute after someone touches them, so that they can be read.

const READING = 60_000;
let until = 0;

for (const kind of ["pointerdown", "keydown", "wheel"]) {
    document.addEventListener(kind, () => {
        until = Date.now() + READING;
    }, { passive: true });
}
document.addEventListener("htmx:beforeRequest", (event) => {
    if (Date.now() < until) {
        event.preventDefault();
    }
});
