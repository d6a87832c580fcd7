import Link from "next/link";
import data from "../data/site.json";

export default function Home() {
  return (
    <main>
      <h1>{data.index.title}</h1>
      {data.index.pages.map((page) => (
        <section key={page.slug}>
          <h2><Link href={`/articles/${page.slug}/`}>{page.title}</Link></h2>
          <p>{page.teaser}</p>
        </section>
      ))}
    </main>
  );
}
