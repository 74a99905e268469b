import { expect, test } from "vitest";
import { fromStored, storedProfileSchema, toStored } from "./stored-profile.ts";

test("a buy profile accepts the specified fields and nothing else", () => {
  expect(
    storedProfileSchema.safeParse({
      userinfo: {
        street: "Тверская",
        house: "1",
        flat: "2",
        entrance: "3",
        floor: "4",
        usercomment: "домофон не работает",
        select_dlv_service: "sdek",
      },
      pvzinfo: { id: "MSK1" },
      locinfo: { city: { code: "0000073738", name: "Москва", lastName: "", fullName: "Москва, Россия", coords: [55.754047, 37.620405] } },
    }).success,
  ).toBe(true);
  expect(storedProfileSchema.safeParse({ userinfo: { role: "owner" } }).success).toBe(false);
  expect(storedProfileSchema.safeParse({ discount: 100 }).success).toBe(false);
  expect(storedProfileSchema.safeParse({ locinfo: { city: { code: "7", name: "Москва" } } }).success).toBe(false);
});

test("a profile that is read and stored again is unchanged", () => {
  const stored = storedProfileSchema.parse({
    userinfo: { street: "Тверская", usercomment: "звонить дважды", select_dlv_service: 76 },
    pvzinfo: { id: "MSK1", dlvId: 76, type: "POSTAMAT" },
    locinfo: { city: { code: "0000073738", name: "Москва" } },
  });
  const read = fromStored(stored);
  expect(read).toStrictEqual({
    delivery: { street: "Тверская", comment: "звонить дважды", deliveryId: 76 },
    point: { id: "MSK1", deliveryId: 76, type: "POSTAMAT" },
    city: { code: "0000073738", name: "Москва" },
  });
  expect(toStored(read)).toStrictEqual(stored);
  for (const part of [{}, { pvzinfo: null }, { userinfo: {} }, { pvzinfo: { id: "MSK1" } }])
    expect(toStored(fromStored(part))).toStrictEqual(part);
});
