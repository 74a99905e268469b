/**
 * `npm run bench:flash`: a thousand visitors arrive within ten seconds for one coin with fifty pieces. Each reads its page, puts it in the
 * cart, locks the price, orders and pays; a refused visitor reads the page again. Fails unless exactly fifty are sold, pages take at most a
 * second (p99), and no visitor gets an error. `BENCH_VISITORS` (1000). Never part of the gate.
 */
import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { request } from "undici";
import { deliveryIds, paymentIds } from "#shop/method-ids.ts";
import { aBrowser, clientsAt, openLoop, reportLine, type Answer, type ScheduledCall } from "./load/open-loop.ts";
import { stockExactly } from "./load/pieces.ts";
import { rowsOf, settle } from "../drill/database/verify-orders.ts";
import { coinsFor } from "../drill/visitors/crowd.ts";
import { drill, pause, say } from "../drill/stage/run.ts";
import { openStage, type Stage } from "../drill/stage/stage.ts";

const visitors = Number(process.env.BENCH_VISITORS ?? 1_000);
const withinMs = 10_000;
const pieces = 50;
const targetP99 = 1_000;

async function play(stage: Stage): Promise<string[]> {
  const [url = ""] = stage.urls;
  const [coin = 0] = await coinsFor(url);
  await stockExactly(stage.database, coin, pieces);
  const [card] = ((await (await fetch(`${url}/api/products?ids=${coin}`)).json()) as { data: { slug: string }[] }).data;
  const path = `/products/${card?.slug ?? ""}`;
  await pause(2_000); // the shop has read the new stock
  for (let n = 0; n < 20; n += 1) await (await fetch(url + path)).arrayBuffer();

  const clients = clientsAt(200);
  let succeeded = 0;
  let refused = 0;
  const surprises: string[] = [];
  const answers: { kind: string; milliseconds: number; status: number }[] = [];

  async function visit(n: number): Promise<Answer> {
    const browser = aBrowser(url, clients.agent(n));
    const step = async (kind: string, ...input: Parameters<typeof browser>) => {
      const from = performance.now();
      const answer = await browser(...input);
      answers.push({ kind, milliseconds: performance.now() - from, status: answer.status });
      const isCalm =
        answer.status === 200 ||
        answer.status === 201 ||
        (answer.status === 409 && /stock_short|prices_changed|cart\.empty/.test(answer.text));
      if (!isCalm) surprises.push(`${kind}: ${answer.status} ${answer.text.slice(0, 160)}`);
      return answer;
    };
    const page = () => step("page", "GET", path, undefined, { accept: "text/html", "accept-encoding": "br" });
    const looked = await page();
    const put = await step("cart", "PATCH", `/api/cart/${coin}`, { quantity: 1 });
    const quoted =
      put.status === 200
        ? await step("quote", "POST", "/api/checkout/quote", {
            deliveryId: deliveryIds.office,
            city: "0000073738",
            paymentId: paymentIds.card,
          })
        : put;
    const quoteId = (quoted.data as { quoteId?: string } | null)?.quoteId;
    const placed = quoteId
      ? await step(
          "order",
          "POST",
          "/api/orders",
          {
            quoteId,
            user: { name: "Иван", lastName: "Скорый", email: "flash@example.ru", phone: "+79161234567" },
            delivery: { id: deliveryIds.office },
            paymentId: paymentIds.card,
            consent: true,
          },
          { "idempotency-key": randomUUID() },
        )
      : quoted;
    if (placed.status !== 201) {
      refused += 1;
      await page();
      return looked;
    }
    succeeded += 1;
    const payAt = (placed.data as { payment?: { confirmationUrl?: string } } | null)?.payment?.confirmationUrl;
    if (payAt)
      await request(payAt, { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" }, body: "outcome=pay" }).then(
        ({ body }) => body.dump(),
      );
    return looked;
  }

  const dues: ScheduledCall[] = Array.from({ length: visitors }, (_, n) => ({
    at: (n / visitors) * withinMs,
    kind: "visit",
    run: () => visit(n),
  }));
  const { reports, late } = await openLoop(dues, () => false);
  for (const kind of ["page", "cart", "quote", "order"]) {
    const own = answers.filter((each) => each.kind === kind);
    const times = own.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
    const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
    const statuses: Record<number, number> = {};
    for (const { status } of own) statuses[status] = (statuses[status] ?? 0) + 1;
    console.log(reportLine({ kind, count: own.length, p50: at(0.5), p99: at(0.99), worst: at(1), statuses }));
  }
  for (const each of reports.slice(0, 1)) console.log(reportLine(each));
  await clients.close();

  const sold = async () =>
    (
      await rowsOf<{ orders: number; paid: number; reserved: number }>(
        stage.database,
        sql`
    select (select count(*) from orders)::int as orders,
      (select count(*) from orders where state = 'paid')::int as paid,
      (select reserved from stock_items where coin_id = ${coin}) as reserved`,
      )
    )[0];
  for (const giveUpAt = performance.now() + 30_000; performance.now() < giveUpAt && (await sold())?.paid !== pieces;) await pause(500);
  const end = await sold();
  say(
    `${succeeded} got the coin, ${refused} were refused; ${end?.orders} orders, ${end?.paid} paid, ` +
      `${end?.reserved} of ${pieces} pieces taken; this generator was late by ${late.toFixed(0)} ms (p99)`,
  );
  const pageTimes = answers
    .filter(({ kind }) => kind === "page")
    .map(({ milliseconds }) => milliseconds)
    .sort((a, b) => a - b);
  const p99 = pageTimes[Math.floor(pageTimes.length * 0.99)] ?? 0;
  return [
    ...surprises.slice(0, 20),
    ...(succeeded === pieces && end?.orders === pieces && end.paid === pieces && end.reserved === pieces
      ? []
      : [`sold ${end?.orders}, paid ${end?.paid}, answered ${succeeded}, reserved ${end?.reserved}: not exactly ${pieces}`]),
    ...(p99 <= targetP99 ? [] : [`p99 of pages is ${p99.toFixed(0)} ms, the target ${targetP99}`]),
    ...(await settle(stage)),
  ];
}

await drill(() => openStage({ processes: 1, durable: true, isDirect: true }), play);
