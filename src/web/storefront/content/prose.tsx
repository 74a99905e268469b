import "../../styles/content.css";

/** A text of the site. Its HTML was made safe by the content module: no scripts, no raw markup, links of known kinds only. */
export function Prose({ html, className = "" }: { html: string; className?: string }) {
  return <div className={`prose ${className}`} dangerouslySetInnerHTML={{ __html: html }} />;
}
