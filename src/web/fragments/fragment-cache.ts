import type { ComponentType } from "react";
import type { RenderFragments } from "./cached-fragment.tsx";
import type { Insert, Inserts } from "./inserts.ts";

type Component = ComponentType<never>;
type Missed = { of: Component; props: object; key: string; insert: Insert };

/** Renders a component by itself. */
export type RenderFragment = (of: Component, props: object) => string;

/**
 * Caches the HTML of components by the component and the JSON of its props, so an entry is never out of date: other data are another key.
 * The JSON of frozen props, whose values must be frozen too, is made once.
 * Holds at most about `maxBytes` of keys and HTML; what was not used for longest is dropped first, in two generations.
 */
export function createFragmentCache(maxBytes = 6_000_000) {
  let recent = new Map<Component, Map<string, Insert>>();
  let older: typeof recent = new Map();
  let size = 0;
  /** Keys of props that never change. */
  const keys = new WeakMap<object, string>();

  function keyOf(props: object): string {
    const known = keys.get(props);
    if (known !== undefined) return known;
    const key = JSON.stringify(props);
    if (Object.isFrozen(props)) keys.set(props, key);
    return key;
  }

  function find(of: Component, key: string): Insert | undefined {
    const found = recent.get(of)?.get(key);
    if (found !== undefined) return found;
    const before = older.get(of)?.get(key);
    if (before !== undefined) store(of, key, before);
    return before;
  }

  function store(of: Component, key: string, insert: Insert): void {
    const ofComponent = recent.get(of) ?? new Map<string, Insert>();
    recent.set(of, ofComponent.set(key, insert));
    size += key.length * 2 + insert.bytes.length;
    if (size <= maxBytes / 2) return;
    [older, recent, size] = [recent, new Map(), 0];
  }

  return {
    /**
     * The fragments of one render, as inserts of its page, and `complete`, which renders by itself each fragment that was not cached.
     * Called after the page: a render inside a render is nothing that React promises. `render` may find further fragments, which are inside
     * of it.
     */
    forRender(inserts: Inserts): RenderFragments & { complete: (render: RenderFragment) => void } {
      const missed: Missed[] = [];
      return {
        placeholder(of, props) {
          const key = keyOf(props);
          const found = find(of, key);
          if (found !== undefined) return inserts.add(found);
          const insert = { bytes: none };
          missed.push({ of, props, key, insert });
          return inserts.add(insert);
        },
        complete(render) {
          const rendered: (Missed & { html: string })[] = [];
          for (const each of missed) rendered.push({ ...each, html: render(each.of, each.props) });
          // Those inside of others came later.
          for (const { of, key, insert, html } of rendered.toReversed()) {
            insert.bytes = inserts.fill(html);
            store(of, key, insert);
          }
        },
      };
    },
  };
}

const none = new Uint8Array();
