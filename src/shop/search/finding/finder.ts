import type { Correction } from "../listing.ts";
import type { Ordered } from "../index/ordered.ts";
import type { TextIndex } from "../index/text-index.ts";
import type { Synonyms } from "../query.ts";

/** What `find` searches: coins, categories or articles, as documents of a text index. */
export type Finder = {
  index: TextIndex;
  synonyms: Synonyms;
  /** Normalised titles and slugs: a query equal to one of them means that document. */
  exact: ReadonlyMap<string, number>;
  /** All documents by rank; breaks ties between equal scores. */
  inRankOrder: ArrayLike<number>;
  /** The rank of each document: the inverse of `inRankOrder`. */
  rankOf: ArrayLike<number>;
  /** Words that other lists (articles, categories) have are not typos, although no document here has them. */
  isKnownElsewhere: (stem: string) => boolean;
};

/** `documents`: best first. `named`: the document whose title or slug was typed. */
export type FindResult = { documents: Ordered; corrected: Correction | null; named?: number };

export type FindOptions = {
  /** Take the words as they are: no correction, no synonyms, no words left out. */
  isExact?: boolean;
  /** No correction and no words left out, but synonyms apply. */
  isStrict?: boolean;
  /** The last word may be unfinished. */
  isTyping?: boolean;
};
