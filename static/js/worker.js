/* The service worker: the referee's desk, and with one visit of it the tables of the round, open without network; the
   hands of a table and their practice too.

   It keeps those pages, with the styles and scripts that they need, and nothing else. A page comes from the network as long as
   there is one. Signing in or out, or a kept page that is refused, removes all of them. js/outbox.js keeps what
   a person typed.

   It shows notices (js/notices.js turns them on), and opens their page or turns them off. */
"use strict";

const PAGES = "umaoka-pages";
const FILES = "umaoka-files";
const MOST = { [PAGES]: 160, [FILES]: 200 }; // the newest
const KEPT = /^\/c\/[^/]+\/(desk\/|penalties\/new\/|tables\/\d+\/|seat\/tables\/\d+\/hands\/)$/;
const PRACTICE = /^\/practice\/hands\/$/; // with any rule set
const TAPS = ["table", "player", "offence"]; // what the address of a tap names: the page of the table has all of them
const SIGNING = /^\/(accounts|admin\/logout|first|invitations)\//;
const ICON = "/static/img/icon-192.png";
const PATIENCE = 5000; // ms until the page that was kept is shown
let signings = 0; // how often someone signed in or out

/** The address of the kept page that opens at this one; null if none does, as for the ruling of a dispute. */
function nameOf(address) {
    const { origin, pathname, search, searchParams } = new URL(address);
    const named = [...searchParams.keys()];
    const table = searchParams.get("table");
    if (PRACTICE.test(pathname)) {
        return origin + pathname + search;
    }
    if (!KEPT.test(pathname) || !named.every((each) => TAPS.includes(each)) || (named.length && !table)) {
        return null;
    }
    return origin + pathname + (table ? "?table=" + table : "");
}

/** Keeps an answer, and nothing where storage is full or switched off. */
async function keep(cache, name, answer) {
    try {
        const kept = await caches.open(cache);
        await kept.put(name, answer);
        const names = await kept.keys();
        await Promise.all(names.slice(0, -MOST[cache]).map((each) => kept.delete(each)));
    } catch (error) {
        // The page works all the same.
    }
}

async function find(cache, name) {
    try {
        return await (await caches.open(cache)).match(name);
    } catch (error) {
        return undefined;
    }
}

/** Of a table the page before any tap is kept. `before`: the `signings` when it was asked for. If they differ now, the
    page is of a person who is gone. */
async function keepPage(address, answer, before) {
    const isOwn = signings === before;
    if (isOwn && answer.ok && !answer.redirected && address.split("#")[0] === nameOf(address)) {
        await keep(PAGES, nameOf(address), answer);
    }
}

async function page(request) {
    const before = signings;
    const kept = await find(PAGES, nameOf(request.url));
    const late = new Promise((resolve) => kept && setTimeout(() => resolve(kept), PATIENCE));
    try {
        const answer = await Promise.race([fetch(request), late]);
        if (kept && answer.status >= 500) {
            return kept; // the server is down
        } else if (kept && !answer.ok) {
            await caches.delete(PAGES); // signed out since, or no longer a referee
        } else if (answer !== kept) {
            await keepPage(request.url, answer.clone(), before);
        }
        return answer;
    } catch (error) {
        return kept || Response.error();
    }
}

async function file(event) {
    try {
        const answer = await fetch(event.request);
        if (answer.ok) {
            event.waitUntil(keep(FILES, event.request, answer.clone()));
        }
        return answer;
    } catch (error) {
        return (await find(FILES, event.request)) || Response.error();
    }
}

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", function (event) {
    const { method, mode, url } = event.request;
    const { origin, pathname } = new URL(url);
    if (origin !== self.location.origin) {
        return;
    }
    if (method === "POST" && SIGNING.test(pathname)) {
        signings += 1;
        event.waitUntil(caches.delete(PAGES));
    } else if (method === "GET" && mode === "navigate" && nameOf(url)) {
        event.respondWith(page(event.request));
    } else if (method === "GET" && pathname.startsWith("/static/")) {
        event.respondWith(file(event));
    }
});

/** The desk asks for the pages of its tables, one after the other, unless the page of this hand is kept already. */
async function prepare(tables, before) {
    for (const { address, hand } of tables) {
        const kept = await find(PAGES, nameOf(address));
        if (signings !== before) {
            return;
        }
        if (!kept || kept.headers.get("X-Hand") !== hand) {
            await keepPage(address, await fetch(address), before);
        }
    }
}

/** A page that was loaded before there was a worker asks to be kept, with its files. */
self.addEventListener("message", function (event) {
    const keepAll = async function () {
        const { page, files, tables } = event.data;
        const before = signings;
        if (page && nameOf(page)) {
            await keepPage(page, await fetch(page), before);
        }
        await (await caches.open(FILES)).addAll(files || []);
        await prepare(tables || [], before);
    };
    event.waitUntil(keepAll().catch(() => undefined));
});

/** A notice. One with the tag of an earlier one takes its place: a message that was sent twice is shown once. */
self.addEventListener("push", function (event) {
    const { title, body, address, tag, lang, off, off_words } = event.data.json();
    const actions = [{ action: "off", title: off_words }];
    const notice = { body, tag, lang, icon: ICON, actions, data: { address, off } };
    event.waitUntil(self.registration.showNotification(title, notice));
});

/** Whether an address in a notice is of this site. A notice opens and asks nothing else. */
function isOwn(address) {
    return new URL(address, self.location.origin).origin === self.location.origin;
}

async function open(address) {
    const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = windows.find((each) => new URL(each.url).pathname === address);
    return there ? there.focus() : self.clients.openWindow(address);
}

self.addEventListener("notificationclick", function (event) {
    const { address, off } = event.notification.data;
    event.notification.close();
    if (isOwn(event.action === "off" ? off : address)) {
        event.waitUntil(event.action === "off" ? fetch(off, { method: "POST" }) : open(address));
    }
});
