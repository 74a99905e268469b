/** The baseline: `node:http`, and Fastify with `pg`, without the shop, in its own process. Sends its addresses. */
import { createServer } from "node:http";
import Fastify from "fastify";
import pg from "pg";

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

// Without a framework: `/bytes/<type>/<size>` answers so many bytes, for answers that the shop has ready in memory.
const plain = createServer((request, reply) => {
  const [, , kind = "", size = "0"] = (request.url ?? "").split("/");
  const body = bytesOf(Number(size));
  reply.writeHead(200, {
    "content-type": kind === "json" ? "application/json; charset=utf-8" : "text/html; charset=utf-8",
    "content-length": body.length,
  });
  reply.end(body);
});
await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
const { port: plainPort } = plain.address() as { port: number };
process.send?.({ kind: "ready", url: `http://127.0.0.1:${port}`, plainUrl: `http://127.0.0.1:${plainPort}` });
process.on("disconnect", () => process.exit(0));
