/* Light, dark, or as the device is set. In <head> and not deferred: the page must never flash in the wrong colours. */
(function () {
    "use strict";

    /** A menu opens upwards where it has more room, and scrolls where that is not enough. */
    function keepOnScreen(menu) {
        const panel = menu.querySelector(".menu-panel");
        menu.classList.remove("menu-up");
        panel.style.maxHeight = "";
        if (!menu.open || getComputedStyle(panel).position !== "absolute") {
            return;
        }
        const button = menu.getBoundingClientRect();
        const below = window.innerHeight - button.bottom;
        const up = panel.offsetHeight > below && button.top > below;
        menu.classList.toggle("menu-up", up);
        panel.style.maxHeight = Math.max(120, (up ? button.top : below) - 12) + "px";
    }

    const KEY = "umaoka-theme";
    const CHOICES = ["auto", "light", "dark"];
    const root = document.documentElement;
    const device = window.matchMedia("(prefers-color-scheme: dark)");

    function chosen() {
        try {
            const value = localStorage.getItem(KEY);
            return CHOICES.includes(value) ? value : "auto";
        } catch (error) {
            return "auto"; // storage is switched off in this browser
        }
    }

    function keep(value) {
        try {
            localStorage.setItem(KEY, value);
        } catch (error) {
            // This page changes all the same; the next one starts as the device is set.
        }
    }

    function show(choice) {
        const dark = choice === "dark" || (choice === "auto" && device.matches);
        root.setAttribute("data-bs-theme", dark ? "dark" : "light");
        root.setAttribute("data-theme-choice", choice);
        document.querySelectorAll("[data-theme-button]").forEach(function (button) {
            const label = button.getAttribute("data-label-" + choice);
            button.setAttribute("aria-label", label);
            button.title = label;
            button.querySelector("[data-theme-label]").textContent = label;
            button.hidden = false;
        });
    }

    /** iOS 15 and 16 have no popovers: a class opens the menu of the site there. */
    function openWithoutPopover(button) {
        const menu = document.getElementById(button.getAttribute("popovertarget"));
        function turn(isOpen) {
            menu.classList.toggle("open", isOpen);
            button.setAttribute("aria-expanded", String(isOpen));
        }
        button.addEventListener("click", () => turn(!menu.classList.contains("open")));
        document.addEventListener("click", function (event) {
            if (!menu.contains(event.target) && !button.contains(event.target)) {
                turn(false);
            }
        });
        document.addEventListener("keydown", function (event) {
            if (event.key === "Escape" && menu.classList.contains("open")) {
                turn(false);
                button.focus();
            }
        });
        turn(false);
    }

    show(chosen());
    device.addEventListener("change", function () {
        show(chosen());
    });
    window.addEventListener("storage", function () {
        show(chosen());
    });

    document.addEventListener("DOMContentLoaded", function () {
        show(chosen());
        document.querySelectorAll("[data-theme-button]").forEach(function (button) {
            button.addEventListener("click", function () {
                const next = CHOICES[(CHOICES.indexOf(root.getAttribute("data-theme-choice")) + 1) % CHOICES.length];
                keep(next);
                show(next);
            });
        });
        // The bar of a competition's pages scrolls on a phone: the page in view is in view there, too.
        const tab = document.querySelector(".tabs [aria-current]");
        if (tab) {
            const bar = tab.closest(".tabs");
            bar.scrollLeft = tab.offsetLeft - (bar.clientWidth - tab.offsetWidth) / 2;
        }
        if (!("popover" in HTMLElement.prototype)) {
            document.querySelectorAll("[popovertarget]").forEach(openWithoutPopover);
        }
        // Menus are <details>, so they open without script; script only closes them again.
        const menus = document.querySelectorAll("details.menu");
        menus.forEach((menu) => menu.addEventListener("toggle", () => keepOnScreen(menu)));
        document.addEventListener("click", function (event) {
            menus.forEach(function (menu) {
                if (menu.open && !menu.contains(event.target)) {
                    menu.open = false;
                }
            });
        });
        document.addEventListener("keydown", function (event) {
            if (event.key !== "Escape") {
                return;
            }
            menus.forEach(function (menu) {
                if (menu.open) {
                    menu.open = false;
                    menu.querySelector("summary").focus();
                }
            });
        });
    });
})();
