/* Logging a penalty: the offences of the book become a list that can be searched, and what the book says of the one
   chosen stands below it. The plain select stays the form's field: without this file nothing is missing but comfort. */
(function () {
    "use strict";
    const form = document.querySelector("form.penalty");
    const select = form && form.querySelector("select[name=offence]");
    if (!select || select.querySelectorAll("optgroup").length === 0) {
        return;
    }
    const hint = form.querySelector(".offence-hint");
    const deduction = form.querySelector("input[name=deduction]");
    const level = form.querySelector("select[name=level]");

    function made(tag, className, text) {
        const element = document.createElement(tag);
        element.className = className;
        element.textContent = text || "";
        return element;
    }

    /* One spelling for typing and book: small letters, wide forms as narrow ones, no accents. */
    function folded(text) {
        return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
    }

    const search = made("input", "form-control");
    search.type = "search";
    search.placeholder = form.dataset.find;
    search.setAttribute("aria-label", form.dataset.find);
    search.setAttribute("autocomplete", "off");
    const list = made("div", "offences");
    const none = made("p", "offences-none", form.dataset.none);
    none.hidden = true;
    const chosen = made("button", "offence-chosen");
    chosen.type = "button";
    chosen.append(made("span"), made("span", "", form.dataset.change));
    const entries = [];

    /* The name alone: what it costs stands below it. */
    function named(option) {
        return option.dataset.name || option.textContent;
    }

    function add(option, heading) {
        const item = made("button", "offences-item", named(option));
        const words = folded((heading ? heading.textContent : "") + " " + named(option));
        item.type = "button";
        if (option.dataset.hint) {
            item.append(made("small", "", option.dataset.hint));
        }
        item.addEventListener("click", function () {
            select.value = option.value;
            show(false);
            chosen.focus();
        });
        list.append(item);
        entries.push({ item: item, heading: heading, words: words });
    }

    for (const child of select.children) {
        if (child.tagName === "OPTGROUP") {
            const heading = made("div", "offences-heading", child.label);
            list.append(heading);
            for (const option of child.children) {
                add(option, heading);
            }
        } else {
            add(child, null);
        }
    }
    list.append(none);

    function filter() {
        const words = folded(search.value).split(/\s+/).filter(Boolean);
        const headings = new Set();
        let found = 0;
        entries.forEach(function (entry) {
            const fits = words.every(function (word) {
                return entry.words.includes(word);
            });
            entry.item.hidden = !fits;
            if (fits) {
                headings.add(entry.heading);
                found += 1;
            }
        });
        list.querySelectorAll(".offences-heading").forEach(function (heading) {
            heading.hidden = !headings.has(heading);
        });
        none.hidden = found > 0;
    }

    function show(open) {
        const option = select.selectedOptions[0];
        search.hidden = list.hidden = !open;
        chosen.hidden = open;
        chosen.firstChild.textContent = option ? named(option) : "";
        hint.textContent = (!open && option && option.dataset.hint) || "";
        hint.hidden = !hint.textContent;
        deduction.placeholder = (!open && option && (!level || !level.value) && option.dataset.amount) || "";
    }

    search.addEventListener("input", filter);
    search.addEventListener("keydown", function (event) {
        if (event.key === "Enter") {
            // Enter takes the first offence found; it does not send a half filled form.
            event.preventDefault();
            const first = entries.find(function (entry) {
                return !entry.item.hidden;
            });
            if (first && search.value) {
                first.item.click();
            }
        }
    });
    chosen.addEventListener("click", function () {
        search.value = "";
        filter();
        show(true);
        search.focus();
    });
    if (level) {
        level.addEventListener("change", function () {
            show(chosen.hidden);
        });
    }
    select.hidden = true;
    select.after(search, list, chosen);
    show(select.value === "");
})();
