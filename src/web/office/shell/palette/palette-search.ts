import type { HitGroup, SearchAnswer } from "./search-provider.ts";

/** What the providers of the palette have answered to one text. */
export type PaletteSearch = {
  text: string;
  /** Providers that have not answered yet. */
  waiting: readonly string[];
  found: Readonly<Record<string, readonly HitGroup[]>>;
  /** Why a provider could not search, in words. */
  refusal: string | null;
};

/** Enter pressed before all providers had answered. `isBeside`: with Ctrl, to open in another window. */
export type PressedEnter = { text: string; isBeside: boolean };

/** A search that has just begun. */
export const begun = (text: string, providers: readonly string[]): PaletteSearch => ({
  text,
  waiting: providers,
  found: {},
  refusal: null,
});

/** The search with the answer of one provider. */
export const answered = (search: PaletteSearch, provider: string, answer: SearchAnswer): PaletteSearch => ({
  ...search,
  waiting: search.waiting.filter((each) => each !== provider),
  ...("refusal" in answer ? { refusal: answer.refusal } : { found: { ...search.found, [provider]: answer } }),
});

/** Whether all providers have answered this text. */
export const isWhole = ({ text, waiting }: PaletteSearch, typed: string): boolean => text === typed && waiting.length === 0;

/**
 * Whether a pending Enter may open the first line now: only after all providers have answered this text without a failure, so that it does
 * not open a line that another one would replace.
 */
export const mayOpen = (search: PaletteSearch, typed: string, enter: PressedEnter | null): boolean =>
  enter !== null && enter.text === typed && isWhole(search, typed) && search.refusal === null;
