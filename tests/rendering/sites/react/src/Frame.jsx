import { Link } from "react-router-dom";

/** What stands around every page: menu, sidebar and footer. */
export default function Frame({ children }) {
  return (
    <>
      <header className="top">
        <Link to="/" className="name">Marrow Street Seed Library</Link>
        <nav>
          <ul>
            <li><Link to="/">Home</Link></li>
            <li><Link to="/catalogue">Catalogue</Link></li>
            <li><Link to="/about">About</Link></li>
          </ul>
        </nav>
      </header>
      <div className="columns">
        <main>{children}</main>
        <aside>
          <h2>Opening hours</h2>
          <ul>
            <li>Tuesday 3 to 6</li>
            <li>Friday 3 to 6</li>
          </ul>
          <Link to="/articles/lending-rules">Lending rules</Link>
        </aside>
      </div>
      <footer>
        <Link to="/about">Contact</Link> <Link to="/about">Imprint</Link>
        <p>All seed is lent without warranty.</p>
      </footer>
    </>
  );
}
