// Replaces what keeps the place by the text, from data.
document.querySelectorAll("[data-path]").forEach(async (place) => {
  const data = await (await fetch("/api" + place.dataset.path)).json();
  place.replaceChildren(...data.parts.map((part) => block({}, part)));
  place.removeAttribute("aria-busy");
});
