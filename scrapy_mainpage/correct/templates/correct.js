// The correcting page. Blocks are the report's; the server gave their state as data.
"use strict";

const pane = document.getElementById("page");
const notice = document.getElementById("status");

async function post(path, data) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(data),
  });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error);
  return said;
}

function say(text) {
  notice.textContent = text;
}

for (const button of document.querySelectorAll("[data-post]")) {
  button.addEventListener("click", async () => {
    try {
      const said = await post(button.dataset.post, {});
      say(said.message);
      button.disabled = true;
    } catch (error) {
      say(`Not done: ${error.message}`);
    }
  });
}

if (pane) correctBlocks(JSON.parse(pane.dataset.state));

function correctBlocks(given) {
  const isKind = (label) => given.kinds.includes(label);
  const elements = new Map();  // block -> its elements; text around an image has several
  for (const element of pane.querySelectorAll(".b")) {
    const block = Number(element.id.slice(1));
    if (!elements.has(block)) elements.set(block, []);
    elements.get(block).push(element);
  }
  const blocks = [...elements.keys()];
  const tips = new Map([...elements.values()].flat().map((element) => [element, element.title]));
  let state = {
    main: given.main.map(Boolean), own: { ...given.own }, fields: { ...given.fields },
  };
  let isSaved = given.saved;
  let current = blocks[0];
  let rangeStart = null;
  let naming = null;  // the blocks that the open menu names
  let clicked = null;  // the block that the last step flipped by a click
  const menus = document.querySelectorAll("select");
  const undone = [], done = [];

  // Changes of the state; each is one step of undo.

  function copy(old) {
    return { main: [...old.main], own: { ...old.own }, fields: { ...old.fields } };
  }

  function change(step, text) {
    done.push(copy(state));
    undone.length = 0;
    step();
    rangeStart = clicked = null;
    isSaved = false;
    draw();
    say(text);
  }

  function restore(from, to, text) {
    if (!from.length) return say(`Nothing to ${text}`);
    to.push(copy(state));
    state = from.pop();
    clicked = null;
    isSaved = false;
    draw();
    say(text === "undo" ? "Undone" : "Done again");
  }

  function mark(list, isMain) {
    const count = list.length === 1 ? "1 block" : `${list.length} blocks`;
    change(() => {
      for (const block of list) {
        state.main[block] = isMain;
        if (block in state.own && isKind(state.own[block]) !== isMain) delete state.own[block];
      }
    }, `${count}: ${isMain ? "main content" : "boilerplate"}`);
  }

  function flip(list) {
    if (list.length) mark(list, !list.every((block) => state.main[block]));
  }

  // A click before a button picks the block that the button is for.
  function pick() {
    if (clicked === current) state = done.pop();
    clicked = null;
  }

  function name(what, value) {
    if (naming) state = done.pop();  // the choice before, on the way to this one
    else pick();
    if (!value) {  // the empty first choice
      naming = null;
      return draw();
    }
    naming ??= picked();
    if (what === "field") return nameField(value);
    change(() => {
      for (const block of naming) {
        state.own[block] = value;
        state.main[block] = isKind(value);
      }
    }, `Label: ${value}`);
  }

  function nameField(field) {
    const isOff = state.fields[field] === current, called = field.replace("_", " ");
    change(() => {
      if (isOff) delete state.fields[field];
      else state.fields[field] = current;
    }, `This block is ${isOff ? "no longer " : ""}the ${called}`);
  }

  // Groups of blocks.

  function range(from, to) {
    const ends = [blocks.indexOf(from), blocks.indexOf(to)].sort((a, b) => a - b);
    return blocks.slice(ends[0], ends[1] + 1);
  }

  function picked() {
    return rangeStart === null ? [current] : range(rangeStart, current);
  }

  function around(selector) {
    let found = elements.get(current)[0].closest(selector);
    // A list in a list is part of the outer one.
    while (found?.parentElement.closest(selector)) found = found.parentElement.closest(selector);
    return blocks.filter((block) => found?.contains(elements.get(block)[0]));
  }

  function level(block) {
    const found = /\bh([1-6])\b/.exec(elements.get(block)[0].className);
    return found ? Number(found[1]) : 0;
  }

  function section() {
    let start = blocks.indexOf(current);
    while (start >= 0 && !level(blocks[start])) start--;
    if (start < 0) return [];
    const landmarks = ".n-main, .n-article, .n-aside, .n-nav, .n-header, .n-footer, .n-dialog, .n-form";
    const heading = elements.get(blocks[start])[0];
    let home = heading.closest(landmarks);
    // The header of an article heads the article.
    while (home?.classList.contains("n-header")) home = home.parentElement.closest(landmarks);
    const found = [blocks[start]];
    for (const block of blocks.slice(start + 1)) {
      const element = elements.get(block)[0];
      const foreign = element.closest(".n-nav, .n-aside, .n-footer");
      if (home ? !home.contains(element) : foreign) break;
      if (level(block) && level(block) <= level(blocks[start])) break;
      found.push(block);
    }
    return found;
  }

  function flipAlike() {
    pick();
    const alike = blocks.filter((block) => given.alike[block] === given.alike[current]);
    mark(alike, !state.main[current]);
  }

  function flipGroup(list, what) {
    if (!list.length) return say(`The block is in no ${what}`);
    pick();
    flip(list);
  }

  // The view.

  function labelOf(block) {
    if (block in state.own) return state.own[block];
    if (state.main[block] === Boolean(given.before[block])) return given.names[given.labels[block]];
    return state.main[block] ? "main content" : "boilerplate";
  }

  function draw() {
    let before = "";
    const inRange = rangeStart === null ? [] : picked();
    for (const block of blocks) {
      const isMain = state.main[block], label = labelOf(block);
      const own = Object.keys(state.fields).filter((key) => state.fields[key] === block);
      const fields = own.map((key) => `the page's ${key.replace("_", " ")}`);
      const tag = [label === before ? "" : label, ...fields].filter(Boolean).join(", ");
      for (const [k, element] of elements.get(block).entries()) {
        element.setAttribute("aria-selected", String(isMain));
        element.title = isMain === Boolean(given.before[block]) ? tips.get(element) : `before: ${tips.get(element)}`;
        element.className = element.className.replace(/\bg-\w+/, `g-${given.groups[label] ?? (isMain ? "main" : "other")}`);
        element.classList.toggle("kept", isMain);
        element.classList.toggle("changed", isMain !== Boolean(given.before[block]));
        element.classList.toggle("picked", inRange.includes(block));
        element.tabIndex = block === current && k === 0 ? 0 : -1;
        setTag(element, k === 0 ? tag : "");
      }
      before = label;
    }
    elements.get(current)?.[0].classList.add("current");
    drawNow();
    document.querySelector("[data-do=undo]").disabled = !done.length;
    document.querySelector("[data-do=redo]").disabled = !undone.length;
  }

  function setTag(element, text) {
    let tag = element.querySelector(":scope > .tag");
    if (!tag && text) {
      tag = document.createElement("span");
      tag.className = "tag";
      element.prepend(tag);
    }
    if (tag && text) tag.textContent = text;
    else tag?.remove();
  }

  function drawNow() {
    const parts = [];
    for (const block of blocks) {
      if (!state.main[block]) continue;
      for (const element of elements.get(block)) {
        const part = element.cloneNode(true);
        for (const attribute of ["id", "title", "role", "tabindex", "aria-selected"]) part.removeAttribute(attribute);
        part.querySelector(":scope > .tag")?.remove();
        part.classList.remove("current", "picked", "changed");
        parts.push(part);
      }
    }
    document.getElementById("now").replaceChildren(...parts);
    document.getElementById("fields").replaceChildren(...Object.entries(state.fields).map(drawField));
  }

  function drawField([field, block]) {
    const row = document.createElement("li"), text = document.createElement("bdi");
    const shown = elements.get(Number(block))?.map((element) => [...element.childNodes]).flat() ?? [];
    text.textContent = shown.filter((node) => node.className !== "tag").map((node) => node.textContent).join("");
    row.append(`${field.replace("_", " ")}: `, text);
    return row;
  }

  function go(block) {
    if (block === undefined) return;
    elements.get(current)?.[0].classList.remove("current");
    current = block;
    if (rangeStart !== null) draw();
    const element = elements.get(current)[0];
    pane.querySelector("[tabindex='0']").tabIndex = -1;
    element.tabIndex = 0;
    element.classList.add("current");
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "nearest" });
  }

  // Actions by name, keys and pointer.

  async function save() {
    const data = { main: state.main.map(Number).join(""), labels: state.own, fields: state.fields };
    try {
      const said = await post(`../save/${pane.dataset.number}`, data);
      isSaved = true;
      say("Saved");
      location.href = said.next;
    } catch (error) {
      say(`Not saved: ${error.message}`);
    }
  }

  const actions = {
    flip: () => flip(picked()),
    section: () => flipGroup(section(), "section"),
    table: () => flipGroup(around(".n-table"), "table"),
    list: () => flipGroup(around(".n-ul, .n-ol, .n-dl"), "list"),
    alike: flipAlike,
    undo: () => restore(done, undone, "undo"),
    redo: () => restore(undone, done, "redo"),
    next: () => go(blocks[blocks.indexOf(current) + 1]),
    previous: () => go(blocks[blocks.indexOf(current) - 1]),
    range: () => {
      rangeStart = current;
      draw();
      say("Range: move, then space");
    },
    end: () => {
      rangeStart = null;
      draw();
      say("");
    },
    label: () => document.getElementById("label").focus(),
    field: () => document.getElementById("field").focus(),
    help: () => document.getElementById("help").toggleAttribute("open"),
    save,
  };
  const keys = {
    " ": "flip", Enter: "flip", h: "section", t: "table", l: "list", a: "alike", u: "undo",
    r: "redo", j: "next", ArrowDown: "next", k: "previous", ArrowUp: "previous",
    x: "range", Escape: "end", m: "label", f: "field", "?": "help", s: "save",
  };

  document.addEventListener("keydown", (event) => {
    const isElsewhere = event.target.closest("button, select, a, summary");
    const isPressed = isElsewhere && [" ", "Enter", "ArrowUp", "ArrowDown"].includes(event.key);
    if (event.ctrlKey || event.metaKey || event.altKey || isPressed) return;
    if (event.target.matches("select") && event.key !== "Escape") return;
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    actions[action]();
    if (isElsewhere && event.key === "Escape") elements.get(current)[0].focus();
  });

  for (const button of document.querySelectorAll("[data-do]")) {
    button.addEventListener("click", () => actions[button.dataset.do]());
  }

  // A closed menu changes with every key: it keeps the focus until Escape.
  let isPicked = false;
  for (const menu of menus) {
    menu.addEventListener("pointerdown", () => { isPicked = true; });
    menu.addEventListener("keydown", () => { isPicked = false; });
    menu.addEventListener("change", () => {
      name(menu.id, menu.value);
      if (isPicked) elements.get(current)[0].focus({ preventScroll: true });
      if (document.activeElement !== menu) endNaming();
    });
    menu.addEventListener("blur", endNaming);
  }
  function endNaming() {
    for (const menu of menus) menu.value = "";
    naming = null;
  }

  let pressed, isDragged = false;
  const blockAt = (event) => {
    const element = event.target.closest?.(".b");
    return element && pane.contains(element) ? Number(element.id.slice(1)) : undefined;
  };
  pane.addEventListener("pointerdown", (event) => {
    isDragged = false;
    const isMouse = event.pointerType === "mouse" && event.button === 0 && !event.shiftKey;
    pressed = isMouse ? blockAt(event) : undefined;
  });
  pane.addEventListener("pointerover", (event) => {
    const block = blockAt(event);
    if (pressed === undefined || block === undefined || (block === pressed && !isDragged)) return;
    isDragged = true;
    rangeStart = pressed;
    go(block);
  });
  document.addEventListener("pointerup", () => {
    if (isDragged && pressed !== undefined) mark(range(pressed, current), !state.main[pressed]);
    pressed = undefined;
  });
  pane.addEventListener("click", (event) => {
    const block = blockAt(event);
    if (block === undefined || isDragged) return;
    const last = current;
    go(block);
    if (event.shiftKey) mark(range(last, block), state.main[last]);
    else {
      flip([block]);
      clicked = block;
    }
  });

  addEventListener("beforeunload", (event) => {
    if (done.length && !isSaved) event.preventDefault();
  });

  for (const list of elements.values()) for (const element of list) element.setAttribute("role", "option");
  if (blocks.length) draw();
}
