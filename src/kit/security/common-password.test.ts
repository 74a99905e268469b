import { expect, test } from "vitest";
import { isCommonPassword } from "./common-password.ts";

test("words, rows of keys and repetitions are common, however long they are", () => {
  const common = [
    "123456789012",
    "987654321098",
    "aaaaaaaaaaaaaaa",
    "121212121212",
    "qwertyuiop12",
    "Qwerty123456",
    "qwerty1234567890",
    "passwordpassword",
    "Password2026!",
    "йцукенгшщзхъ",
    "Пароль 2026!!",
    "1q2w3e4r5t6y",
  ];
  expect(common.filter((each) => !isCommonPassword(each))).toEqual([]);
});

test("what a person makes up is not, also with a common word in it", () => {
  const own = [
    "correct horse battery staple",
    "длинный пароль лавки",
    "новый длинный пароль",
    "пароль от лавки 17",
    "office-password-1",
    "admin-84613975-x",
    "Kd8!vQ2p#Lm0",
  ];
  expect(own.filter(isCommonPassword)).toEqual([]);
});
