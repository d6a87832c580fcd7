// Takes over what the server has rendered: the text stays as it is.
(function () {
  const root = document.getElementById("root");
  root.querySelectorAll("a").forEach((link) => {
    link.addEventListener("click", () => root.setAttribute("data-left", link.href));
  });
  root.setAttribute("data-live", "");
  setTimeout(() => fetch("/api/beat"), 120);
})();
