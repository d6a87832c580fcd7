// Clicks what selectors name, for more content of the page: one element at a time, each
// again only while it adds text. Neither links to other pages nor submits, fields, and
// what stands in overlays.
//
// Returns an object with click and finish; settle.py waits between its calls. As in
// layout.js the browser's methods are taken from the prototypes.
(selectors) => {
  const MAX_FOUND = 2000; // elements that are looked through at a time
  const MIN_GROWTH = 10;
  const MAX_PANELS = 40, MIN_PANEL = 20, MAX_PANEL = 100_000; // kept, and their characters
  const PANELS = `[role="tabpanel"], [role="region"]`;
  const OVERLAYS = `dialog, [role="dialog"], [role="alertdialog"], [class*="consent" i],
    [id*="consent" i], [class*="cookie" i], [id*="cookie" i]`;
  const FIELDS = `input, select, textarea, option, label, [contenteditable], [download]`;
  const OPEN = `[aria-expanded="true"], [aria-selected="true"], details[open] > summary`;
  const TOGGLES = `[aria-expanded], [aria-selected], [role="tab"], summary`;
  const HERE = /^(#(?!!?\/).|javascript:)/i; // what a link does on the page itself

  const free = Function.prototype.bind.bind(Function.prototype.call);
  const { matches, closest, getAttribute, checkVisibility } = Element.prototype;
  const [is, within, attribute, isShown] =
    [matches, closest, getAttribute, checkVisibility].map((it) => free(it));
  const findAll = free(Document.prototype.querySelectorAll);
  const press = free(HTMLElement.prototype.click);
  const listen = free(EventTarget.prototype.addEventListener);
  const unlisten = free(EventTarget.prototype.removeEventListener);
  const rename = free(History.prototype.replaceState);
  const textOf = free(Object.getOwnPropertyDescriptor(Node.prototype, "textContent").get);
  const home = location.href;
  const placeOf = ({ pathname, hash }) => pathname + (/^#!?\/./.test(hash) ? hash : "");
  let place = placeOf(location);

  const hrefOf = (element) => {
    const link = within(element, "a[href]");
    return link ? attribute(link, "href").trim() : "";
  };
  const leads = (element) => {
    const href = hrefOf(element);
    return href !== "" && href !== "#" && !HERE.test(href);
  };
  const submits = (element) => {
    const button = within(element, "button");
    return Boolean(button && button.form && button.type !== "button");
  };
  const may = (element) =>
    element instanceof HTMLElement && isShown(element) && !element.disabled &&
    !is(element, FIELDS) && !is(element, OPEN) && !within(element, OVERLAYS) &&
    !leads(element) && !submits(element) &&
    attribute(element, "aria-disabled") !== "true";

  const clicked = new Map(); // element -> its text at the last click
  const isNew = (element) => !clicked.has(element) ||
    (element === last && grown && !is(element, TOGGLES) && clicked.get(element) === textOf(element));
  const search = (selector) => {
    let found = [];
    try {
      found = findAll(document, selector);
    } catch {
      return null; // none that this browser knows
    }
    for (let at = 0; at < found.length && at < MAX_FOUND; at++) {
      if (isNew(found[at]) && may(found[at])) return found[at];
    }
    return null;
  };
  const choose = () => {
    for (const selector of selectors) {
      const found = search(selector);
      if (found) return found;
    }
    return null;
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
    unlisten(window, "click", stay);
    if (navigation) unlisten(navigation, "navigate", hold);
    if (location.href !== home) rename(history, history.state, "", home);
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
  // A list that grows may give itself the address of what it added.
  let away = false, renamed = false;
  const hold = (event) => {
    const { sameDocument, url } = event.destination;
    if (sameDocument && placeOf(new URL(url)) === place) return;
    if (sameDocument && event.navigationType === "replace") {
      renamed = true;
      return;
    }
    away = true;
    if (event.cancelable) event.preventDefault();
  };
  const stay = (event) => {
    const isLink = event.target instanceof Element && within(event.target, "a[href]");
    if (isLink && !HERE.test(hrefOf(event.target))) event.preventDefault();
  };
  // A page may have a variable of this name.
  const navigation = window.navigation instanceof EventTarget ? window.navigation : null;
  listen(window, "click", stay);
  if (navigation) listen(navigation, "navigate", hold);

  // Clicks; growth is that of the text since the last click. Returns "clicked", "away"
  // or "" for nothing left.
  let last = null, grown = false;
  const click = (growth) => {
    grown = growth >= MIN_GROWTH;
    if (renamed && grown) place = placeOf(location);
    if (away || placeOf(location) !== place) return "away";
    renamed = false;
    last = choose();
    if (!last) return "";
    clicked.set(last, textOf(last));
    keepPanels();
    press(last);
    return "clicked";
  };
  return { click, finish };
}
