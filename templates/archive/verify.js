/* Repeats what the record tells: the commitment, every draw, and the seals up to the fingerprint. */
(() => {
  "use strict";
  const utf8 = new TextEncoder();
  const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const bytes = (text) => Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));
  const sha = async (data) => hex(await crypto.subtle.digest("SHA-256", data));

  /* Canonical JSON: keys in order, no blanks. */
  const canonical = (value) => {
    if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
  };
  const without = (value, ...names) => Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const phaseDraws = (record) => [record.start, ...record.phases].flatMap((part) => part.draws);

  class Chance {
    constructor(key) { this.key = key; }
    static async of(seed) {
      return new Chance(await crypto.subtle.importKey("raw", bytes(seed), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]));
    }
    /* A number under the bound without bias. */
    async below(bound, place, label, step) {
      const many = BigInt(bound), limit = (1n << 64n) - (1n << 64n) % many;
      for (let block = 0; ; block++) {
        const view = new DataView(await crypto.subtle.sign("HMAC", this.key, utf8.encode(`${place}/${label}/${step}.${block}`)));
        for (let at = 0; at < 32; at += 8) {
          const word = view.getBigUint64(at);
          if (word < limit) return Number(word % many);
        }
      }
    }
    async draw({ place, label, result, of }) {
      if (typeof of === "number") return 1 + await this.below(of, place, label, 0);
      if (!Array.isArray(result)) return of[await this.below(of.length, place, label, 0)];
      const order = [...of];
      for (let i = order.length - 1; i > 0; i--) {
        const j = await this.below(i + 1, place, label, i);
        [order[i], order[j]] = [order[j], order[i]];
      }
      return order;
    }
  }

  const digest = (...values) => sha(utf8.encode(canonical(values)));
  const fingerprint = async (record) => {
    let seal = await digest(without(record, "start", "phases"), without(record.start, "seal"));
    for (const phase of record.phases) seal = await digest(seal, without(phase, "seal"));
    return seal;
  };

  /* What was checked: {commitment, draws: [{draw, again, matches}], fingerprint}. */
  const check = async (record, told) => {
    const chance = await Chance.of(record.seed), draws = [];
    for (const draw of phaseDraws(record)) {
      const again = await chance.draw(draw);
      draws.push({ draw, again, matches: same(again, draw.result) });
    }
    return {
      commitment: (await sha(bytes(record.seed))) === told.commitment && record.commitment === told.commitment && record.seed === told.seed,
      draws,
      fingerprint: (await fingerprint(record)) === told.fingerprint,
    };
  };
  window.checkRecord = check;

  const results = document.getElementById("results"), button = document.getElementById("check");
  const tell = (matches, words) => {
    const line = document.createElement("li");
    line.className = matches ? "yes" : "no";
    line.textContent = `${matches ? "✓" : "✕"} ${words}`;
    results.append(line);
  };
  const shown = (value) => Array.isArray(value) ? value.join(", ") : String(value);
  const told = { commitment: {{ proof.commitment|tojson }}, seed: {{ proof.seed|tojson }}, fingerprint: {{ proof.fingerprint|tojson }} };
  button.addEventListener("click", async () => {
    results.replaceChildren();
    if (!window.crypto || !crypto.subtle || !window.DecompressionStream || !window.RECORD) {
      tell(false, window.RECORD ? "This browser cannot check it here. Check the file with pbem verify." : "The file record.js is missing next to this page.");
      return;
    }
    button.disabled = true;
    const packed = new Blob([Uint8Array.from(atob(window.RECORD), (one) => one.charCodeAt(0))]).stream();
    const record = await new Response(packed.pipeThrough(new DecompressionStream("deflate-raw"))).json();
    const found = await check(record, told);
    button.disabled = false;
    tell(found.commitment, found.commitment ? "The seed is the one that was committed to." : "The seed is not the one that was committed to.");
    const wrong = found.draws.filter((entry) => !entry.matches);
    tell(!wrong.length, wrong.length ? `${wrong.length} of ${found.draws.length} draws come out differently.` : `All ${found.draws.length} draws come out the same.`);
    tell(found.fingerprint, found.fingerprint ? "The record has the fingerprint that everybody was told." : "The record has another fingerprint.");
    const rows = document.querySelector("#draws tbody");
    rows.replaceChildren(...found.draws.map(({ draw, again, matches }) => {
      const row = document.createElement("tr");
      for (const words of [draw.place, draw.label, shown(draw.result), matches ? "the same" : `✕ ${shown(again)}`]) {
        const cell = document.createElement("td");
        cell.textContent = words;
        row.append(cell);
      }
      return row;
    }));
    document.getElementById("all").hidden = false;
  });
})();
