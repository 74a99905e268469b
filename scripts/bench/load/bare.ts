/** The baseline: `node:http`, and Fastify with `pg`, without the shop, in its own process. Sends its addresses. */
import { createServer } from "node:http";
import Fastify from "fastify";
import pg from "pg";

/** An answer of the shop that the plain server imitates: its headers, without those that Node adds itself, and the length of its body. */
export type AnswerToCopy = { headers: string[]; bytes: number };

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
await pool.query(`
  drop table if exists bare_stock, bare_orders, bare_lines;
  create table bare_stock (id int primary key, on_hand int not null, reserved int not null default 0 check (reserved <= on_hand));
  create table bare_orders (id bigserial primary key, total bigint not null, at timestamptz not null default now());
  create table bare_lines (order_id bigint not null, stock_id int not null, quantity int not null, primary key (order_id, stock_id));
  insert into bare_stock select n, 1000000 from generate_series(1, 500) n;`);

const app = Fastify();
const sizes = new Map<number, Buffer>();
/** This many bytes, always the same, like a picture from memory. */
function bytesOf(size: number): Buffer {
  const known = sizes.get(size) ?? Buffer.alloc(Math.min(size, 1_000_000), 7);
  sizes.set(size, known);
  return known;
}
app.get<{ Params: { size: string } }>("/bytes/:size", async (request, reply) =>
  reply.type("image/webp").send(bytesOf(Number(request.params.size))),
);
app.post<{ Params: { id: string } }>("/order/:id", async (request, reply) => {
  const id = Number(request.params.id);
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query("update bare_stock set reserved = reserved + 1 where id = $1 and on_hand - reserved >= 1", [id]);
    const { rows } = await client.query("insert into bare_orders (total) values ($1) returning id", [100]);
    await client.query("insert into bare_lines values ($1, $2, 1)", [rows[0].id, id]);
    await client.query("commit");
    return await reply.code(201).send({ id: rows[0].id });
  } finally {
    client.release();
  }
});
await app.listen({ port: 0, host: "127.0.0.1" });
const { port } = app.server.address() as { port: number };

// Without a framework, for answers that the shop has ready in memory: as many bytes as the answer named last (`AnswerToCopy`), under the
// address that begins with `/typed` with their type and length only, under other addresses with the whole header block of that answer.
let typed: string[] = [];
let same: string[] = [];
let body = bytesOf(0);
const plain = createServer((request, reply) => {
  reply.writeHead(200, request.url?.startsWith("/typed") ? typed : same);
  reply.end(body);
});
process.on("message", ({ headers, bytes }: AnswerToCopy) => {
  body = bytesOf(bytes);
  same = headers;
  typed = ["content-type", headers[headers.indexOf("content-type") + 1] ?? "", "content-length", String(bytes)];
  process.send?.({ kind: "copied" });
});
await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
const { port: plainPort } = plain.address() as { port: number };
process.send?.({ kind: "ready", url: `http://127.0.0.1:${port}`, plainUrl: `http://127.0.0.1:${plainPort}` });
process.on("disconnect", () => process.exit(0));
