import { AsyncLocalStorage } from "node:async_hooks";
import { Socket } from "node:net";
import { NodePgDatabase, NodePgDriver } from "drizzle-orm/node-postgres";
import { PgDialect } from "drizzle-orm/pg-core";
import pg from "pg";
import type { Db, PreparedQueries, SendNamed } from "#kit/db.ts";
import { casing } from "./database.ts";
import { DeadlineError, requireTime, timeForStatements } from "#kit/concurrency/deadline.ts";

/** One for all transactions: it remembers the names of columns. A new one works out those of every table again. */
const dialect = new PgDialect({ casing });

/** What `drizzle(client, { casing })` returns, with the shared dialect. */
export const drizzlePg = (client: pg.Pool | pg.PoolClient): NodePgDatabase =>
  new NodePgDatabase(dialect, new NodePgDriver(client, dialect).createSession(undefined), undefined);

/** The connection, or the pool, on which a prepared query is sent. */
const connectionOfQuery = new AsyncLocalStorage<Pick<pg.PoolClient, "query">>();

/** Prepares queries once for all connections; each is sent on the connection of its caller. */
const builder = drizzlePg({
  query(...query: Parameters<pg.PoolClient["query"]>) {
    const connection = connectionOfQuery.getStore();
    if (!connection) throw new Error("a prepared query has no connection");
    return connection.query(...query);
  },
} as pg.PoolClient);

const preparedOn = (connection: Pick<pg.PoolClient, "query">): PreparedQueries => ({
  builder: builder as Db,
  run: (execute) => connectionOfQuery.run(connection, execute),
});

/** At most two hundred callers wait for a connection. Further calls fail at once: the shop is overloaded. */
const maxWaitingCallers = 200;

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void;

/** Also refuses connections to requests whose time is over, before and after the wait for one. */
export class BoundedPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(onConnect: Connected): void;
  override connect(onConnect?: Connected): Promise<pg.PoolClient> | void {
    if (!onConnect) return this.#connected();
    this.#connected().then(
      (client) => onConnect(undefined, client, (release) => client.release(release as boolean | undefined)),
      (error: Error) => onConnect(error, undefined, () => {}),
    );
  }

  async #connected(): Promise<pg.PoolClient> {
    if (this.waitingCount >= maxWaitingCallers) throw new Error(`${maxWaitingCallers} callers wait for the database already`);
    requireTime();
    const client = await super.connect();
    if (timeForStatements() > 0) return client;
    client.release();
    throw new DeadlineError();
  }
}

/** A statement that this process has sent so often is prepared from then on; each connection keeps at most so many. */
const preparedAfter = 100;

const maxPrepared = 64;

/** Names for the texts that are sent most often; undefined: sent as it is. */
function createNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= maxPrepared) return known;
    const count = (counts.get(text) ?? 0) + 1;
    if (counts.size >= 2_000) counts.clear(); // texts with lists of values differ each time
    if (count < preparedAfter) return void counts.set(text, count);
    counts.delete(text);
    const name = `often_${names.size + 1}`;
    names.set(text, name);
    return name;
  };
}

/**
 * Sends all writes of one turn of the event loop as one packet. The driver writes each statement of a pipeline separately; an order has
 * a dozen of them, and each write to a socket costs as much processor time as a statement.
 */
class PacketSocket extends Socket {
  #isTurnCorked = false;
  /** Collects what is written from now to the end of the turn. */
  corkTurn(): void {
    if (this.#isTurnCorked) return;
    this.#isTurnCorked = true;
    this.cork();
    process.nextTick(() => {
      this.#isTurnCorked = false;
      this.uncork();
    });
  }
}

/** The ways around Drizzle's builders. Values are given apart from the statement, so that `clientWith` may name it. */
export const statementsOn = (connection: Pick<pg.PoolClient, "query">) => ({
  sendNamed: (({ values, ...statement }) => connection.query(statement, values)) satisfies SendNamed,
  prepared: preparedOn(connection),
});

type Query = (config: string | pg.QueryConfig, values?: unknown, ...rest: unknown[]) => unknown;

/**
 * Connections that send the statements of a turn in one packet. Frequent statements with values are prepared by name, so that the server
 * parses and plans them once a connection; without `prepares` no statement has a name, not even one that its caller has named.
 */
export function clientWith(prepares: boolean): typeof pg.Client {
  const nameOf = prepares ? createNames() : () => undefined;
  return class extends pg.Client {
    readonly #socket: PacketSocket;
    constructor(config: pg.ClientConfig) {
      const socket = new PacketSocket();
      super({ ...config, stream: () => socket });
      this.#socket = socket;
    }
    override query = ((config: string | pg.QueryConfig, values?: unknown, ...rest: unknown[]) => {
      const send = super.query.bind(this) as Query;
      this.#socket.corkTurn();
      if (typeof config === "string" || typeof config.text !== "string") return send(config, values, ...rest);
      if (!prepares) return send(config.name === undefined ? config : { ...config, name: undefined }, values, ...rest);
      const hasValues = config.name === undefined && Array.isArray(values) && values.length > 0;
      const name = hasValues ? nameOf(config.text) : undefined;
      return send(name === undefined ? config : { ...config, name }, values, ...rest);
    }) as pg.Client["query"];
  };
}

/** Longest time of a statement; a request has less (`begin` sets what is left of its time). */
export const statementMs = 5_000;
