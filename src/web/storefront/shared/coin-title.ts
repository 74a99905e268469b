/** Splits «Георгий Победоносец, 50 рублей 2026 (ММД)» into the name and the face value at its end, if there is one. */
export function splitTitle(title: string): { name: string; issue: string | null } {
  const at = title.lastIndexOf(", ");
  const issue = title.slice(at + 2);
  return at > 0 && /^\d/.test(issue) ? { name: title.slice(0, at), issue } : { name: title, issue: null };
}
