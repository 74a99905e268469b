import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { OrderList, type MyOrderRow } from "./order-list.tsx";

const row: MyOrderRow = {
  id: "o1",
  number: 10_001,
  createdAt: new Date("2026-11-20T09:00:00Z"),
  state: "paid",
  status: "Оплачен",
  total: kopecks(363_692_00),
  count: 4,
  titles: ["Соболь", "Барс", "Рысь"],
  images: [],
};

test("an order of several coins names the number of kinds and of pieces, which do not read as one decimal", () => {
  const html = renderToStaticMarkup(<RouterProvider router={createMemoryRouter([{ path: "/", element: <OrderList rows={[row]} /> }])} />);
  expect(html.replaceAll("\u00A0", " ")).toContain("Соболь и ещё 2 вида, 4 монеты");
});
