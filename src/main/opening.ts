import pg from "pg";

/** What Drizzle hands its driver. */
type Asked = { text: string; types?: unknown; rowMode?: string; name?: string };
type Answer = { rows: unknown[] };
/** As much of the driver's client as Drizzle uses. */
export type Line = { query(asked: Asked, values?: unknown[]): Promise<Answer> };

/** A query of the driver as its client plays it; the published types leave it out (pg 8.23, lib/query.js). */
type Wire = { sync(): void };
type WireQuery = {
  callback: ((error: Error | null, answer?: Answer) => void) | undefined;
  prepare(wire: Wire): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
  handleEmptyQuery(wire: Wire): void;
  handleError(error: Error, wire: Wire): void;
  handleReadyForQuery(wire: Wire): void;
};
const Query = pg.Query as unknown as new (
  asked: Asked & { queryMode: "extended" },
  values?: unknown[],
  callback?: WireQuery["callback"],
) => WireQuery;

/**
 * Several statements up to one Sync: when one fails, the server passes over all that stand behind it (PostgreSQL, "Extended Query": after an
 * error messages are read and discarded until Sync). So what is sent behind a `begin` that failed is not done outside of it.
 */
class Together extends Query {
  readonly #parts: WireQuery[];
  #at = 0;
  #isOver = false;

  constructor(parts: WireQuery[]) {
    super({ text: "", queryMode: "extended" }, [], () => {});
    this.#parts = parts;
  }

  override prepare(wire: Wire): void {
    const withoutSync = Object.create(wire, { sync: { value: () => {} } }) as Wire;
    for (const part of this.#parts) part.prepare(withoutSync);
    wire.sync();
  }

  override handleRowDescription(message: unknown): void {
    this.#parts[this.#at]?.handleRowDescription(message);
  }

  override handleDataRow(message: unknown): void {
    this.#parts[this.#at]?.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    this.#parts[this.#at]?.handleCommandComplete(message, wire);
    this.#at += 1;
  }

  override handleEmptyQuery(wire: Wire): void {
    this.#parts[this.#at]?.handleEmptyQuery(wire);
    this.#at += 1;
  }

  override handleError(error: Error, wire: Wire): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const part of this.#parts.slice(0, this.#at)) part.handleReadyForQuery(wire);
    for (const part of this.#parts.slice(this.#at)) part.handleError(error, wire);
    super.handleError(error, wire);
  }

  override handleReadyForQuery(wire: Wire): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const part of this.#parts) part.handleReadyForQuery(wire);
    super.handleReadyForQuery(wire);
  }
}

/**
 * The client for transactions: `begin` costs no crossing of the line, it leaves together with the statements that are asked next, in one turn.
 * A transaction that asks nothing sends nothing.
 */
export function withoutWaitingToBegin(client: pg.PoolClient): Line {
  let opening: WireQuery[] | null = null;
  let isInside = false;

  const part = (asked: Asked, values: unknown[] | undefined, callback: WireQuery["callback"]): WireQuery =>
    new Query({ ...asked, types: asked.types ?? pg.types, queryMode: "extended" }, values, callback);

  function leave(): void {
    const parts = opening ?? [];
    opening = null;
    client.query(new Together(parts) as unknown as pg.Query);
  }

  return {
    query(asked, values) {
      if (asked.text.startsWith("begin")) {
        isInside = true;
        opening = [part(asked, values, () => {})]; // that it failed, the statement behind it tells
        return Promise.resolve({ rows: [] });
      }
      // A promise that nobody awaited: it would be done outside of its transaction.
      if (!isInside && asked.text !== "rollback") return Promise.reject(new Error(`asked after the end of its transaction: ${asked.text}`));
      const isEnd = asked.text === "commit" || asked.text === "rollback";
      if (isEnd) isInside = false;
      if (!opening) return client.query(asked as pg.QueryConfig, values);
      if (opening.length === 1) {
        if (isEnd) {
          opening = null;
          return Promise.resolve({ rows: [] });
        }
        process.nextTick(leave); // after everything that can be asked without an answer
      }
      const parts = opening;
      return new Promise((resolve, reject) =>
        parts.push(part(asked, values, (error, answer) => (error ? reject(error) : resolve(answer ?? { rows: [] })))),
      );
    },
  };
}
