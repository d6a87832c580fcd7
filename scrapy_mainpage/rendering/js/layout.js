// Stamps each element with its number and returns the layout as one JSON string.
// Read by scrapy_mainpage.extraction.document.layout; called with the stamp's name, the
// display values whose places are the codes, and the largest length it may write.
//
// Pages hide the browser's own methods: a form field named "setAttribute" hides its
// form's, old libraries give arrays a toJSON. So methods are taken from the prototypes
// and the JSON is written by hand.
(stamp, displays, limit) => {
  const codes = new Map(displays.map((name, code) => [name, code]));
  const other = codes.get("block");
  const contents = codes.get("contents");
  const boxOf = Element.prototype.getBoundingClientRect;
  const isRendered = Element.prototype.checkVisibility;
  const nameOf = Object.getOwnPropertyDescriptor(Element.prototype, "localName").get;
  const setAttribute = Element.prototype.setAttribute;
  const all = Document.prototype.querySelectorAll.call(document, "*");
  const root = all[0];
  const body = root && Element.prototype.querySelector.call(root, ":scope > body");
  const clip = (value) => Math.min(Math.max(value, -limit), limit) || 0;
  const length = (value) => Math.round(clip(value) * 10) / 10;
  // HTML knows no name with other characters.
  const quote = (name) => `"${/^[\w-]+$/.test(name) ? name : ""}"`;
  const list = (values) => "[" + values.join(",") + "]";

  const names = new Map();
  const columns = {
    tag: [], x: [], y: [], width: [], height: [],
    display: [], visible: [], opacity: [], font: [],
  };
  // Everything is read before anything is stamped: no style is computed twice.
  for (const element of all) {
    const name = nameOf.call(element);
    const box = boxOf.call(element);
    const style = getComputedStyle(element);
    const display = codes.has(style.display) ? codes.get(style.display) : other;
    const has = box.width || box.height || box.left || box.top;
    // Closed details and the like have boxes but are not rendered.
    const rendered = display === contents || isRendered.call(element);
    if (!names.has(name)) names.set(name, names.size);
    columns.tag.push(names.get(name));
    columns.x.push(has ? length(box.left + window.scrollX) : 0);
    columns.y.push(has ? length(box.top + window.scrollY) : 0);
    columns.width.push(length(box.width));
    columns.height.push(length(box.height));
    columns.display.push(display);
    columns.visible.push(style.visibility === "visible" && rendered ? 1 : 0);
    columns.opacity.push(Math.round(parseFloat(style.opacity) * 1000) / 1000);
    columns.font.push(length(parseFloat(style.fontSize)));
  }
  // Texts beside elements, with their parent and the last element that began before.
  const texts = { text_parent: [], text_after: [], text_x: [], text_y: [],
    text_width: [], text_height: [] };
  const numbers = new Map();
  for (let number = 0; number < all.length; number++) numbers.set(all[number], number);
  const walker = Document.prototype.createTreeWalker.call(document, document, 5);
  const range = Document.prototype.createRange.call(document);
  for (let node = walker.nextNode(), after = -1; node; node = walker.nextNode()) {
    if (!(node instanceof CharacterData)) { after++; continue; }
    if (!node.previousElementSibling && !node.nextElementSibling) continue;
    if (!/\S/.test(node.data)) continue;
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    texts.text_parent.push(numbers.get(node.parentNode));
    texts.text_after.push(after);
    texts.text_x.push(length(box.left + window.scrollX));
    texts.text_y.push(length(box.top + window.scrollY));
    texts.text_width.push(length(box.width));
    texts.text_height.push(length(box.height));
  }
  for (let number = 0; number < all.length; number++) {
    setAttribute.call(all[number], stamp, number);
  }

  const page = ["scrollWidth", "scrollHeight"].map((size) =>
    length(Math.max(root ? root[size] : 0, body ? body[size] : 0)));
  const fields = [
    ["version", 1],
    ["window", list([length(window.innerWidth), length(window.innerHeight)])],
    ["page", list(page)],
    ["tags", list([...names.keys()].map(quote))],
    ...Object.entries({ ...columns, ...texts }).map(([name, values]) => [name, list(values)]),
  ];
  return "{" + fields.map(([name, value]) => `"${name}":${value}`).join(",") + "}";
}
