// Puts the comments of a page into its container.
fetch("/comments" + location.pathname).then((got) => got.json()).then((comments) => {
  const thread = document.getElementById("disqus_thread");
  comments.forEach((text, k) => {
    const comment = document.createElement("div");
    comment.className = "comment";
    comment.innerHTML = '<a class="author" href="#u"></a><p></p>';
    comment.querySelector("a").textContent = "guest-" + k;
    comment.querySelector("p").textContent = text;
    thread.append(comment);
  });
});
