import { expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { cardView } from "./card-view.ts";
import { shownCards } from "./shown-cards.server.ts";
import { aCard } from "./testing.ts";

const viewOf = (card: ReturnType<typeof aCard>) => shownCards([card])[0];

test("equal cards of two pages have one view, which cannot be changed", () => {
  const premium = { amount: kopecks(500_000), bp: 480 };
  const view = viewOf(aCard({ premium }));
  expect(viewOf(aCard({ premium: { ...premium } }))).toBe(view);
  expect(view).toEqual(cardView(aCard({ premium })));
  expect(Object.isFrozen(view)).toBe(true);
});

test("any other value of a card makes another view", () => {
  const card = aCard({ premium: { amount: kopecks(500_000), bp: 480 } });
  const issues = { count: 3, available: 4, yearFrom: 2020, yearTo: 2022, isCheapest: true };
  const changes = [
    { price: kopecks(1) },
    { available: 1 },
    { premium: { amount: kopecks(500_000), bp: 490 } },
    { premium: null },
    { issues },
  ];
  for (const change of changes) {
    const before = viewOf(card);
    const changed = { ...card, ...change };
    expect(viewOf(changed)).not.toBe(before);
    expect(viewOf(changed)).toEqual(cardView(changed));
  }
});
