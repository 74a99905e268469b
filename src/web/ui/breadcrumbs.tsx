import { Link } from "./link.tsx";

export type Crumb = { title: string; href: string };

/** Links from the front page to the current page, which comes last. A phone shows only the link one level up. */
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
