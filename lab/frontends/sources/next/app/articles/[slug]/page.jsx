import Link from "next/link";
import data from "../../../data/site.json";

export const generateStaticParams = () =>
  Object.keys(data).filter((slug) => slug !== "index").map((slug) => ({ slug }));
export default async function Article({ params }) {
  const page = data[(await params).slug];
  return (
    <main>
      <h1>{page.title}</h1>
      {page.paragraphs.map((text) => <p key={text}>{text}</p>)}
      {page.next && <nav><Link href={`/articles/${page.next}/`}>Next</Link></nav>}
    </main>
  );
}
