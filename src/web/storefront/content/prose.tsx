import "./prose.css";

/** A text of the site. The content module has sanitised its HTML: no scripts, no raw markup, known kinds of links only. */
export function Prose({ html, className = "" }: { html: string; className?: string }) {
  return <div className={`prose ${className}`} dangerouslySetInnerHTML={{ __html: html }} />;
}
