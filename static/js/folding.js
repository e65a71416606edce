/* Folding of names and typed words, as players/folding.py folds them on the server. */
(function () {
    "use strict";
    const plain = { đ: "d", ð: "d", ø: "o", ł: "l", æ: "ae", œ: "oe", þ: "th", ı: "i", ß: "ss" };
    const umlauts = { ä: "ae", ö: "oe", ü: "ue", ø: "oe", å: "aa" };

    /** Folds case, width, spaces, and the shapes of apostrophes and hyphens. */
    function narrow(text) {
        const same = text.replace(/['’‘ʼʻʹ′‛`´]/g, "'").replace(/[‐‑‒–—―−]/g, "-");
        return same.normalize("NFKC").toLowerCase().replace(/\p{Cf}/gu, "").trim().replace(/\s+/g, " ").normalize("NFC");
    }

    function exactKey(name) {
        return narrow(name).replace(/ /g, "");
    }

    /** Folds also accents and letters with strokes, and leaves out apostrophes. */
    function folded(text) {
        const letters = narrow(text).normalize("NFKD").replace(/[đðøłæœþıß]/g, (letter) => plain[letter]);
        return letters.replace(/'|(?![\u3099\u309a])\p{M}/gu, "").normalize("NFC");
    }

    /** The folded name, with spaces for hyphens, and how Germans write it without umlauts. */
    function spellings(name) {
        const spaced = narrow(name).replace(/-/g, " ");
        return [spaced, spaced.replace(/[äöüøå]/g, (letter) => umlauts[letter])].map((each) => folded(each).trim().replace(/\s+/g, " "));
    }

    /** Is every typed word in the names, or are the words together in them? */
    function hasName(typed, names) {
        const text = spellings(names).join("|");
        const close = text.replace(/ /g, "");
        return spellings(typed).some((asked) => asked.split(" ").every((word) => text.includes(word)) || close.includes(asked.replace(/ /g, "")));
    }

    /** Are the names equal apart from accents, umlauts, apostrophes and hyphens? */
    function isOneName(one, other) {
        const keys = (name) => spellings(name).map((each) => each.replace(/ /g, ""));
        return exactKey(one) === exactKey(other) || keys(one).some((key) => key !== "" && keys(other).includes(key));
    }

    window.umaokaFolding = { exactKey, folded, hasName, isOneName };
})();
