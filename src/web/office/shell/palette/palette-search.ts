import type { HitGroup, SearchAnswer } from "./search-provider.ts";

/** What the providers of the palette have answered to one text. */
export type PaletteSearch = {
  text: string;
  /** Providers whose answer is on its way. */
  waiting: readonly string[];
  found: Readonly<Record<string, readonly HitGroup[]>>;
  /** Why a provider could not search, in words. */
  refusal: string | null;
};

/** Enter that was pressed before all had answered. */
export type PressedEnter = { text: string; isBeside: boolean };

export const begun = (text: string, providers: readonly string[]): PaletteSearch => ({
  text,
  waiting: providers,
  found: {},
  refusal: null,
});

export const answered = (search: PaletteSearch, provider: string, answer: SearchAnswer): PaletteSearch => ({
  ...search,
  waiting: search.waiting.filter((each) => each !== provider),
  ...("refusal" in answer ? { refusal: answer.refusal } : { found: { ...search.found, [provider]: answer } }),
});

/** Whether all providers have answered this text. */
export const isWhole = ({ text, waiting }: PaletteSearch, typed: string): boolean => text === typed && waiting.length === 0;

/**
 * Whether an Enter that waited opens the first line now: only when everything was searched, so that it never opens something else than what
 * was looked for.
 */
export const mayOpen = (search: PaletteSearch, typed: string, enter: PressedEnter | null): boolean =>
  enter !== null && enter.text === typed && isWhole(search, typed) && search.refusal === null;
