import { useState } from "react";
import { useLocation } from "react-router";

/**
 * The last answer of the page's action, as long as the visitor stays at this address. The router drops it when the page is revalidated
 * because prices changed.
 */
export function useActionAnswer<T>(given: T | undefined): T | undefined {
  const { key } = useLocation();
  const [kept, setKept] = useState({ key, answer: given });
  if (given !== undefined && given !== kept.answer) setKept({ key, answer: given });
  return given ?? (kept.key === key ? kept.answer : undefined);
}
