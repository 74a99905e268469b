import { expect, test } from "vitest";
import { isOutdated, newsOf } from "./news.ts";

const at = "2026-11-28T12:00:00+03:00";
const placed = { event: "place", text: "Оформлен", state: "placed" as const, at, actor: null };
const note = (author: string) => ({ id: 1, at, author, text: "Звонил" });
const card = { revision: 3, comments: [note("staff:orlova")], history: [placed], assignee: null, people: [] };

test("a card is outdated by a newer revision or another comment, not by an answer from before a save", () => {
  expect(isOutdated(card, { revision: 3, comments: 1 })).toBe(false);
  expect(isOutdated(card, { revision: 4, comments: 1 })).toBe(true);
  expect(isOutdated(card, { revision: 3, comments: 2 })).toBe(true);
  expect(isOutdated(card, { revision: 2, comments: 0 })).toBe(false);
});

test("news name what others did and who it was, and leave out what the same person did in another window", () => {
  const packed = { event: "assemble", text: "Собран", state: "assembled" as const, at, actor: "staff:petrov" };
  const after = {
    ...card,
    revision: 5,
    history: [placed, packed],
    comments: [...card.comments, note("staff:petrov")],
    assignee: "petrov",
    people: [{ login: "petrov", name: "Иван Петров" }],
  };
  expect(newsOf(card, after, "orlova")).toBe(
    "Заказ изменили, показано новое: Собран, Иван Петров; новая заметка, Иван Петров; ведёт Иван Петров",
  );
  expect(newsOf(card, after, "petrov")).toBeNull();
});
