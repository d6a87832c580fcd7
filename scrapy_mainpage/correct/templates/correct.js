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

const rules = document.getElementById("rules");
const buttons = document.querySelectorAll("[data-post]");
let isEdited = false;
rules?.addEventListener("input", () => {
  isEdited = true;
  for (const button of buttons) button.disabled = false;
});
addEventListener("beforeunload", (event) => {
  if (isEdited) event.preventDefault();
});

for (const button of buttons) {
  button.addEventListener("click", async () => {
    try {
      const said = await post(button.dataset.post, rules ? { text: rules.value } : {});
      if (said.html !== undefined) {
        document.getElementById("preview").innerHTML = said.html;
        return say("Tried");
      }
      isEdited = false;
      say(said.message);
      button.disabled = true;
    } catch (error) {
      say(`Not done: ${error.message}`);
    }
  });
}

if (pane) correctBlocks(JSON.parse(pane.dataset.state));

function correctBlocks(given) {
  const elements = new Map();  // block -> its elements; text around an image has several
  for (const element of pane.querySelectorAll(".b")) {
    const block = Number(element.id.slice(1));
    if (!elements.has(block)) elements.set(block, []);
    elements.get(block).push(element);
  }
  const blocks = [...elements.keys()];
  const tips = new Map([...elements.values()].flat().map((element) => [element, element.title]));
  let state = { main: given.main.map(Boolean), fields: { ...given.fields } };
  let isSaved = given.saved;
  let current = blocks.find((block) => state.main[block]) ?? blocks[0];
  let chosen = [current];  // what buttons and keys act on
  let anchor = current;  // where a range of chosen blocks begins
  let isExtending = false;  // the next click chooses all up to its block
  let isWider = false;  // "Like this" once more: whatever their classes are
  const undone = [], done = [];

  // Changes of the state; each is one step of undo.

  function copy(old) {
    return { main: [...old.main], fields: { ...old.fields } };
  }

  function change(step, text) {
    done.push(copy(state));
    undone.length = 0;
    step();
    isSaved = false;
    draw();
    showText();
    say(text);
  }

  function restore(from, to, text) {
    if (!from.length) return say(`Nothing to ${text}`);
    to.push(copy(state));
    state = from.pop();
    isSaved = false;
    draw();
    showText();
    say(text === "undo" ? "Undone" : "Done again");
  }

  const count = () => (chosen.length === 1 ? "1 block" : `${chosen.length} blocks`);

  function mark(isMain) {
    change(() => {
      for (const block of chosen) state.main[block] = isMain;
    }, `${count()}: ${isMain ? "kept" : "dropped"}`);
  }

  function nameField(field) {
    const own = state.fields, isOff = own[field] === current;
    change(() => {
      if (isOff) delete own[field];
      else own[field] = current;
    }, `This block is ${isOff ? "no longer " : ""}the ${field.replace("_", " ")}`);
  }

  // What is chosen.

  function choose(list, text) {
    if (!list.length) return say(text);
    chosen = list;
    draw();
    say(`${count()} chosen: keep, drop or name ${chosen.length === 1 ? "it" : "them"}`);
  }

  function range(from, to) {
    const ends = [blocks.indexOf(from), blocks.indexOf(to)].sort((a, b) => a - b);
    return blocks.slice(ends[0], ends[1] + 1);
  }

  function inside(element) {
    return blocks.filter((block) => element?.contains(elements.get(block)[0]));
  }

  function around(selector) {
    let found = elements.get(current)[0].closest(selector);
    // A list in a list is part of the outer one.
    while (found?.parentElement.closest(selector)) found = found.parentElement.closest(selector);
    return inside(found);
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

  function chooseAlike() {
    const numbers = given.alike[Number(isWider)];
    const alike = blocks.filter((block) => numbers[block] === numbers[current]);
    isWider = !isWider;
    choose(alike);
  }

  function extend() {
    isExtending = true;
    say("Choose the last block");
  }

  // The view.

  function labelOf(block) {
    if (state.main[block] === Boolean(given.before[block])) return given.names[given.labels[block]];
    return state.main[block] ? "main content" : "boilerplate";
  }

  function draw() {
    let before = "";
    const isChosen = new Set(chosen);
    for (const block of blocks) {
      const isMain = state.main[block], label = labelOf(block);
      const own = Object.keys(state.fields).filter((key) => state.fields[key] === block);
      const fields = own.map((key) => `the page's ${key.replace("_", " ")}`);
      const tag = [label === before ? "" : label, ...fields].filter(Boolean).join(", ");
      for (const [k, element] of elements.get(block).entries()) {
        element.setAttribute("aria-selected", String(isChosen.has(block)));
        element.setAttribute("aria-checked", String(isMain));
        element.title = isMain === Boolean(given.before[block]) ? tips.get(element) : `before: ${tips.get(element)}`;
        element.className = element.className.replace(/\bg-\w+/, `g-${given.groups[label] ?? (isMain ? "main" : "other")}`);
        element.classList.toggle("kept", isMain);
        element.classList.toggle("changed", isMain !== Boolean(given.before[block]));
        element.classList.toggle("picked", isChosen.has(block));
        element.classList.toggle("current", block === current && k === 0);
        element.tabIndex = block === current && k === 0 ? 0 : -1;
        setTag(element, k === 0 ? tag : "");
      }
      before = label;
    }
    document.getElementById("fields").replaceChildren(...Object.entries(state.fields).map(drawField));
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

  function drawField([field, block]) {
    const row = document.createElement("li"), text = document.createElement("bdi");
    const shown = elements.get(Number(block))?.map((element) => [...element.childNodes]).flat() ?? [];
    text.textContent = shown.filter((node) => node.className !== "tag").map((node) => node.textContent).join("");
    row.append(`${field.replace("_", " ")}: `, text);
    return row;
  }

  const data = () => ({ main: state.main.map(Number).join(""), fields: state.fields });

  // The text is the server's: what is shown is what will be saved.
  let asked = 0;
  async function showText() {
    const number = ++asked;
    try {
      const said = await post(`../text/${pane.dataset.number}`, data());
      if (number === asked) document.getElementById("now").textContent = said.text;
    } catch (error) {
      say(`Not shown: ${error.message}`);
    }
  }

  function go(block, { isRange = false, isShown = true } = {}) {
    if (block === undefined) return;
    current = block;
    if (!isRange) anchor = block;
    chosen = range(anchor, block);
    isWider = false;
    draw();
    const element = elements.get(current)[0];
    element.focus({ preventScroll: true });
    if (isShown) element.scrollIntoView({ block: "nearest" });
    if (isRange) say(`${count()} chosen`);
  }

  function step(by, isRange) {
    go(blocks[blocks.indexOf(current) + by], { isRange });
  }

  // To the next block that is kept, if this one is not, or dropped.
  function jump(by) {
    let k = blocks.indexOf(current);
    const isMain = state.main[current];
    while (blocks[k + by] !== undefined && state.main[blocks[k]] === isMain) k += by;
    go(blocks[k]);
  }

  function find() {
    const text = wanted.value.toLowerCase();
    const from = blocks.indexOf(current) + 1, order = [...blocks.slice(from), ...blocks.slice(0, from)];
    const found = order.find((block) => elements.get(block)[0].textContent.toLowerCase().includes(text));
    if (text && found !== undefined) go(found);
    else say("Not found");
  }

  // Actions by name, keys and pointer.

  async function save() {
    try {
      const said = await post(`../save/${pane.dataset.number}`, data());
      isSaved = true;
      say("Saved");
      location.href = said.next;
    } catch (error) {
      say(`Not saved: ${error.message}`);
    }
  }

  const wanted = document.querySelector("#find input");
  const open = (id) => () => document.getElementById(id).showModal();
  const actions = {
    keep: () => mark(true),
    drop: () => mark(false),
    flip: () => mark(!chosen.every((block) => state.main[block])),
    section: () => choose(section(), "The block is in no section"),
    table: () => choose(around(".n-table"), "The block is in no table"),
    list: () => choose(around(".n-ul, .n-ol, .n-dl"), "The block is in no list"),
    alike: chooseAlike,
    extend,
    undo: () => restore(done, undone, "undo"),
    redo: () => restore(undone, done, "redo"),
    next: () => step(1),
    previous: () => step(-1),
    more: () => step(1, true),
    less: () => step(-1, true),
    nextPart: () => jump(1),
    previousPart: () => jump(-1),
    find: () => { open("find")(); wanted.select(); },
    end: () => go(current),
    field: open("field"),
    help: open("help"),
    save,
  };
  const keys = {
    " ": "flip", Enter: "keep", Delete: "drop", Backspace: "drop", h: "section", t: "table", l: "list", a: "alike", e: "extend",
    u: "undo", r: "redo", j: "next", ArrowDown: "next", k: "previous", ArrowUp: "previous", J: "more", K: "less",
    n: "nextPart", p: "previousPart", "/": "find", Escape: "end", f: "field", "?": "help", s: "save",
  };

  document.addEventListener("keydown", (event) => {
    const isElsewhere = event.target.closest("button, a");
    const isPressed = isElsewhere && [" ", "Enter", "ArrowUp", "ArrowDown"].includes(event.key);
    const isWriting = event.isComposing || event.keyCode === 229;  // of a word that Enter ends in Safari
    if (event.ctrlKey || event.metaKey || event.altKey || isWriting || isPressed) return;
    const dialog = document.querySelector("dialog[open]");
    if (dialog) return event.repeat || dialog.querySelector(`[data-key="${CSS.escape(event.key)}"]`)?.click();
    const arrows = { ArrowDown: "more", ArrowUp: "less" };
    const action = (event.shiftKey && arrows[event.key]) || keys[event.key];
    if (!action) return;
    event.preventDefault();
    if (isElsewhere && event.key === "Escape") return elements.get(current)[0].focus();
    // A key that is held goes on from block to block, and does all else once.
    if (!event.repeat || /^(next|previous|more|less)/.test(action)) actions[action]();
  });

  for (const button of document.querySelectorAll("[data-do]")) {
    button.addEventListener("click", () => actions[button.dataset.do]());
  }

  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", (event) => {
      const button = event.target.closest("[data-key]");
      if (!button) return;
      dialog.close();
      elements.get(current)[0].focus({ preventScroll: true });
      if (dialog.id === "find") find();
      if (button.value) nameField(button.value);
    });
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
    if (!isDragged) go(pressed);
    isDragged = true;
    go(block, { isRange: true });
  });
  document.addEventListener("pointerup", () => { pressed = undefined; });
  pane.addEventListener("click", (event) => {
    const block = blockAt(event);
    if (block === undefined || isDragged) return;
    const isRange = event.shiftKey || isExtending;
    isExtending = false;
    go(block, { isRange });
    if (!isRange) say(`Chosen: ${state.main[block] ? "main content" : "boilerplate"}`);
  });

  addEventListener("beforeunload", (event) => {
    if (done.length && !isSaved) event.preventDefault();
  });

  for (const list of elements.values()) for (const element of list) element.setAttribute("role", "option");
  if (blocks.length) go(current, { isShown: false });  // the page opens at its heading
  showText();
}
