// Returns the page's content type, its encoding and its source as it is now, open shadow
// roots and frames of the same site included; no source if it is longer than the limit.
//
// Methods are taken from the prototypes, as in layout.js: pages hide the browser's own.
(limit) => {
  const all = Document.prototype.querySelectorAll;
  const within = DocumentFragment.prototype.querySelectorAll;
  const shadowOf = Object.getOwnPropertyDescriptor(Element.prototype, "shadowRoot").get;
  const root = all.call(document, ":root")[0];
  if (!root) return [document.contentType, "", ""];

  const shadows = [];
  const collect = (elements) => {
    for (const element of elements) {
      const shadow = shadowOf.call(element);
      if (shadow) {
        shadows.push(shadow);
        collect(within.call(shadow, "*"));
      }
    }
  };
  collect(all.call(document, "*"));

  // A frame's document becomes its attribute: the page is closed after this.
  const MAX_FRAMES = 10;
  const outer = Object.getOwnPropertyDescriptor(Element.prototype, "outerHTML").get;
  const inside = Object.getOwnPropertyDescriptor(
    HTMLIFrameElement.prototype, "contentDocument").get;
  const frames = all.call(document, "iframe[src]:not([srcdoc])");
  for (let at = 0; at < frames.length && at < MAX_FRAMES; at++) {
    const held = inside.call(frames[at]);
    if (!held || !held.documentElement || held.URL === "about:blank") continue;
    const text = outer.call(held.documentElement);
    if (text.length < limit) Element.prototype.setAttribute.call(frames[at], "srcdoc", text);
  }

  const inner = Element.prototype.getHTML
    ? Element.prototype.getHTML.call(root, { shadowRoots: shadows })
    : Object.getOwnPropertyDescriptor(Element.prototype, "innerHTML").get.call(root);
  const shell = Node.prototype.cloneNode.call(root, false);
  const [opening] = outer.call(shell).split("</");
  const doctype = document.doctype ? `<!DOCTYPE ${document.doctype.name}>` : "";
  // Joined first: a page may return something else than a string.
  const source = `${doctype}${opening}${inner}</html>`;
  const known = [document.contentType, document.characterSet];
  return [...known, source.length > limit ? null : source];
}
