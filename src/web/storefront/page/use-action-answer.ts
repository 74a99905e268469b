import { useState } from "react";
import { useLocation } from "react-router";

/** What the page's action answered last, as long as one stays at its address. The router forgets it when the page reads itself again because prices moved. */
export function useActionAnswer<T>(given: T | undefined): T | undefined {
  const { key } = useLocation();
  const [kept, setKept] = useState({ key, answer: given });
  if (given !== undefined && given !== kept.answer) setKept({ key, answer: given });
  return given ?? (kept.key === key ? kept.answer : undefined);
}
