type Place = { label: string; path: string };
type Call = { action: string; params: unknown; body: unknown };

/** More coins would make an address that is too long. */
const coinsLinked = 100;

/** Records with a screen of their own, by the action of the audit or its first word. */
const byId: readonly (readonly [action: string, label: string, path: (id: string) => string])[] = [
  ["order.", "Заказ, как он сейчас", (id) => `/orders/${id}`],
  ["import.", "Загруженный файл, как он сейчас", (id) => `/exchange/imports/${id}`],
  ["coin.", "Монета, как она сейчас", (id) => `/coins/${id}`],
  ["stock.threshold", "Остаток монеты, как он сейчас", (id) => `/stock/coins/${id}`],
  ["stock.", "Документ склада, как он сейчас", (id) => `/stock/documents/${id}`],
  ["stocktake.", "Инвентаризация, как она сейчас", (id) => `/stock/stocktakes/${id}`],
  ["price.undo", "Изменение цен, которое отменяют", (id) => `/prices/changes/${id}`],
  ["buyback.", "Сделка, как она сейчас", (id) => `/buyback/${id}`],
  ["price_promo.", "Акция, как она сейчас", (id) => `/prices/promos/${id}`],
  ["promo_code.", "Промокод, как он сейчас", (id) => `/prices/codes/${id}`],
];

/** The address of the record that a waiting call is about; null: the call is about no record, or a new one. */
export function placeOf({ action, params, body }: Call): Place | null {
  const { id, key } = asObject(params) as { id?: string; key?: string };
  const found = id ? byId.find(([prefix]) => action.startsWith(prefix)) : undefined;
  if (id && found) return { label: found[1], path: found[2](id) };
  if (action.startsWith("settings.") && key) return { label: "Настройки, как они сейчас", path: `/settings/${key}` };
  if (action.startsWith("staff.")) return { label: "Сотрудники, как они сейчас", path: "/people" };
  if (action === "price.steps") return { label: "Цены по количеству, как они сейчас", path: "/prices/steps" };
  if (action !== "price.change" && action !== "price_promo.create") return null;
  const { coins = [] } = asObject(body) as { coins?: readonly { id: number }[] };
  const ids = coins.slice(0, coinsLinked).map((coin) => coin.id);
  return ids.length === 0 ? null : { label: "Цены этих монет, как они сейчас", path: `/prices?ids=${ids.join(",")}` };
}

const asObject = (value: unknown): object => (typeof value === "object" && value !== null ? value : {});
