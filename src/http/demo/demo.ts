import * as contract from "#contract/demo.ts";
import { orderStatusTexts } from "#contract/texts.ru.ts";
import { fromRoubles, toRoubles } from "#kit/money.ts";
import { done, fail, mapOk } from "#kit/result.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import * as inquiries from "#shop/inquiries/service.ts";
import * as newsletter from "#shop/newsletter/service.ts";
import type { StaffDetails } from "#shop/orders/order.ts";
import * as orders from "#shop/orders/service.ts";
import { applyEvent } from "#shop/orders/staff/apply-event.service.ts";
import * as payment from "#shop/payment/service.ts";
import type { RateCode } from "#shop/rates/rate.ts";
import * as rates from "#shop/rates/service.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";
import type { DemoControls } from "./controls.ts";

/** The request's roubles as arguments of a staff event. */
const staffDetails = ({
  amount,
  reference,
  items,
  delivery,
  seal,
}: {
  amount?: number;
  reference?: { number: string; date: string; payerAccount?: string };
  items?: { id: number; count: number }[];
  delivery?: boolean;
  seal?: string;
}): StaffDetails => ({
  ...(reference ? { reference: { ...reference, payerAccount: reference.payerAccount ?? null } } : {}),
  ...(amount === undefined ? {} : { amount: fromRoubles(amount) }),
  ...(items ? { pieces: items.map(({ id, count }) => ({ coinId: id, quantity: count })) } : {}),
  ...(delivery ? { isDeliveryToo: true } : {}),
  ...(seal === undefined ? {} : { sealNumber: seal }),
});

/** The calls of demo mode: read messages, move the market, break a provider, act as staff. */
export const demoEndpoints = (controls: DemoControls): readonly Endpoint[] => [
  endpoint(contract.readOutbox, async (_, { query }) =>
    done(
      (await controls.outbox(query.to)).map((message) => ({
        at: isoMoscow(message.at),
        channel: message.channel,
        to: message.to,
        text: message.text,
      })),
    ),
  ),

  endpoint(contract.moveRates, async (ctx, { body }) => {
    for (const [code, value] of Object.entries(body) as [RateCode, number][]) {
      if ((await rates.verdictFor(ctx, code, Math.round(value * 10_000))) !== "accepted") return fail({ code: "demo.refused" });
    }
    return (await controls.setRates(body)) ? done(true as const) : fail({ code: "demo.refused" });
  }),

  endpoint(contract.moveMarket, async (_, { body }) => {
    await controls.setMarket(body.open);
    return done(true as const);
  }),

  endpoint(contract.setFault, async (_, { body }) => {
    await controls.setFault(body.provider, body.mode);
    return done(true as const);
  }),

  endpoint(contract.readPayments, async () =>
    done(
      (await controls.payments()).map((payment) => ({
        id: payment.id,
        orderId: payment.orderId,
        amount: toRoubles(payment.amount),
        status: payment.status,
        refunded: toRoubles(payment.refunded),
      })),
    ),
  ),

  endpoint(contract.playStaff, async (ctx, { params, body }) => {
    const id = await orders.idOf(ctx, params.id);
    if (id === null) return fail({ code: "order.not_found" });
    return mapOk(await applyEvent(ctx, id, body.event, staffDetails(body)), (order) => ({
      id: order.id,
      status: order.state,
      statusText: orderStatusTexts[order.state],
      ...contract.packedView(order),
    }));
  }),

  endpoint(contract.takeStatementEntry, async (ctx, { body }) =>
    done(await orders.processEntry(ctx, { ...body, amount: fromRoubles(body.amount) })),
  ),

  endpoint(contract.retryShipment, async (ctx, { params, body }) => {
    const id = await orders.idOf(ctx, params.id);
    if (id === null) return fail({ code: "order.not_found" });
    return mapOk(await orders.resendParcel(ctx, id, body.pointId ?? null), (status) => ({ id, status }));
  }),

  endpoint(contract.moveParcel, async (ctx, { params: { id }, body }) => {
    const order = await orders.byId(ctx, id);
    if (!order) return fail({ code: "order.not_found" });
    return (await controls.moveParcel(order.number, body.code, body.city ?? order.delivery.cityName))
      ? done(true as const)
      : fail({ code: "shipment.not_found" });
  }),

  endpoint(contract.readSubscribers, async (ctx) =>
    done((await newsletter.subscribers(ctx)).map((each) => ({ ...each, since: isoMoscow(each.since) }))),
  ),
  endpoint(contract.readWaiting, async (ctx) => done((await orders.waiting(ctx)).map(contract.waitingOrderView))),
  endpoint(contract.readReceipts, async (ctx) => done((await payment.receiptsWaiting(ctx.db)).map(contract.waitingReceipt))),
  endpoint(contract.readRefunds, async (ctx) => done((await payment.refundsWaiting(ctx)).map(contract.waitingRefund))),
  endpoint(contract.workReceipt, async (ctx, { params, body }) =>
    mapOk(await payment.applyReceiptEvent(ctx, params.id, body.event, body.signs), ({ id, state }) => ({ id, status: state })),
  ),

  endpoint(contract.decideReview, async (ctx, { params: { id }, body }) =>
    mapOk(await inquiries.decide(ctx, id, body.event), ({ state }) => ({ id, status: state })),
  ),
  endpoint(contract.closeInquiry, async (ctx, { params: { id }, body }) =>
    mapOk(await inquiries.close(ctx, id, body.event), ({ state }) => ({ id, status: state })),
  ),
];
