import { expect, test } from "vitest";
import { typeset, withNumbersUnbroken, withTitleUnbroken } from "./typeset.ts";

const seen = (text: string) => text.replaceAll("\u00A0", "_");

test("a number keeps its groups, its unit and its word", () => {
  expect(seen(withNumbersUnbroken("НДС 22 %, 10 000 рублей, от 100 000 ₽, № 5, серебро 3 рубля (31,1 г)"))).toBe(
    "НДС 22_%, 10_000_рублей, от 100_000_₽, №_5, серебро 3_рубля (31,1_г)",
  );
  expect(seen(withNumbersUnbroken("цена — сумма"))).toBe("цена — сумма");
});

test("no line begins with a dash or ends in a word of one letter", () => {
  expect(seen(typeset("Спред — разница между ценой и выкупом, а не плата. В центре"))).toBe(
    "Спред_— разница между ценой и_выкупом, а_не плата. В_центре",
  );
});

test("a coin's title keeps its number with the unit, and initials with the surname", () => {
  expect(seen(withTitleUnbroken("Писатель М. Е. Салтыков-Щедрин, к 200-летию со дня рождения, 2 рубля 2026"))).toBe(
    "Писатель М._Е._Салтыков-Щедрин, к_200-летию со дня рождения, 2_рубля 2026",
  );
  expect(seen(withTitleUnbroken("Знаки зодиака. Козерог"))).toBe("Знаки зодиака. Козерог");
});

test("marks of Markdown stay what they are", () => {
  const source = "| Что | Сколько |\n| --- | --- |\n| — | 5 |\n\n- пункт\n1. первый\n\n— реплика";
  expect(typeset(source)).toBe(source);
});
