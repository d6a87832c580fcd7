// The two panes of the visual report scroll together and highlight each other.
"use strict";
{
  const text = document.getElementById("extracted");
  const scrollers = [document.documentElement, text];
  const pairs = [];  // a block of the page and the same in the text
  for (const there of text.querySelectorAll(".text [id]")) {
    const here = document.getElementById(`b${there.id.slice(1)}`);
    if (here) pairs.push([here, there]);
  }
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  let leader = 0;  // the pane that the reader moves: 0 the page, 1 the text
  let lit = [];

  function highlight(event) {
    const block = event.target.closest?.(".b, .text [id]");
    for (const each of lit) each.classList.remove("lit");
    lit = pairs.find((pair) => pair.includes(block)) ?? [];
    for (const each of lit) each.classList.add("lit");
  }

  function follow(pane) {
    if (pane !== leader) return;  // scrolled by this function, or by a link
    const topOf = (element) => element.getBoundingClientRect().top;
    const edge = pane ? topOf(text) : 0;
    const first = pairs.find((pair) => topOf(pair[pane]) >= edge);
    if (!first) return;
    let distance = topOf(first[1 - pane]) - topOf(first[pane]);
    // The text moves up with the window until it is at its top.
    if (pane && distance > 0) distance += Math.max(edge, 0);
    const behavior = reducedMotion.matches ? "instant" : "smooth";
    scrollers[1 - pane].scrollTo({ top: scrollers[1 - pane].scrollTop + distance, behavior });
  }

  for (const kind of ["wheel", "pointermove", "pointerdown", "keydown", "focusin"]) {
    addEventListener(kind, (event) => { leader = Number(text.contains(event.target)); }, { passive: true });
  }
  addEventListener("click", (event) => { if (event.target.matches?.(".go, .back")) leader = -1; });
  for (const kind of ["pointerover", "focusin"]) addEventListener(kind, highlight);
  addEventListener("scroll", () => follow(0));
  text.addEventListener("scroll", () => follow(1));
}
