import Link from "next/link";

export const metadata = { title: "Site" };
export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <header><Link href="/">Home</Link></header>
        {children}
        <footer>All rights reserved</footer>
      </body>
    </html>
  );
}
