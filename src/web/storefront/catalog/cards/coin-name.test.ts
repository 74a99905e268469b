import { expect, test } from "vitest";
import { coinName, mintName, mintSign } from "./coin-name.ts";

const plain = (title: string) => {
  const { name, face, remark } = coinName(title);
  return [name, face?.replaceAll("\u00A0", " ") ?? null, remark];
};

test("a title is split into the coin's name, its face value and a remark", () => {
  expect(plain("Георгий Победоносец, 50 рублей 2026 (ММД)")).toEqual(["Георгий Победоносец", "50 рублей", "ММД"]);
  expect(plain("Георгий Победоносец, 10 000 рублей 2024")).toEqual(["Георгий Победоносец", "10 000 рублей", null]);
  expect(plain("Кленовый лист 1/10 унции 2025")).toEqual(["Кленовый лист", "1/10 унции", null]);
  expect(plain("Китайская панда 30 г (золото) 2025")).toEqual(["Китайская панда", "30 г", null]);
  expect(plain("Леопард (Сочи-2014), 50 рублей 2011")).toEqual(["Леопард (Сочи-2014)", "50 рублей", null]);
  expect(plain("350-летие со дня рождения Петра I, 100 рублей 2022")).toEqual(["350-летие со дня рождения Петра I", "100 рублей", null]);
  expect(plain("160-летие Банка России, 3 рубля 2020 (второй сюжет)")).toEqual(["160-летие Банка России", "3 рубля", "второй сюжет"]);
  expect(plain("Ноев ковчег серебро 1 килограмм 2024")).toEqual(["Ноев ковчег серебро", "1 килограмм", null]);
});
test("a coin without a face value keeps its name", () => {
  expect(plain("Соверен 2023")).toEqual(["Соверен", null, null]);
  expect(plain("Что угодно")).toEqual(["Что угодно", null, null]);
});
test("a mint has a long and a short name", () => {
  expect(mintSign("Московский монетный двор (ММД)")).toBe("ММД");
  expect(mintName("Московский монетный двор (ММД)")).toBe("Московский монетный двор");
  expect(mintSign("The Royal Mint")).toBeNull();
});
