// Loads what the attributes of an element name, as soon as the page is there.
document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("[hx-get][hx-trigger~=load]").forEach(async (place) => {
    const got = await fetch(place.getAttribute("hx-get"));
    place.innerHTML = await got.text();
  });
});
