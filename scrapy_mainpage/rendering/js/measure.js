// Measures the text of a page's main content without a layout, and scrolls.
// Called by settle.js before the page runs, with its two functions that capture the
// browser's own methods. Menus, headers, footers, sidebars, dialogues, consent boxes and
// the text of links do not count, nor anything beyond the limits here.
(free, getter) => {
  const MAX_NODES = 40_000;
  const MAX_CHARACTERS = 1_000_000;
  const MAX_DEPTH = 400;
  const MAX_NOTICE_CHARACTERS = 400; // characters: shorter texts are searched for loading notices

  const set = (words) => {
    const names = { __proto__: null };
    for (const word of words.split(/\s+/)) names[word] = true;
    return names;
  };
  const OTHER_TAGS = set(`head script style noscript template nav header footer aside
    svg math iframe object audio video canvas select textarea button dialog`);
  const OTHER_ROLES = set(`navigation banner contentinfo complementary search menu
    menubar dialog alertdialog`);
  const CONSENT = new RegExp(
    "(^|[^a-z])(cookies?|gdpr|dsgvo|ccpa|onetrust|didomi|usercentrics|qc-cmp2?|klaro|" +
      "osano|cmp(lz|box)|truste|iubenda|borlabs|termly|sp_message)([^a-z]|$)|" +
      "cookie-?_?(consent|banner|bar|notice|bot|law|box)|consent-?_?(banner|bar|box)",
    "i");
  const LOADING = new RegExp(
    "loading|please wait|just a moment|one moment|redirecting|wird geladen|lädt|" +
      "laden|bitte warten|weiterleitung|chargement|patienter|cargando|espere|" +
      "caricamento|attendere|carregando|aguarde|wczytywanie|ładowanie|načítání|" +
      "laster|laddar|indlæser|ladataan|загрузка|подождите|завантаження|" +
      "yükleniyor|加载中|載入中|读取中|読み込み中|로딩|جار التحميل|טוען", "i");
  const PLACEHOLDERS = `[aria-busy="true"], [role="progressbar"], [class*="skeleton" i],
    [class*="spinner" i], [class*="loading" i], [class*="loader" i],
    [class*="shimmer" i], [class*="preload" i], [id*="loading" i], [id*="loader" i]`;
  const REFRESH = `meta[http-equiv="refresh" i]`;
  const MAX_REFRESH_SECONDS = 5;
  const MAX_PLACEHOLDERS = 20;
  const SCREEN = 0.9; // how much of the window one step scrolls

  const first = getter(Node, "firstChild");
  const next = getter(Node, "nextSibling");
  const above = getter(Node, "parentElement");
  const typeOf = getter(Node, "nodeType");
  const nameOf = getter(Element, "localName");
  const shadowOf = getter(Element, "shadowRoot");
  const dataOf = getter(CharacterData, "data");
  const rootOf = getter(Document, "documentElement");
  const stateOf = getter(Document, "readyState");
  const scrollerOf = getter(Document, "scrollingElement");
  const attribute = free(Element.prototype.getAttribute);
  const codeAt = free(String.prototype.charCodeAt);
  const matches = free(RegExp.prototype.exec);
  const find = free(Document.prototype.querySelector);
  const findAll = free(Document.prototype.querySelectorAll);
  const lengthOf = getter(NodeList, "length");
  const isRendered = free(Element.prototype.checkVisibility);
  const pointedAt = free(Document.prototype.elementFromPoint);
  const heightOf = getter(Element, "scrollHeight");
  const shownOf = getter(Element, "clientHeight");
  const offsetOf = getter(Element, "scrollTop");
  const scrollTo = free(Element.prototype.scrollTo);
  const toNumber = parseFloat;
  const page = document;

  const text = { words: 0, linked: 0, characters: 0 };
  let left = 0; // nodes
  let room = 0; // characters
  let sampled = 0; // characters outside of links that were searched for notices
  let notices = []; // elements with such a notice

  // Words between spaces; in scripts without spaces a character is a part of a word.
  const countText = (data, isLinked) => {
    const size = data.length < room ? data.length : room;
    let words = 0, characters = 0, outside = true;
    for (let at = 0; at < size; at++) {
      const code = codeAt(data, at);
      if (code <= 32 || code === 160) {
        outside = true;
        continue;
      }
      characters++;
      if (code >= 0x2e80 && (code < 0xac00 || code >= 0xf900)) {
        words += 0.6;
        outside = true;
      } else if ((code >= 0xe00 && code < 0x10a0) || (code >= 0x1780 && code < 0x1800)) {
        words += 0.2;
      } else if (outside) {
        words++;
        outside = false;
      }
    }
    room -= size;
    text.characters += characters;
    if (isLinked) text.linked += words;
    else text.words += words;
    return isLinked ? 0 : characters;
  };
  const note = (data, parent, characters) => {
    if (!characters || sampled >= MAX_NOTICE_CHARACTERS) return;
    sampled += data.length;
    if (typeOf(parent) === 1 && matches(LOADING, data)) {
      notices[notices.length] = parent;
    }
  };
  const isOther = (element, name) => {
    if (OTHER_TAGS[name]) return true;
    const role = attribute(element, "role");
    if (role && OTHER_ROLES[role]) return true;
    const id = attribute(element, "id"), names = attribute(element, "class");
    return Boolean((id && matches(CONSENT, id)) || (names && matches(CONSENT, names))) &&
      name !== "body" && name !== "html";
  };
  const walk = (parent, isLinked, depth, watch) => {
    for (let node = first(parent); node && left > 0 && room > 0; node = next(node)) {
      left--;
      const type = typeOf(node);
      if (type === 3) {
        const data = dataOf(node);
        note(data, parent, countText(data, isLinked));
      } else if (type === 1 && depth < MAX_DEPTH) {
        const name = nameOf(node);
        if (isOther(node, name)) continue;
        const shadow = shadowOf(node);
        if (shadow) {
          watch(shadow);
          walk(shadow, isLinked, depth + 1, watch);
        }
        walk(node, isLinked || name === "a", depth + 1, watch);
      }
    }
  };

  // Counts from scratch; calls watch with each shadow root.
  const count = (watch) => {
    text.words = text.linked = text.characters = 0;
    left = MAX_NODES;
    room = MAX_CHARACTERS;
    sampled = 0;
    notices = [];
    const root = rootOf(page);
    if (root) walk(root, false, 0, watch);
    text.words = Math.round(text.words);
    text.linked = Math.round(text.linked);
  };

  // 1 if the page announces that its text is still to come.
  const hasPlaceholder = () => {
    if (sampled >= MAX_NOTICE_CHARACTERS) return 0;
    if (isAnyShown(notices, notices.length)) return 1;
    const refresh = find(page, REFRESH);
    const seconds = refresh ? toNumber(attribute(refresh, "content")) : NaN;
    if (seconds <= MAX_REFRESH_SECONDS) return 1;
    const found = findAll(page, PLACEHOLDERS);
    return isAnyShown(found, lengthOf(found)) ? 1 : 0;
  };
  const isAnyShown = (elements, size) => {
    const most = size < MAX_PLACEHOLDERS ? size : MAX_PLACEHOLDERS;
    for (let at = 0; at < most; at++) {
      if (isRendered(elements[at], { __proto__: null, visibilityProperty: true })) {
        return true;
      }
    }
    return false;
  };

  // Scrolls the page, and the scrollable elements in the middle of the window.
  const moved = [];
  const put = (element, top) =>
    scrollTo(element, { __proto__: null, top, behavior: "instant" });
  const move = (element) => {
    const before = offsetOf(element);
    put(element, before + shownOf(element) * SCREEN);
    if (offsetOf(element) <= before) return false;
    moved[moved.length] = element;
    return true;
  };
  const scroll = () => {
    const root = scrollerOf(page);
    let height = root ? heightOf(root) : 0;
    let isMoved = root ? move(root) : false;
    let inner = pointedAt(page, window.innerWidth / 2, window.innerHeight / 2);
    for (; inner && inner !== root; inner = above(inner)) {
      if (heightOf(inner) <= shownOf(inner) || !shownOf(inner)) continue;
      height += heightOf(inner);
      isMoved = move(inner) || isMoved;
    }
    return height + " " + (isMoved ? 1 : 0);
  };
  const scrollToTop = () => {
    for (let at = moved.length - 1; at >= 0; at--) put(moved[at], 0);
    moved.length = 0;
    return "";
  };

  return {
    __proto__: null,
    text, count, hasPlaceholder, scroll, scrollToTop,
    readyState: () => stateOf(page),
  };
}
