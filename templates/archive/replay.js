"use strict";
// The replay of a game: a step is the start or one close. The data are packed in window.PACKED. No
// storage, no request, nothing that a page opened as a file may not do. What else a page does with
// the steps (`points.js`) gets what this promise brings.
window.REPLAY = (async () => {
  const unpacked = (packed) => new Blob([Uint8Array.from(atob(packed), (one) => one.charCodeAt(0))])
    .stream().pipeThrough(new DecompressionStream("deflate-raw"));
  if (!window.DecompressionStream) { // an old browser: the page as it is without a script
    const still = document.getElementById("board");
    still.innerHTML = still.querySelector("noscript").textContent;
    document.documentElement.classList.remove("js");
    document.documentElement.removeAttribute("aria-busy");
    return new Promise(() => {});
  }
  const game = window.GAME = await new Response(unpacked(window.PACKED)).json();
  const steps = game.steps, root = document.documentElement;
  const get = (id) => document.getElementById(id);
  const keys = steps.map((step) => step.key), last = steps.length - 1;
  const people = new Map(game.people.map((person) => [person.number, person]));
  const areas = Object.keys(game.areas);
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const FIRST_MS = 400, STEP_MS = 1500, ORDERS_MS = 650;
  const state = { at: last, area: "", player: 0, scheme: "", all: true, speed: 1, timer: 0, result: 0 };
  const watching = []; // what is to be done whenever a step was drawn and told

  // ------------------------------------------------------------------------------- small things
  const SVG = "http://www.w3.org/2000/svg";
  function element(tag, given = {}, ...within) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(given))
      if (value !== false) made.setAttribute(name, value === true ? "" : value);
    made.append(...within.filter((one) => one !== null));
    return made;
  }
  const many = (list, tag, line) => element(tag, {}, ...list.map((one) => element("li", {}, ...[line(one)].flat())));
  const capital = (words) => words.slice(0, 1).toUpperCase() + words.slice(1);
  const coat = (key) => {
    const made = document.createElementNS(SVG, "svg");
    for (const [name, value] of [["class", "badge"], ["viewBox", "0 0 20 20"], ["width", 20], ["height", 20], ["aria-hidden", "true"]]) made.setAttribute(name, value);
    made.innerHTML = `<use href="#${key}" width="20" height="20"/>`;
    return made;
  };
  const link = (words, at, area, given = {}) =>
    element("a", { href: `#${keys[at]}${area ? `/${encodeURIComponent(area)}` : ""}`, "data-step": keys[at], "data-area": area || false, ...given }, ...[words].flat());
  const where = (step) => (step.turn ? `${capital(game.turn_word)} ${step.turn}, ${step.name}` : capital(step.name));

  // ------------------------------------------------------------------------------------ the board
  const board = get("board"), picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", game.box);
  picture.setAttribute("role", "group");
  picture.setAttribute("tabindex", "-1"); // its areas take the focus, not the whole
  picture.innerHTML = `<defs>${game.shapes}</defs>`;
  const frame = picture.appendChild(document.createElementNS(SVG, "path")); // over what lies outside of the sheet
  frame.setAttribute("class", "frame");
  board.prepend(picture);
  board.style.setProperty("--shape", game.box.split(" ").slice(2).join("/"));
  const shown = new Map(); // what is drawn now: name and count of a layer -> its number and group

  function slots(step) {
    const counts = {};
    return (step.layers ?? []).map((number) => {
      const name = game.layers[number][0];
      counts[name] = (counts[name] ?? 0) + 1;
      return [`${name}/${counts[name]}`, number];
    });
  }

  function group(number) {
    const [name, parts] = game.layers[number], made = document.createElementNS(SVG, "g");
    if (name) made.setAttribute("class", name);
    made.innerHTML = parts.map((part) => game.parts[part]).join("");
    return made;
  }

  // What a shape is, whatever its colours: two of them are one that changes.
  const IS = ["href", "d", "transform", "data-area", "x", "y", "cx", "cy", "r", "width", "height"];
  const isSame = (one, other) =>
    one.tagName === other.tagName &&
    IS.every((name) => one.getAttribute(name) === other.getAttribute(name)) &&
    (one.children.length > 0 || one.textContent === other.textContent);

  function change(old, fresh) {
    for (const name of fresh.getAttributeNames())
      if (old.getAttribute(name) !== fresh.getAttribute(name)) old.setAttribute(name, fresh.getAttribute(name));
    for (const name of old.getAttributeNames())
      if (!fresh.hasAttribute(name) && name !== "data-holder") old.removeAttribute(name);
    const was = [...old.children], is = [...fresh.children];
    is.forEach((child, place) => {
      if (was[place] && isSame(was[place], child)) return change(was[place], child);
      child.classList.add("fresh");
      if (was[place]) was[place].replaceWith(child);
      else old.append(child);
    });
    was.slice(is.length).forEach((child) => child.remove());
  }

  function put(wanted) {
    const names = new Set(wanted.map(([name]) => name));
    for (const [name, { node }] of shown) if (!names.has(name)) { node.remove(); shown.delete(name); }
    let before = picture.firstElementChild;
    for (const [name, number] of wanted) {
      const old = shown.get(name), node = old?.node ?? group(number);
      if (old && old.number !== number) change(node, group(number));
      shown.set(name, { node, number });
      if (before.nextElementSibling !== node) before.after(node);
      before = node;
    }
  }

  function mark() {
    const { high = 1 } = steps[state.at];
    const [, , wide, tall] = game.box.split(" ").map(Number), by = Math.max(1, high);
    picture.setAttribute("viewBox", `${(-wide * (by - 1)) / 2} 0 ${wide * by} ${tall * by}`);
    frame.setAttribute("d", `M-9999-9999H19999V19999H-9999ZM0 0V${tall * high}H${wide}V0Z`);
    const { holds } = steps[state.at], worn = people.get(state.player)?.colours ?? [];
    for (const shape of picture.querySelectorAll("[data-area]")) {
      shape.dataset.holder = holds[shape.dataset.area] ?? "";
      shape.classList.toggle("chosen", shape.dataset.area === state.area);
    }
    picture.classList.toggle("one", Boolean(state.player));
    for (const shape of picture.querySelectorAll("[data-colour]")) shape.classList.toggle("mine", isMine(shape, worn, holds));
    for (const plot of document.querySelectorAll(".plot"))
      if (state.player) plot.dataset.focus = state.player;
      else delete plot.dataset.focus;
  }

  // Of colours that are no player's the board alone knows whose they are: by the area.
  const dealt = new Set(game.people.flatMap((person) => person.colours));
  function isMine(shape, worn, holds) {
    if (worn.some((colour) => shape.querySelector(`[data-colour="${colour}"]`))) return true;
    if (dealt.has(shape.dataset.colour)) return worn.includes(shape.dataset.colour);
    return !shape.dataset.area || holds[shape.dataset.area] === state.player;
  }

  // Of a staged step the orders come first; what is told waits for the result.
  function draw(isStaged) {
    clearTimeout(state.result);
    const wanted = slots(steps[state.at]);
    const finish = () => { put(wanted); mark(); tell(); };
    if (!isStaged || still.matches || !shown.size) return finish();
    const moves = (name) => /^(orders|battles)\//.test(name);
    const fresh = wanted.filter(([name, number]) => moves(name) && shown.get(name)?.number !== number);
    if (!fresh.length) return finish();
    const now = new Map(wanted);
    put([...shown].map(([name, { number }]) => [name, moves(name) && now.has(name) ? now.get(name) : number]));
    state.result = setTimeout(finish, ORDERS_MS / state.speed);
  }

  // ------------------------------------------------------------------------------- what is told
  const slider = get("slider"), plate = get("plate");

  function tell() {
    const step = steps[state.at];
    plate.children[0].textContent = step.headline;
    plate.children[1].textContent = `${where(step)} · ${step.when}`;
    slider.setAttribute("aria-valuetext", `${where(step)}: ${step.headline}`);
    get("prev").disabled = state.at === 0;
    get("next").disabled = state.at === last;
    picture.setAttribute("aria-label", step.board);
    get("live").textContent = state.timer ? step.headline : `${step.headline}. ${step.board}`;
    root.classList.toggle("ended", game.over && state.at === last);
    for (const chip of document.querySelectorAll(".chip")) {
      const number = Number(chip.dataset.player);
      const { figures = [], out = false } = (step.chips ?? []).find((one) => one.player === number) ?? {};
      const said = out ? ["out"] : figures.map(([name, value]) => `${value} ${name}`);
      chip.classList.toggle("out", out);
      chip.querySelector(".figures").replaceChildren(...(out ? said : figures.map(figure)));
      chip.title = [people.get(number).name, ...said].join(", ");
      chip.setAttribute("aria-pressed", String(number === state.player));
    }
    const place = get("place");
    place.hidden = !state.area;
    if (get("area")) get("area").value = state.area;
    press("all", Number(state.all));
    if (picture.parentElement.id !== "strip") {
      get("told").replaceChildren(...told(step));
      place.replaceChildren(...(state.area ? past(state.area) : []));
    }
    watching.forEach((one) => one());
  }

  // A figure with its unit; where there is little room an icon or a letter says the unit.
  function figure([name, value]) {
    const icon = `icon-${name.toLowerCase().replace(/(?<=ss)es$|(?<!s)s$/, "")}`;
    const brief = get(icon) ? coat(icon) : element("i", {}, name.slice(0, 1));
    brief.classList.add("brief");
    return element("span", {}, element("b", {}, value), brief, element("i", { class: "unit" }, `\u00a0${name}`));
  }

  // A switch of several parts: `data-NAME` of its buttons, of which one is pressed.
  const parts = (name) => document.querySelectorAll(`button[data-${name}]`);
  const press = (name, value) => parts(name).forEach((one) => one.setAttribute("aria-pressed", String(Number(one.dataset[name]) === value)));

  const toldOf = (news, at = state.at) => [
    news.area in game.areas ? link(news.told, at, news.area) : news.told,
    ...(news.why ?? []).map((line) => element("span", { class: "why" }, line)),
  ];

  function told(step) {
    const news = step.news ?? [], given = (state.all && step.all) || step.orders || {};
    const orders = Object.entries(given).filter(([, texts]) => texts.length);
    return [
      element("h2", {}, where(step)),
      news.length ? many(news, "ul", (one) => toldOf(one)) : element("p", {}, step.sentence),
      orders.length ? element("h3", {}, "Orders") : null,
      orders.length
        ? element("dl", { class: "orders" }, ...orders.flatMap(([number, texts]) => [
            element("dt", {}, ...people.get(Number(number)).keys.map((key) => coat(`arms-${key}`)), people.get(Number(number)).name),
            element("dd", { class: `coat-${number}` }, texts.join(", "))]))
        : null,
      step.lines?.length
        ? element("details", {}, element("summary", {}, "All that was told"), many(step.lines, "ul", (line) => line))
        : null,
      element("p", {}, element("a", { href: step.page }, `The page of this ${game.turn_word.toLowerCase()}`)),
    ].filter(Boolean);
  }

  function past(area) {
    const entries = [];
    let before;
    steps.forEach((step, place) => {
      const holder = step.holds[area] ?? 0;
      const news = (step.news ?? []).filter((one) => one.area === area);
      if (news.length || holder !== before) entries.push([step, place, news, holder]);
      before = holder;
    });
    const close = element("button", { type: "button" }, "Close");
    close.addEventListener("click", () => show(state.at, { area: "" }));
    return [
      element("div", { class: "head" }, element("h2", {}, game.areas[area]), close),
      element("p", {}, `Now: ${whose(steps[state.at].holds[area])}${lies(area)}.`),
      many(entries, "ol", ([step, place, news, holder]) => [
        link(where(step), place, area, place === state.at ? { "aria-current": "step" } : {}),
        ": ",
        ...(news.length ? news.flatMap((one) => [one.told, ...toldOf(one).slice(1), " "]) : [holder ? `held by ${whose(holder)}.` : "nobody’s."]),
      ]),
    ];
  }

  const whose = (number) => (number ? people.get(number).name : "nobody");
  const lies = (area) => (steps[state.at].words[area] ? `, ${steps[state.at].words[area]}` : "");

  // ------------------------------------------------------------------------------- the address
  // #STEP, #STEP/AREA, #STEP/p-PLAYER, #p-PLAYER; with ~dark or ~light behind it.
  function address() {
    const one = state.area ? encodeURIComponent(state.area) : state.player ? `p-${people.get(state.player).slug}` : "";
    return `#${keys[state.at]}${one ? `/${one}` : ""}${state.scheme ? `~${state.scheme}` : ""}`;
  }

  function read() {
    const [path, scheme = ""] = location.hash.slice(1).split("~");
    const [first, second = ""] = path.split("/").map(decoded);
    state.scheme = ["dark", "light"].includes(scheme) ? scheme : "";
    const found = steps.findIndex((step) => step.key === first || step.also?.includes(first));
    state.at = found >= 0 ? found : first.startsWith("p-") ? state.at : last;
    state.area = areas.includes(second) ? second : "";
    const slug = [first, second].find((one) => one.startsWith("p-"))?.slice(2);
    state.player = game.people.find((person) => person.slug === slug)?.number ?? 0;
    pause();
    paint();
    draw(false);
  }

  function decoded(words) {
    try { return decodeURIComponent(words); } catch { return ""; }
  }

  function paint() {
    const isDark = state.scheme ? state.scheme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    if (state.scheme) root.dataset.scheme = state.scheme;
    else delete root.dataset.scheme;
    get("scheme").textContent = isDark ? "Light" : "Dark";
    slider.value = state.at;
    root.dataset.step = keys[state.at];
  }

  function show(at, { area = state.area, player = state.player, isStaged = false } = {}) {
    Object.assign(state, { at: Math.max(0, Math.min(last, at)), area, player });
    get("done").textContent = "";
    history.replaceState(null, "", address());
    paint();
    draw(isStaged);
  }

  // ------------------------------------------------------------------------------------ playing
  function pause() {
    clearTimeout(state.timer);
    state.timer = 0;
    root.classList.remove("playing");
    get("play").lastElementChild.textContent = "Play";
  }

  function play() {
    if (state.timer) return pause();
    root.classList.add("playing");
    get("play").lastElementChild.textContent = "Pause";
    const tick = () => {
      if (state.at >= last) return pause();
      state.timer = setTimeout(tick, STEP_MS / state.speed);
      show(state.at + 1, { isStaged: true });
    };
    if (state.at >= last) show(0);
    state.timer = setTimeout(tick, FIRST_MS);
  }

  const go = (at, given) => { pause(); show(at, given); };
  function turn(by) {
    const wanted = steps[state.at].turn + by;
    const place = steps.findIndex((step) => step.turn === wanted);
    go(place >= 0 ? place : by > 0 ? last : 0);
  }
  function battle() {
    const counts = (step) => (step.marks ?? []).some((one) => ["battle", "taken", "entered", "out"].includes(one));
    const next = steps.findIndex((step, place) => place > state.at && counts(step));
    go(next >= 0 ? next : steps.findIndex(counts) >= 0 ? steps.findIndex(counts) : state.at);
  }

  // ------------------------------------------------------------------------------------ copying
  const here = () => `${location.href.split("#")[0]}${address()}`;
  function text() {
    const step = steps[state.at];
    const news = (step.news ?? []).flatMap((one) => [one.told, ...(one.why ?? []).map((line) => `  ${line}`)]);
    return [`${game.title}: ${step.headline}`, "", ...(news.length ? news : [step.sentence]), "", here()].join("\n");
  }
  async function copy(words) {
    try {
      await navigator.clipboard.writeText(words);
      get("done").textContent = "Copied.";
    } catch {
      const area = get("copy").querySelector("textarea");
      area.value = words;
      get("copy").showModal();
      area.select();
    }
  }

  // --------------------------------------------------------------------------------- keys, taps
  const does = {
    ArrowLeft: () => go(state.at - 1), ArrowRight: () => go(state.at + 1),
    ArrowUp: () => turn(-1), ArrowDown: () => turn(1),
    Home: () => go(0), End: () => go(last), " ": play, b: battle,
    "?": () => get("keys").showModal(),
  };
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || document.querySelector("dialog[open]:not(#sheet)")) return;
    const at = event.target.closest?.("button, a, select, textarea, summary, input:not(#slider)");
    const isTheirs = at && (event.key === " " || at.matches("select, textarea, input"));
    if (!does[event.key] || isTheirs) return;
    event.preventDefault();
    does[event.key]();
  });
  addEventListener("hashchange", read);
  slider.addEventListener("input", () => go(Number(slider.value)));
  get("play").addEventListener("click", play);
  get("prev").addEventListener("click", () => go(state.at - 1));
  get("next").addEventListener("click", () => go(state.at + 1));
  get("battle").addEventListener("click", battle);
  get("help").addEventListener("click", () => get("keys").showModal());
  get("link").addEventListener("click", () => copy(here()));
  get("text").addEventListener("click", () => copy(text()));
  get("area")?.addEventListener("change", (event) => show(state.at, { area: event.target.value }));
  for (const button of parts("all")) button.addEventListener("click", () => { state.all = button.dataset.all === "1"; tell(); });
  for (const button of parts("speed")) button.addEventListener("click", () => press("speed", state.speed = Number(button.dataset.speed)));
  get("scheme").addEventListener("click", () => {
    const isDark = state.scheme ? state.scheme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    state.scheme = isDark ? "light" : "dark";
    show(state.at);
  });
  for (const chip of document.querySelectorAll(".chip"))
    chip.addEventListener("click", () => {
      const player = Number(chip.dataset.player);
      show(state.at, { player: player === state.player ? 0 : player, area: "" });
    });

  // Of a long game the greater marks first, and of the others those for which there is room.
  const marks = get("marks"), KINDS = ["out", "attack", "taken", "entered"], APART = 1200 / (marks.clientWidth || 400), marked = [];
  const kindOf = (step) => KINDS.find((one) => (step.marks ?? []).includes(one));
  for (const kind of KINDS)
    steps.forEach((step, place) => {
      const left = (100 * place) / Math.max(1, last);
      if (kindOf(step) !== kind || marked.some((other) => Math.abs(other - left) < APART)) return;
      marked.push(left);
      const sign = document.createElementNS(SVG, "svg");
      sign.setAttribute("class", kind);
      sign.style.left = `${left}%`;
      sign.innerHTML = `<use href="#mark-${kind}"/>`;
      marks.append(sign);
    });
  read();
  return { game, steps, keys, people, state, still, picture, board, watching, element, many, where, whose, lies, show, go };
})();
