import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { LocationProvider, Route, Router } from "preact-iso";

const Page = ({ slug = "index" }) => {
  const [page, set] = useState(null);
  useEffect(() => {
    fetch(`/api/${slug}.json`).then((answer) => answer.json()).then(set);
  }, [slug]);
  if (!page) return null;
  return (
    <main>
      <h1>{page.title}</h1>
      {page.pages?.map((each) => (
        <div>
          <h2><a href={`/articles/${each.slug}`}>{each.title}</a></h2>
          <p>{each.teaser}</p>
        </div>
      ))}
      {page.paragraphs?.map((text) => <p>{text}</p>)}
      {page.next && <nav><a href={`/articles/${page.next}`}>Next</a></nav>}
    </main>
  );
};
render(
  <LocationProvider>
    <header><a href="/">Home</a></header>
    <Router>
      <Route path="/" component={Page} />
      <Route path="/articles/:slug" component={Page} />
    </Router>
    <footer>All rights reserved</footer>
  </LocationProvider>,
  document.getElementById("app"),
);
