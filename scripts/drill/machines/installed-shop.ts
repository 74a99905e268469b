/**
 * Run on the machine of `npm run drill:install` by the Node of the release, without packages: sends requests to the shop at
 * `https://localhost` over TLS and HTTP/2 as a visitor does, and prints one line of JSON: what is wrong.
 */
import { randomUUID } from "node:crypto";
import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from "node:http2";

type Answer = { status: number; headers: IncomingHttpHeaders; text: string };
type Call = { method?: string; path: string; body?: object; headers?: Record<string, string>; until?: RegExp };

const wrong: string[] = [];
const expect = (what: string, isRight: boolean, found: unknown): void => {
  if (!isRight) wrong.push(`${what}: ${JSON.stringify(found).slice(0, 300)}`);
};

const session = await new Promise<ClientHttp2Session>((resolve, reject) => {
  const opened = connect("https://localhost");
  opened.once("connect", () => resolve(opened));
  opened.once("error", reject);
});
expect("protocol", session.alpnProtocol === "h2", session.alpnProtocol);

let cookies = "";
/** `until`: the answer is complete when its text matches; for streams. */
function call({ method = "GET", path, body, headers = {}, until }: Call): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ":method": method,
      ":path": path,
      ...(cookies === "" ? {} : { cookie: cookies }),
      ...(body ? { "content-type": "application/json" } : {}),
      ...headers,
    });
    let answer: IncomingHttpHeaders & { ":status"?: number } = {};
    let text = "";
    const end = (): void => resolve({ status: answer[":status"] ?? 0, headers: answer, text });
    stream.setTimeout(20_000, () => reject(new Error(`${path}: no answer within 20 s`)));
    stream.on("response", (received) => {
      answer = received;
      for (const each of received["set-cookie"] ?? []) cookies = [cookies, each.split(";")[0]].filter(Boolean).join("; ");
    });
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (!until?.test(text)) return;
      end();
      stream.close();
    });
    stream.on("end", end);
    stream.on("error", reject);
    stream.end(body ? JSON.stringify(body) : undefined);
  });
}
const dataOf = ({ text }: Answer): Record<string, unknown> => (JSON.parse(text) as { data?: Record<string, unknown> }).data ?? {};

const home = await call({ path: "/", headers: { accept: "text/html" } });
expect("home page", home.status === 200 && home.text.includes("</html>"), home.status);
expect("HTTP/3 is offered", String(home.headers["alt-svc"]).includes("h3="), home.headers["alt-svc"]);
for (const path of ["/healthz", "/catalog", "/api/build"]) {
  const { status } = await call({ path });
  expect(path, status === 200, status);
}
const script = /\/assets\/[^"]+\.js/.exec(home.text)?.[0] ?? "";
expect(`asset ${script}`, (await call({ path: script })).status === 200, script);
const stream = await call({ path: "/api/courses/stream", until: /retry: \d+/ });
expect("event stream", stream.status === 200 && String(stream.headers["content-type"]).startsWith("text/event-stream"), stream);

const listing = dataOf(await call({ path: "/api/catalog?kind=memorable&inStock=1" })) as { items?: { id: number; price: number }[] };
const coin = listing.items?.find(({ price }) => price < 30_000_000);
expect("a coin on sale", coin !== undefined, listing);
await call({ method: "PATCH", path: `/api/cart/${coin?.id}`, body: { quantity: 1 } });
// Collected and paid at the office (delivery 35, payment 7): no provider is called.
const quote = await call({ method: "POST", path: "/api/checkout/quote", body: { deliveryId: 35, city: "0000073738", paymentId: 7 } });
const order = await call({
  method: "POST",
  path: "/api/orders",
  headers: { "idempotency-key": randomUUID() },
  body: {
    quoteId: dataOf(quote)["quoteId"],
    user: { name: "Иван", lastName: "Иванов", email: "buyer@chekan.trial", phone: "+79161234567" },
    delivery: { id: 35 },
    paymentId: 7,
    consent: true,
  },
});
expect("order", order.status === 201, [quote.status, quote.text, order.status, order.text]);
session.close();

for (const port of [3021, 3022]) {
  const office = await fetch(`http://127.0.0.1:${port}/`, { headers: { host: `localhost:${port}` } });
  expect(`sign-in page of the back office at ${port}`, office.status === 200 && (await office.text()).includes("</html>"), office.status);
}
console.log(JSON.stringify(wrong));
