// A button that copies the text of the field beside it; without script the field is there to copy from.
function offerCopying(root) {
    root.querySelectorAll("[data-copy-button][hidden]").forEach((button) => {
        const field = button.parentElement.querySelector("[data-copy]");
        if (!field || !navigator.clipboard) {
            return;
        }
        button.hidden = false;
        const label = button.textContent;
        button.addEventListener("click", async () => {
            field.select();
            try {
                await navigator.clipboard.writeText(field.value);
            } catch {
                return; // the browser forbids it: the text is selected, to be copied by hand
            }
            button.textContent = button.dataset.done;
            setTimeout(() => {
                button.textContent = label;
            }, 2000);
        });
    });
}

offerCopying(document);
document.addEventListener("htmx:load", (event) => offerCopying(event.detail.elt));
