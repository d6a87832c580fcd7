// Clicks what brings more content of the page: elements that selectors name, and buttons
// with a label such as "Show more". One element at a time, each again only while it adds
// text. Neither links to other pages nor submits, logins, purchases or consent.
//
// Returns an object with click and finish; settle.py waits between its calls. As in
// layout.js the browser's methods are taken from the prototypes.
(selectors, more, never) => {
  const MAX_FOUND = 2000; // elements that are looked through at a time
  const MAX_LABEL = 60; // characters
  const MIN_LOSS = 40; // characters: a click that took so many is undone by another
  const MIN_GROWTH = 10;
  const MAX_PANELS = 40, MIN_PANEL = 20, MAX_PANEL = 100_000; // kept, and their characters
  const BUTTONS = `button, summary, [role="button"], a, [onclick]`;
  const PANELS = `[role="tabpanel"], [role="region"]`;
  const FRAME = `nav, header, footer, aside, form, dialog, [role="navigation"],
    [role="banner"], [role="contentinfo"], [role="complementary"]`;
  const OVERLAYS = `dialog, [role="dialog"], [role="alertdialog"], [class*="consent" i],
    [id*="consent" i], [class*="cookie" i], [id*="cookie" i]`;
  const FIELDS = `input, select, textarea, option, label, [contenteditable], [download]`;
  const OPEN = `[aria-expanded="true"], [aria-selected="true"], details[open] > summary`;
  const TOGGLES = `[aria-expanded], [aria-selected], [role="tab"], summary`;

  const free = Function.prototype.bind.bind(Function.prototype.call);
  const { matches, closest, getAttribute, checkVisibility } = Element.prototype;
  const [is, within, attribute, isShown] =
    [matches, closest, getAttribute, checkVisibility].map((it) => free(it));
  const findAll = free(Document.prototype.querySelectorAll);
  const press = free(HTMLElement.prototype.click);
  const textOf = free(Object.getOwnPropertyDescriptor(Node.prototype, "textContent").get);
  const isMore = more && new RegExp(`^(?:${more})$`, "iu");
  const isNever = new RegExp(never, "iu");
  const place = location.pathname;
  const route = () => (/^#!?\/./.test(location.hash) ? location.hash : "");
  const first = route();

  const labelOf = (element) =>
    (textOf(element).trim() || attribute(element, "aria-label") || "").slice(0, 4 * MAX_LABEL)
      .replace(/[\d()[\]{}.,:;…+>»›▼▾▸→↓*_-]+/gu, " ").replace(/\s+/gu, " ").trim();
  const leads = (element) => {
    const link = within(element, "a[href]");
    const href = link ? attribute(link, "href").trim() : "";
    return Boolean(href) && !/^(#(?!!?\/)|javascript:)/i.test(href);
  };
  const submits = (element) => {
    const button = within(element, "button");
    return Boolean(button && button.form && button.type !== "button");
  };
  // A question or a heading that opens its answer may have any words.
  const acts = (element) => {
    const label = labelOf(element);
    const isHeading = label.length > MAX_LABEL / 2 || /[?？؟;]$/.test(label);
    return !is(element, TOGGLES) && !isHeading && isNever.test(label);
  };
  const may = (element) =>
    element instanceof HTMLElement && isShown(element) && !element.disabled &&
    !is(element, FIELDS) && !is(element, OPEN) && !within(element, OVERLAYS) &&
    !leads(element) && !submits(element) && !acts(element) &&
    attribute(element, "aria-disabled") !== "true";

  const clicked = new Map(); // element -> its label at the last click
  const isNew = (element) => !clicked.has(element) ||
    (element === last && grown && !is(element, TOGGLES) && clicked.get(element) === labelOf(element));
  const search = (selector, fits) => {
    let found = [];
    try {
      found = findAll(document, selector);
    } catch {
      return null; // none that this browser knows
    }
    for (let at = 0; at < found.length && at < MAX_FOUND; at++) {
      if (isNew(found[at]) && may(found[at]) && fits(found[at])) return found[at];
    }
    return null;
  };
  const saysMore = (element) => {
    const label = labelOf(element);
    return label.length <= MAX_LABEL && isMore.test(label) && !within(element, FRAME);
  };
  const choose = () => {
    for (const selector of selectors) {
      const found = search(selector, () => true);
      if (found) return found;
    }
    return isMore ? search(BUTTONS, saysMore) : null;
  };

  // Panels that the next click may replace: those lost at the end are put back.
  const panels = [];
  const keepPanels = () => {
    for (const panel of findAll(document, PANELS)) {
      const text = textOf(panel).trim();
      if (text.length < MIN_PANEL || text.length > MAX_PANEL || !isShown(panel)) continue;
      if (panels.length < MAX_PANELS && !panels.some((kept) => kept.text === text)) {
        panels.push({ text, copy: panel.cloneNode(true), panel, parent: panel.parentNode });
      }
    }
  };
  const finish = () => {
    removeEventListener("click", stay);
    if (window.navigation) navigation.removeEventListener("navigate", hold);
    if (!panels.length) return;
    const body = document.body.cloneNode(true);
    for (const code of body.querySelectorAll("script, style")) code.remove();
    const whole = textOf(body);
    for (const { text, copy, panel, parent } of panels) {
      const beside = panel.isConnected ? panel.parentNode : parent;
      if (!whole.includes(text) && beside && beside.isConnected) beside.append(copy);
    }
  };

  // The page stays where it is: what a click would open instead is another page.
  let away = false;
  const hold = (event) => {
    const to = new URL(event.destination.url);
    const isOther = !event.destination.sameDocument || to.pathname !== place ||
      (/^#!?\/./.test(to.hash) ? to.hash : "") !== first;
    away = away || isOther;
    if (event.cancelable) event.preventDefault();
  };
  const stay = (event) => {
    if (event.target instanceof Element && within(event.target, "a")) event.preventDefault();
  };
  addEventListener("click", stay);
  if (window.navigation) navigation.addEventListener("navigate", hold);

  // Clicks; growth is that of the text since the last click. Returns "clicked", "away"
  // or "" for nothing left.
  let last = null, grown = false, undone = false;
  const click = (growth) => {
    if (away || location.pathname !== place || route() !== first) return "away";
    grown = growth >= MIN_GROWTH;
    const isLost = last && growth <= -MIN_LOSS && !is(last, `[role="tab"]`);
    if (isLost && !undone && last.isConnected && !panels.length) {
      undone = true;
    } else {
      last = choose();
      undone = false;
    }
    if (!last) return "";
    clicked.set(last, labelOf(last));
    keepPanels();
    press(last);
    return "clicked";
  };
  return { click, finish };
}
