// Every text of the page that has less than `least` to what is painted under it. A text over an
// image or a gradient cannot be computed and is left out. The window must be as high as the page.
(least) => {
  const paint = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (css) => {
    if (!known.has(css)) {
      paint.clearRect(0, 0, 1, 1);
      paint.fillStyle = css;
      paint.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = paint.getImageData(0, 0, 1, 1).data;
      known.set(css, [r, g, b, a / 255]);
    }
    return known.get(css);
  };
  const opacity = (element) => {
    let product = 1;
    for (let e = element; e; e = e.parentElement) product *= Number(getComputedStyle(e).opacity);
    return product;
  };
  const over = (top, ground) => {
    const [r, g, b, a] = top;
    return [r, g, b].map((value, i) => value * a + ground[i] * (1 - a));
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => {
    const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.cssText = "color: Canvas; position: absolute";
  const canvas = rgba(getComputedStyle(probe).color).slice(0, 3);
  probe.remove();

  // What one element paints under a text: a colour with alpha, null for nothing, undefined for
  // what cannot be computed.
  const painted = (element) => {
    const style = getComputedStyle(element);
    if (element instanceof SVGElement && !(element instanceof SVGSVGElement)) {
      if (element instanceof SVGTextContentElement) return null;
      if (!(element instanceof SVGGeometryElement)) return undefined;
      const isFilled = style.fill !== "none";
      const colour = isFilled ? style.fill : style.stroke;
      if (colour.startsWith("url")) return undefined;
      const [r, g, b, a] = rgba(colour);
      return [r, g, b, a * Number(isFilled ? style.fillOpacity : style.strokeOpacity)];
    }
    if (["IMG", "CANVAS", "VIDEO", "OBJECT", "IFRAME"].includes(element.tagName)) return undefined;
    if (style.backgroundImage !== "none") return undefined;
    return rgba(style.backgroundColor);
  };
  const groundAt = (element, x, y) => {
    const stack = document.elementsFromPoint(x, y);
    const from = stack.indexOf(element);
    if (from < 0) return undefined;
    const layers = [];
    for (const under of [...stack.slice(from), document.body]) {
      const layer = painted(under);
      if (layer === undefined) return undefined;
      if (layer === null) continue;
      layers.push([...layer.slice(0, 3), layer[3] * opacity(under)]);
      if (layers.at(-1)[3] > 0.995) break;
    }
    return layers.reverse().reduce((ground, layer) => over(layer, ground), canvas);
  };
  const haloOf = (style) => {
    const isHalo = style.paintOrder.startsWith("stroke") && parseFloat(style.strokeWidth) >= 1;
    return isHalo && !/^(none|url)/.test(style.stroke) ? rgba(style.stroke).slice(0, 3) : undefined;
  };

  const sheet = document.head.appendChild(document.createElement("style"));
  sheet.textContent =
    "* { pointer-events: auto !important } svg * { pointer-events: visiblePainted !important }";
  const said = [];
  let measured = 0;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const words = texts.currentNode.data.trim();
    const element = texts.currentNode.parentElement;
    if (!words || element.closest("script, style, noscript, option, :disabled")) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const box = [...range.getClientRects()].find((rect) => rect.width > 1 && rect.height > 1);
    const style = getComputedStyle(element);
    if (!box || style.visibility !== "visible") continue;
    const isDrawn = element instanceof SVGElement;
    const ground =
      (isDrawn && haloOf(style)) ||
      groundAt(element, box.x + box.width / 2, box.y + box.height / 2);
    const colour = isDrawn ? style.fill : style.color;
    if (!ground || colour.startsWith("url") || colour === "none") continue;
    measured += 1;
    const [r, g, b, a] = rgba(colour);
    const alpha = a * opacity(element) * (isDrawn ? Number(style.fillOpacity) : 1);
    const found = ratio(over([r, g, b, alpha], ground), ground);
    if (found < least - 0.005) {
      said.push(`${found.toFixed(2)}:1 in <${element.tagName.toLowerCase()}> "${words.slice(0, 40)}"`);
    }
  }
  sheet.remove();
  const page = [getComputedStyle(document.documentElement), getComputedStyle(document.body)]
    .map((style) => rgba(style.backgroundColor))
    .find((layer) => layer[3] > 0.995);
  return { said, measured, ground: light((page ?? canvas).slice(0, 3)) };
};
