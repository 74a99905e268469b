/** Letters typed within this time form one search word. */
const typeAheadMs = 350;

/** The letters typed last, and in which menu: one menu is open at a time. */
let typed: { menu: Element | null; letters: string; at: number } = { menu: null, letters: "", at: 0 };

/** Moves the focus between the links of an open menu: by arrows, Home and End, and by letters to the link that begins with them. */
export function moveFocus(menu: HTMLElement, key: string, timeStamp: number): void {
  const links = [...menu.querySelectorAll<HTMLElement>("a, button")];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step !== undefined) links[(at + step + links.length + (at < 0 && step < 0 ? 1 : 0)) % links.length]?.focus();
  else if (key === "Home") links[0]?.focus();
  else if (key === "End") links.at(-1)?.focus();
  else jump(menu, links, at, key, timeStamp);
}

function jump(menu: Element, links: HTMLElement[], at: number, letter: string, timeStamp: number): void {
  const isOneWord = typed.menu === menu && timeStamp - typed.at < typeAheadMs;
  typed = { menu, letters: (isOneWord ? typed.letters : "") + letter.toLowerCase(), at: timeStamp };
  const { letters } = typed;
  const from = letters.length > 1 ? Math.max(at, 0) : at + 1;
  const inOrder = [...links.slice(from), ...links.slice(0, from)];
  inOrder.find((link) => (link.textContent ?? "").trim().toLowerCase().replace(/^[«"]/, "").startsWith(letters))?.focus();
}
