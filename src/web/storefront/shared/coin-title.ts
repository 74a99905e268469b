/** «Георгий Победоносец, 50 рублей 2026 (ММД)» → its name and, where the title ends in a face value, that end. */
export function splitTitle(title: string): { name: string; issue: string | null } {
  const at = title.lastIndexOf(", ");
  const issue = title.slice(at + 2);
  return at > 0 && /^\d/.test(issue) ? { name: title.slice(0, at), issue } : { name: title, issue: null };
}
