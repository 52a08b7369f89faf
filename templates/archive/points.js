"use strict";
// What points at a step or an area, and leads there: areas of the board, lines and links with
// `data-step` or `data-area`, the columns of plots, paragraphs of the story. And where the board is:
// on its place, large in a sheet, or above the story on a phone.
window.REPLAY.then((replay) => {
  const { game, steps, keys, people, state, still, picture, board, watching, element, where, whose, lies, show, go } = replay;
  const get = (id) => document.getElementById(id);
  const sheet = get("sheet"), view = get("view"), strip = get("strip"), card = get("card");

  // ------------------------------------------------------------------------------ where the board is
  const narrow = matchMedia("(max-width: 899px)");
  let isRead = false; // the story stands below the top of the window
  const near = new Set(); // paragraphs just below the board on a phone
  function read() {
    const one = [...near].sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)[0];
    if (one && picture.parentElement === strip) go(keys.indexOf(one.dataset.step));
  }
  function settle() {
    const host = sheet.open ? view : isRead && narrow.matches ? strip : board;
    if (picture.parentElement === host) return;
    host.prepend(picture);
    host.append(card);
    card.hidden = true;
    strip.hidden = host !== strip;
    if (host === board) show(state.at);
    if (host === strip) read();
  }
  function enlarge() {
    if (sheet.open) return;
    sheet.showModal();
    settle();
    zoom(1);
  }
  sheet.addEventListener("close", () => { picture.style.transform = ""; settle(); });
  new IntersectionObserver(([one]) => { isRead = one.isIntersecting; settle(); }, { rootMargin: "0px 0px -60% 0px" }).observe(get("story"));

  function follow(at, area) {
    go(at, { area });
    if (picture.parentElement !== board) return;
    board.scrollIntoView({ block: "nearest", behavior: still.matches ? "instant" : "smooth" });
  }

  // ------------------------------------------------------------------------------------------- areas
  const shapes = () => [...picture.querySelectorAll("[data-area]")];
  const size = (one) => (({ width, height }) => width * height)(one.getBoundingClientRect());
  function spots() { // of each area the largest shape
    const found = new Map();
    for (const one of shapes()) {
      const { area } = one.dataset;
      if (!found.has(area) || size(one) > size(found.get(area))) found.set(area, one);
    }
    return [...found.values()];
  }
  let roving = "";

  function since(area) {
    const holder = (at) => steps[at].holds[area] ?? 0;
    let at = state.at;
    while (at > 0 && holder(at - 1) === holder(state.at)) at -= 1;
    return at ? `since ${where(steps[at])}` : "from the start";
  }
  const about = (area) => `${game.areas[area]}: ${whose(steps[state.at].holds[area])}${lies(area)}, ${since(area)}`;

  function name() {
    const all = spots().filter((one) => one.dataset.area in game.areas);
    if (!all.some((one) => one.dataset.area === roving)) roving = all[0]?.dataset.area ?? "";
    for (const one of shapes()) if (!all.includes(one)) one.removeAttribute("tabindex");
    for (const one of all) {
      one.setAttribute("tabindex", one.dataset.area === roving ? "0" : "-1");
      one.setAttribute("role", one.textContent.trim() ? "img" : "link"); // a link is named by the words in it
      one.setAttribute("aria-label", about(one.dataset.area));
    }
    get("about").textContent = state.area ? about(state.area) : "";
  }
  watching.push(name);

  const middle = (one) => {
    const box = one.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  function neighbour(from, [right, down]) {
    const [x, y] = middle(from);
    const far = (one) => {
      const [dx, dy] = [middle(one)[0] - x, middle(one)[1] - y], ahead = dx * right + dy * down;
      return ahead > 1 ? ahead + 2 * Math.abs(dx * down + dy * right) : Infinity;
    };
    return spots().filter((one) => far(one) < Infinity).sort((one, other) => far(one) - far(other))[0] ?? from;
  }

  picture.addEventListener("keydown", (event) => {
    const at = event.target.closest("[data-area]"), way = WAYS[event.key];
    if (!at || event.altKey || (!way && !["Enter", " "].includes(event.key))) return;
    event.preventDefault();
    if (!way) return show(state.at, { area: at.dataset.area, player: 0 });
    const next = neighbour(at, way);
    roving = next.dataset.area;
    name();
    next.focus();
  });

  function tellOf(event) {
    const at = event.target.closest("[data-area]");
    card.hidden = !(at?.dataset.area in game.areas) || event.pointerType === "touch" || picture.parentElement === strip;
    if (card.hidden) return;
    const box = at.getBoundingClientRect(), around = picture.parentElement.getBoundingClientRect();
    card.textContent = about(at.dataset.area);
    card.style.left = `${Math.max(0, Math.min(box.x - around.x, around.width - card.offsetWidth))}px`;
    card.style.top = `${Math.max(0, Math.min(box.bottom - around.y + 4, around.height - card.offsetHeight))}px`;
  }
  for (const event of ["pointerover", "focusin"]) picture.addEventListener(event, tellOf);
  for (const event of ["pointerleave", "focusout"]) picture.addEventListener(event, () => { card.hidden = true; });

  let pressed = "";
  picture.addEventListener("pointerdown", (event) => { pressed = event.pointerType; });
  picture.addEventListener("click", (event) => {
    const area = event.target.closest("[data-area]")?.dataset.area ?? "";
    const isNew = area in game.areas && (area !== state.area || pressed === "touch");
    if (area in game.areas) show(state.at, { area: isNew ? area : "", player: 0 });
    if (pressed === "touch") enlarge();
  });

  // ------------------------------------------------------------------------------------- the sheet
  const MOST = 8, fingers = new Map();
  let by = 1, x = 0, y = 0, moved = 0;

  // Enlarge `times` the scale of now; what is at this place of the view stays there.
  function zoom(wanted, at = [view.clientWidth / 2, view.clientHeight / 2]) {
    const next = Math.max(1, Math.min(MOST, wanted)), grown = next / by;
    pan(next, at[0] - (at[0] - x) * grown, at[1] - (at[1] - y) * grown);
  }
  function pan(next, left, top) {
    by = next;
    x = Math.min(0, Math.max(view.clientWidth * (1 - by), left));
    y = Math.min(0, Math.max(view.clientHeight * (1 - by), top));
    picture.style.transform = `translate(${x}px, ${y}px) scale(${by})`;
  }
  const spot = (event) => {
    const box = view.getBoundingClientRect();
    return [event.clientX - box.x, event.clientY - box.y];
  };
  const span = ([one, other]) => Math.hypot(one[0] - other[0], one[1] - other[1]);
  const between = (list) => [0, 1].map((axis) => list.reduce((sum, one) => sum + one[axis], 0) / list.length);

  view.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, spot(event));
    moved = 0;
  });
  view.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    const was = [...fingers.values()];
    fingers.set(event.pointerId, spot(event));
    const is = [...fingers.values()], [wx, wy] = between(was), [ix, iy] = between(is);
    moved += Math.hypot(ix - wx, iy - wy);
    if (is.length === 2) zoom((by * span(is)) / Math.max(1, span(was)), [ix, iy]);
    pan(by, x + ix - wx, y + iy - wy);
  });
  for (const event of ["pointerup", "pointercancel", "pointerleave"])
    view.addEventListener(event, ({ pointerId }) => fingers.delete(pointerId));
  view.addEventListener("click", (event) => { if (moved > 8) event.stopPropagation(); }, true);
  view.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(by * Math.exp(-event.deltaY / 400), spot(event));
  }, { passive: false });

  const zooms = { "+": () => zoom(by * 1.5), "=": () => zoom(by * 1.5), "-": () => zoom(by / 1.5), "0": () => zoom(1) };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !zooms[event.key] || event.target.closest("select, textarea, dialog:not(#sheet)")) return;
    if (!sheet.open) enlarge();
    zooms[event.key]();
  });
  for (const button of document.querySelectorAll("[data-zoom]")) button.addEventListener("click", () => zooms[button.dataset.zoom]());
  get("enlarge").addEventListener("click", enlarge);

  // ------------------------------------------------------------------------------------- the plots
  const plots = [...document.querySelectorAll(".plot[data-columns]")].map((figure) => {
    const { left, column, columns, places } = figure.dataset, svg = figure.querySelector("svg");
    const hair = svg.appendChild(document.createElementNS(svg.namespaceURI, "path"));
    hair.setAttribute("class", "hair");
    const plot = {
      svg,
      at: places ? places.split(",").map(Number) : [...Array(Number(columns)).keys()],
      column: (event) => {
        const box = svg.getBoundingClientRect(), wide = svg.viewBox.baseVal.width;
        const place = Math.floor((((event.clientX - box.x) / box.width) * wide - left) / column);
        return place >= 0 && place < plot.at.length ? place : -1;
      },
      stand: (place) => hair.setAttribute("d", `M${Number(left) + column * (place + 0.5)},0V${svg.viewBox.baseVal.height}`),
      readout: figure.querySelector("figcaption").appendChild(element("p", { class: "readout" })),
      values: [...svg.querySelectorAll("[data-values]")].map((one) => [
        one.dataset.name ?? people.get(Number(one.dataset.player)).name, one.dataset.values.split(",")]),
    };
    return plot;
  });

  function held(step, area) {
    if (area) return `${game.areas[area]}: ${whose(step.holds[area])}`;
    const many = new Map();
    for (const holder of Object.values(step.holds)) many.set(whose(holder), (many.get(whose(holder)) ?? 0) + 1);
    return [...many].sort((one, other) => other[1] - one[1]).map((one) => one.join(" ")).join(", ");
  }
  function say(plot, place, area) {
    const step = steps[plot.at[place]];
    const found = plot.values.map(([who, values]) => [who, values[place]]).filter(([, value]) => value);
    const words = found.sort((one, other) => other[1] - one[1]).map((one) => one.join(" ")).join(", ");
    plot.readout.textContent = `${where(step)}: ${(plot.values.length ? words : held(step, area)) || whose(0)}`;
  }
  function stand(plot) {
    const place = plot.at.findLastIndex((at) => at <= state.at);
    plot.stand(Math.max(0, place));
    if (place >= 0) say(plot, place, "");
  }
  watching.push(() => plots.forEach(stand));

  for (const plot of plots) {
    const point = (event) => [plot.column(event), event.target.dataset.area ?? ""];
    plot.svg.addEventListener("pointermove", (event) => {
      const [place, area] = point(event);
      if (place >= 0) say(plot, place, area);
    });
    plot.svg.addEventListener("pointerleave", () => stand(plot));
    plot.svg.addEventListener("click", (event) => {
      const [place, area] = point(event);
      if (place >= 0) follow(plot.at[place], area);
    });
  }

  // ---------------------------------------------------------------------------- links and the story
  document.addEventListener("click", (event) => {
    const at = event.target.closest("a[data-step]");
    if (!at || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    follow(keys.indexOf(at.dataset.step), at.dataset.area ?? "");
  });
  const reader = new IntersectionObserver((seen) => {
    for (const { isIntersecting, target } of seen) near[isIntersecting ? "add" : "delete"](target);
    read();
  }, { rootMargin: "-255px 0px -50% 0px" });
  for (const one of document.querySelectorAll("li[data-step]")) reader.observe(one);

  watching.forEach((one) => one());
  document.documentElement.removeAttribute("aria-busy");
});
