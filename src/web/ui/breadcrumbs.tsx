import { Link } from "react-router";

export type Crumb = { title: string; href: string };

/** The way from the front page to here; the last one is the page itself. On a phone only the step back remains. */
export function Breadcrumbs({ trail, here }: { trail: Crumb[]; here: string }) {
  return (
    <nav className="crumbs" aria-label="Вы здесь">
      <ol>
        {trail.map(({ title, href }) => (
          <li key={href}>
            <Link to={href}>{title}</Link>
          </li>
        ))}
        <li aria-current="page">{here}</li>
      </ol>
    </nav>
  );
}
