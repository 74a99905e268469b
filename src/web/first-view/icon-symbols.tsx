import drawings from "../images/icons.svg?raw";

const id = "icon-symbols";

/** Kept in the browser, which has no copy in its scripts, because React may build the whole document again. */
const symbols = import.meta.env.SSR ? drawings : (document.getElementById(id)?.innerHTML ?? "");

/**
 * The drawings to which every `Icon` refers, in the document: as a file they were on the line together with the fonts, which on a phone
 * cost the first view a round trip. See docs/decisions/0094.
 */
export function IconSymbols() {
  return <div id={id} hidden dangerouslySetInnerHTML={{ __html: symbols }} />;
}
