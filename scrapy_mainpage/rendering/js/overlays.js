// Marks overlays that ask for consent, and returns their number. Such an overlay often
// has most of a page's sentences, and generated class names do not identify it; its
// position in the browser does. Each one gets a role and a class that the extraction
// reads; nothing is removed.
//
// As in layout.js the browser's methods are taken from the prototypes.
(role, name) => {
  const MAX_NODES = 40_000;
  const MAX_TEXTS = 200; // that mention cookies
  const MIN_SENTENCE = 30; // characters of a sentence; a third of it in scripts without spaces
  const MAX_GROWTH = 2.5; // text around the sentences, as a multiple of theirs
  const MIN_PAGE = 1000; // characters
  const MIN_Z_INDEX = 10; // of an absolute position
  const LANDMARKS = `main, article, nav, [role="main"], [role="navigation"],
    [role="article"]`;
  const BUTTONS = `button, [role="button"], input[type="button"],
    input[type="submit"], a[href^="#"], a[href^="javascript:"], a:not([href])`;
  const COOKIES = new RegExp(
    "cookie|kuki|koekjes|küpsis|slapuk|sīkdat|sütik|kolačić|piškotk|evästei|vafrakök|" +
      "informasjonskaps|çerez|куки|бисквитк|колачић|クッキー|쿠키|คุกกี้|ملفات تعريف|" +
      "الكوكيز|עוגיות|کوکی|कुकी|gdpr|dsgvo|rgpd|ccpa", "i");
  const CONSENT = new RegExp(
    "consent|einwillig|zustimm|toestemming|samtyck|samtykk|suostumu|zgod|souhlas|" +
      "súhlas|hozzájárul|consim[tț]|acord|privola|soglas|согласи|згод|съгласи|" +
      "συγκατάθεσ|συναίνεσ|nõusolek|sutikim|piekriš|onay|rıza|persetujuan|đồng ý|" +
      "同意|동의|ยินยอม|موافق|הסכמ", "i");
  const DATA = new RegExp(
    "privacy|privat|personal|persönlich|daten|data|donn[ée]es|dat[io]s|dados|dane|" +
      "údaj|adat|данн|персонал|конфиденц|partner|vendor|個人|个人|資料|データ|개인|" +
      "ข้อมูล|بيانات|מידע|δεδομένα|veri|tracking|advert|werb|publicit|anunci", "i");

  const get = (type, property) =>
    Object.getOwnPropertyDescriptor(type.prototype, property).get;
  const [first, next, above, typeOf] =
    ["firstChild", "nextSibling", "parentNode", "nodeType"].map((p) => get(Node, p));
  const textOf = get(Node, "textContent"), dataOf = get(CharacterData, "data");
  const nameOf = get(Element, "localName"), shadowOf = get(Element, "shadowRoot");
  const hostOf = get(ShadowRoot, "host");
  const { getAttribute, setAttribute, querySelector, querySelectorAll } =
    Element.prototype;
  const { contains } = Node.prototype;
  const skipped = /^(head|script|style|noscript|template|svg|iframe|textarea|select|a)$/;

  const speaks = (text) => {
    const size = /[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]/.test(text) ? 3 : 1;
    return text.length * size >= MIN_SENTENCE &&
      (COOKIES.test(text) || (CONSENT.test(text) && DATA.test(text)));
  };
  let left = MAX_NODES;
  const texts = [];
  const collect = (parent) => {
    for (let node = first.call(parent); node && left > 0; node = next.call(node)) {
      left--;
      if (typeOf.call(node) === 3) {
        const isOne = texts.length < MAX_TEXTS && speaks(dataOf.call(node).trim());
        if (isOne) texts.push(node);
      } else if (typeOf.call(node) === 1 && !skipped.test(nameOf.call(node))) {
        const shadow = shadowOf.call(node);
        if (shadow) collect(shadow);
        collect(node);
      }
    }
  };

  // The element over the page that contains a text.
  const isLayer = (element) => {
    const { position, zIndex } = getComputedStyle(element);
    return position === "fixed" || position === "sticky" ||
      (position === "absolute" && zIndex >= MIN_Z_INDEX) ||
      (nameOf.call(element) === "dialog" && getAttribute.call(element, "open") !== null);
  };
  const root = get(Document, "documentElement").call(document);
  if (!root) return 0; // a document that has only just begun
  const layerOf = (text) => {
    for (let node = above.call(text); node; node = above.call(node) || host(node)) {
      const isElement = typeOf.call(node) === 1;
      if (isElement && /^(html|body)$/.test(nameOf.call(node))) return null;
      if (isElement && isLayer(node)) return node;
    }
    return null;
  };
  const host = (node) => (node instanceof ShadowRoot ? hostOf.call(node) : null);
  const size = (element) => textOf.call(element).length;

  // From the sentences up to the whole overlay, but not to a page inside a layer.
  const widen = (layer, sentences) => {
    if (!contains.call(layer, sentences[0])) return layer;
    let element = above.call(sentences[0]);
    while (!sentences.every((text) => contains.call(element, text))) {
      element = above.call(element);
    }
    while (element !== layer) {
      const around = above.call(element);
      const most = Math.max(MAX_GROWTH * size(element), MIN_PAGE, size(root) / 2);
      if (size(around) > most) break;
      element = around;
    }
    return element;
  };

  collect(root);
  const layers = new Map();
  for (const text of texts) {
    const layer = layerOf(text);
    if (layer) layers.set(layer, [...(layers.get(layer) || []), text]);
  }
  let marked = 0;
  for (const [layer, sentences] of layers) {
    const element = widen(layer, sentences);
    if (querySelector.call(element, LANDMARKS) ||
        !(shadowOf.call(layer) || querySelector.call(layer, BUTTONS))) continue;
    setAttribute.call(element, "role", role);
    // Parts of it may have names of content.
    for (const part of [element, ...querySelectorAll.call(element, "*")]) {
      const names = getAttribute.call(part, "class");
      if (names && names.endsWith(name)) continue;
      setAttribute.call(part, "class", names ? `${names} ${name}` : name);
    }
    marked++;
  }
  return marked;
}
