/* What was typed or confirmed stays on the device until the server has it: a list of records under one prefix.

   A record is an object with the `name` under which it is kept and the `fields` of its form. Where storage is switched
   off or full nothing is kept, and the record lives as long as the page. */
(function () {
    "use strict";

    function load(name) {
        try {
            return JSON.parse(localStorage.getItem(name));
        } catch (error) {
            return null; // storage is switched off, or holds something that is not ours
        }
    }

    function keep(record) {
        try {
            localStorage.setItem(record.name, JSON.stringify(record));
        } catch (error) {
            // Storage is switched off or full.
        }
    }

    function forget(name) {
        try {
            localStorage.removeItem(name);
        } catch (error) {
            // Nothing was kept.
        }
    }

    /** All records whose names begin with the prefix. */
    function all(prefix) {
        const found = [];
        try {
            for (let index = 0; index < localStorage.length; index += 1) {
                const name = localStorage.key(index);
                const record = name.startsWith(prefix) ? load(name) : null;
                if (record && record.fields) {
                    found.push(record);
                }
            }
        } catch (error) {
            return [];
        }
        return found;
    }

    window.umaokaKept = { load, keep, forget, all };
})();
