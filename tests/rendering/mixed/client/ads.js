// Fills the advertisement slots of the page.
setTimeout(function () {
  (window.slots || []).forEach(function (name) {
    const slot = document.getElementById(name);
    slot.innerHTML = '<div class="ad"><a href="#ad" rel="sponsored"></a></div>';
    slot.querySelector("a").textContent = slot.dataset.text;
  });
}, 150);
