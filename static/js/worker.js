/* The service worker: the referee's desk and the pages of tables open without network once they were seen.

   It keeps those pages, with the styles and scripts that they need, and nothing else. A page comes from the network as long as
   there is one. Signing in or out, or a kept page that is refused, removes all of them. What a person typed is no
   matter of this file: js/outbox.js keeps it. */
"use strict";

const PAGES = "umaoka-pages";
const FILES = "umaoka-files";
const KEPT = /^\/c\/[^/]+\/(desk\/|penalties\/new\/|tables\/\d+\/)$/;
const MOST = 60; // pages
const PATIENCE = 5000; // ms until the page that was kept is shown

/** Under what a page is kept: of its query the table alone. */
function nameOf(address) {
    const url = new URL(address);
    const table = url.searchParams.get("table");
    return url.origin + url.pathname + (table && /^\d+$/.test(table) ? "?table=" + table : "");
}

async function keepPage(address, answer) {
    const pages = await caches.open(PAGES);
    await pages.put(nameOf(address), answer);
    const names = await pages.keys();
    await Promise.all(names.slice(0, Math.max(0, names.length - MOST)).map((name) => pages.delete(name)));
}

async function page(request) {
    const kept = () => caches.open(PAGES).then((pages) => pages.match(nameOf(request.url)));
    try {
        const late = new Promise((_, reject) => setTimeout(reject, PATIENCE));
        const asked = fetch(request);
        const answer = await ((await kept()) ? Promise.race([asked, late]) : asked);
        if (answer.ok && !answer.redirected) {
            await keepPage(request.url, answer.clone());
        } else if (answer.status < 500 && (await kept())) {
            await caches.delete(PAGES); // signed out since, or no longer a referee
        }
        return answer;
    } catch (error) {
        return (await kept()) || Response.error();
    }
}

async function file(request) {
    const files = await caches.open(FILES);
    try {
        const answer = await fetch(request);
        if (answer.ok) {
            await files.put(request, answer.clone());
        }
        return answer;
    } catch (error) {
        return (await files.match(request)) || Response.error();
    }
}

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", function (event) {
    const url = new URL(event.request.url);
    if (url.origin !== self.location.origin) {
        return;
    }
    if (event.request.method === "POST" && url.pathname.startsWith("/accounts/")) {
        event.waitUntil(caches.delete(PAGES));
    } else if (event.request.mode === "navigate" && event.request.method === "GET" && KEPT.test(url.pathname)) {
        event.respondWith(page(event.request));
    } else if (event.request.method === "GET" && url.pathname.startsWith("/static/")) {
        event.respondWith(file(event.request));
    }
});

/** A page that was loaded before there was a worker asks to be kept, with its files. */
self.addEventListener("message", function (event) {
    const keep = async function () {
        const answer = await fetch(event.data.page);
        if (answer.ok && !answer.redirected && KEPT.test(new URL(event.data.page).pathname)) {
            await keepPage(event.data.page, answer);
        }
        const files = await caches.open(FILES);
        await files.addAll(event.data.files);
    };
    event.waitUntil(keep().catch(() => undefined));
});
