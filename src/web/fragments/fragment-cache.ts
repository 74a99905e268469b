import type { ComponentType } from "react";
import type { RenderFragments } from "./cached-fragment.tsx";

type Missed = { of: ComponentType<never>; props: object; key: string };

/** Renders a component by itself. */
export type RenderFragment = (of: ComponentType<never>, props: object) => string;

/**
 * Caches the HTML of components by the component and the JSON of its props, so an entry is never out of date: other data are another key.
 * Holds at most about `maxCharacters` of keys and HTML; what was not used for longest is dropped first, in two generations.
 */
export function createFragmentCache(maxCharacters = 4_000_000) {
  const numbers = new Map<ComponentType<never>, number>();
  let recent = new Map<string, string>();
  let older = new Map<string, string>();
  let characters = 0;

  const numberOf = (of: ComponentType<never>): number => {
    const known = numbers.get(of);
    if (known !== undefined) return known;
    numbers.set(of, numbers.size);
    return numbers.size - 1;
  };

  function store(key: string, html: string): void {
    recent.set(key, html);
    characters += key.length + html.length;
    if (characters <= maxCharacters / 2) return;
    [older, recent, characters] = [recent, new Map(), 0];
  }

  return {
    /**
     * The fragments of one render, and `storeMissed`, which renders by itself each fragment that the page had to render. Called after the
     * page: a render inside a render is nothing that React promises.
     */
    forRender(): RenderFragments & { storeMissed: (render: RenderFragment) => void } {
      const missed: Missed[] = [];
      return {
        find(of, props) {
          const key = `${numberOf(of)} ${JSON.stringify(props)}`;
          const found = recent.get(key);
          if (found !== undefined) return found;
          const before = older.get(key);
          if (before === undefined) missed.push({ of, props, key });
          else store(key, before);
          return before;
        },
        storeMissed(render) {
          for (const { of, props, key } of missed) if (!recent.has(key)) store(key, render(of, props));
        },
      };
    },
  };
}
