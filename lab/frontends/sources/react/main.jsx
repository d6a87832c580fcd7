import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter, Link, Route, Routes, useParams } from "react-router-dom";

const useData = (name) => {
  const [data, set] = useState(null);
  useEffect(() => {
    fetch(`/api/${name}.json`).then((answer) => answer.json()).then(set);
  }, [name]);
  return data;
};
const Home = () => {
  const data = useData("index");
  if (!data) return <p>Loading...</p>;
  return (
    <main>
      <h1>{data.title}</h1>
      {data.pages.map((page) => (
        <section key={page.slug}>
          <h2><Link to={`/articles/${page.slug}`}>{page.title}</Link></h2>
          <p>{page.teaser}</p>
        </section>
      ))}
    </main>
  );
};
const Article = () => {
  const page = useData(useParams().slug);
  if (!page) return <p>Loading...</p>;
  return (
    <main>
      <article>
        <h1>{page.title}</h1>
        {page.paragraphs.map((text) => <p key={text}>{text}</p>)}
      </article>
      {page.next && <nav><Link to={`/articles/${page.next}`}>Next</Link></nav>}
    </main>
  );
};
createRoot(document.getElementById("app")).render(
  <BrowserRouter>
    <header><Link to="/">Home</Link></header>
    <Routes>
      <Route path="/" element={<Home />} />
      <Route path="/articles/:slug" element={<Article />} />
    </Routes>
    <footer>All rights reserved</footer>
  </BrowserRouter>,
);
