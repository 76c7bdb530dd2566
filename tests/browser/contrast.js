// Text whose contrast with what lies behind it is under 4.5 (3 for large letters), and letters under 9.5 px.
// Backgrounds are composited from computed colours through the ancestors; patterns and pictures are left out.
() => {
  const parse = (text) => {
    const rgb = text.match(/^rgba?\(([^)]+)\)/);
    if (rgb) {
      const [r, g, b, a = 1] = rgb[1].split(/[ ,/]+/).map(Number);
      return [r / 255, g / 255, b / 255, a];
    }
    const srgb = text.match(/^color\(srgb ([^)]+)\)/);
    if (!srgb) return [0, 0, 0, 0];
    const [r, g, b, a = 1] = srgb[1].split(/[ /]+/).map(Number);
    return [r, g, b, a];
  };
  const over = (top, below) => {
    const alpha = top[3] + below[3] * (1 - top[3]);
    const mix = (i) => (top[i] * top[3] + below[i] * below[3] * (1 - top[3])) / alpha;
    return alpha ? [mix(0), mix(1), mix(2), alpha] : [0, 0, 0, 0];
  };
  const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const light = (c) => 0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2]);
  const bad = [];
  const seen = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || seen.has(element)) continue;
    seen.add(element);
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    if (box.width < 2 || style.visibility !== "visible" || element.closest(".vh,.skip,option,script,noscript,[hidden]")) continue;
    let back = [0, 0, 0, 0];
    let opacity = 1;
    for (let at = element; at && back[3] < 0.995; at = at.parentElement) {
      const own = getComputedStyle(at);
      back = over(back, parse(own.backgroundColor));
      opacity *= Number(own.opacity);
    }
    const front = parse(style.color);
    const ink = over([front[0], front[1], front[2], front[3] * opacity], back);
    const [dark, bright] = [light(ink) + 0.05, light(back) + 0.05].sort((a, b) => a - b);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.6 && Number(style.fontWeight) >= 700);
    const what = `${node.textContent.trim().slice(0, 30)} (${element.tagName}.${element.className})`;
    if (bright / dark < (large ? 3 : 4.5)) bad.push(`${(bright / dark).toFixed(2)} ${what}`);
    if (size < 9.5) bad.push(`${size}px ${what}`);
  }
  return bad.slice(0, 8);
}
