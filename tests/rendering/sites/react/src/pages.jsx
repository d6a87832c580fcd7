import { useState } from "react";
import { Link, useParams } from "react-router-dom";
import useData from "./useData.js";

/** Fetches the data of a page and shows it with `show` once it is there. */
function Loaded({ name, show }) {
  const data = useData(name);
  if (data === undefined) return <p className="spinner">Loading …</p>;
  return data === null ? <Missing /> : show(data);
}

export function Missing() {
  return <p>There is nothing on this shelf.</p>;
}

const paragraphs = (texts) => texts.map((text) => <p key={text}>{text}</p>);

export function Home() {
  return (
    <Loaded
      name="home"
      show={(home) => (
        <>
          <h1>{home.title}</h1>
          {paragraphs(home.paragraphs)}
          {home.articles.map((article) => (
            <section key={article.slug} className="card">
              <h2>
                <Link to={`/articles/${article.slug}`}>{article.title}</Link>
              </h2>
              <p>{article.summary}</p>
            </section>
          ))}
        </>
      )}
    />
  );
}

function Part({ part }) {
  if (part.text) return <p>{part.text}</p>;
  return (
    <ul>
      {part.list.map((entry) => (
        <li key={entry}>{entry}</li>
      ))}
    </ul>
  );
}

export function Article() {
  const { slug } = useParams();
  return (
    <Loaded
      name={`articles/${slug}`}
      show={(article) => (
        <article>
          <h1>{article.title}</h1>
          <p className="byline">
            By {article.author}, <time dateTime={article.date}>{article.date}</time>
          </p>
          {article.body.map((part, index) => (
            <Part key={index} part={part} />
          ))}
        </article>
      )}
    />
  );
}

export function Catalogue() {
  return (
    <Loaded
      name="catalogue"
      show={({ title, lead, seeds }) => (
        <>
          <h1>{title}</h1>
          <p>{lead}</p>
          <ul className="seeds">
            {seeds.map((seed) => (
              <li key={seed.slug}>
                <h2>
                  <Link to={`/catalogue/${seed.slug}`}>{seed.name}</Link>
                </h2>
                <p>{seed.summary}</p>
                <p className="facts">{`${seed.kind}, ${seed.growers} growers`}</p>
              </li>
            ))}
          </ul>
        </>
      )}
    />
  );
}

export function Seed() {
  const { slug } = useParams();
  return (
    <Loaded
      name={`catalogue/${slug}`}
      show={({ name, kind, growers, body: [looks, care] }) => (
        <article>
          <h1>{name}</h1>
          <p className="facts">{`${kind}, returned by ${growers} growers`}</p>
          <p>{looks}</p>
          <h2>How to grow it</h2>
          <p>{care}</p>
        </article>
      )}
    />
  );
}

export function About() {
  const [open, setOpen] = useState(0);
  return (
    <Loaded
      name="about"
      show={({ title, lead, tabs }) => (
        <>
          <h1>{title}</h1>
          <p>{lead}</p>
          <div role="tablist">
            {tabs.map((tab, index) => (
              <button
                key={tab.id}
                role="tab"
                aria-selected={index === open}
                onClick={() => setOpen(index)}
              >
                {tab.title}
              </button>
            ))}
          </div>
          <div role="tabpanel">{paragraphs(tabs[open].paragraphs)}</div>
        </>
      )}
    />
  );
}
