import * as contract from "#contract/staff/calls.ts";
import { priceText } from "#kit/format.ts";
import { fromRoubles } from "#kit/money.ts";
import { stateLabels as dealStates } from "../buyback/words.ts";
import { callStaff } from "../client.ts";
import type { Hit, HitGroup, SearchAnswer, SearchProvider } from "../shell/palette/search-provider.ts";
import { actLabels, panelActs, stateLabels } from "./words.ts";

/** Orders, customers, transfers, buyback deals and coins of the server. */
export const orderSearch: SearchProvider = {
  id: "orders",
  permission: "signed_in",
  find: async (text, { grants }, signal): Promise<SearchAnswer> => {
    if (text.length < 2) return [];
    const answer = await callStaff(contract.findAnything, { query: { q: text }, signal });
    if (!answer.ok) return { refusal: answer.error.message };
    const { orders, acts, customers, transfers, deals, coins } = answer.value;
    const [order] = orders;
    const groups: HitGroup[] = [
      {
        title: "Заказы",
        hits: orders.map(({ id, number, buyer, phone, state, sum, tracking }): Hit => ({
          id: `order-${id}`,
          icon: "bag",
          title: `${number}`,
          note: [buyer, phone, tracking].filter(Boolean).join(", "),
          facts: [stateLabels[state], sum === undefined ? "" : priceText(fromRoubles(sum))].filter(Boolean).join(", "),
          path: `/orders/${id}`,
        })),
      },
      {
        title: `Что сделать с заказом ${order?.number ?? ""}`,
        hits: order
          ? panelActs
              .filter((act) => acts.includes(act))
              .map((act): Hit => ({ id: `act-${act}`, icon: "right", title: actLabels[act], path: `/orders/${order.id}?act=${act}` }))
          : [],
      },
      {
        title: "Покупатели",
        hits: customers.map(({ id, name, maskedPhone }): Hit => ({
          id: `customer-${id}`,
          icon: "user",
          title: name || "Без имени",
          note: maskedPhone,
          path: `/customers/${id}`,
        })),
      },
      {
        title: "Переводы",
        hits: transfers.map(({ id, number, date, amount, orderId }): Hit => ({
          id: `transfer-${id}`,
          icon: "bank",
          title: `Поручение ${number}`,
          note: date,
          facts: priceText(fromRoubles(amount)),
          path: `/orders/${orderId}`,
        })),
      },
      {
        title: "Выкуп",
        hits: deals.map(({ id, name, maskedPhone, state, sum }): Hit => ({
          id: `deal-${id}`,
          icon: "back",
          title: `Выкуп № ${id}`,
          note: [name, maskedPhone].filter(Boolean).join(", "),
          facts: [dealStates[state], priceText(fromRoubles(sum))].join(", "),
          path: `/buyback/${id}`,
        })),
      },
      {
        title: "Монеты",
        hits: coins.map(({ id, title, isPublished, url }): Hit => ({
          id: `coin-${id}`,
          icon: "coin",
          title,
          note: `${id}${grants.coins ? (isPublished ? "" : ", не показана") : ", страница в магазине"}`,
          path: grants.coins ? `/coins/${id}` : url,
        })),
      },
    ];
    return groups.filter(({ hits }) => hits.length > 0);
  },
};
