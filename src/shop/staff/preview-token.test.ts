import { expect, test } from "vitest";
import { createSecrets } from "#kit/security/secrets.ts";
import { minutes } from "#kit/time.ts";
import { defaultLimits } from "#shop/settings.ts";
import { testClock } from "#tests/shop.ts";
import { previewSubject, previewToken } from "./preview-token.ts";

const clock = testClock();
const ctx = {
  now: clock.now,
  secrets: createSecrets({ common: ["a-secret-of-the-tests-0123456789abcdef"], own: {} }),
  settings: { limits: { ...defaultLimits, previewMinutes: 30 } },
} as Parameters<typeof previewToken>[0];

test("a token shows its one subject until its time is over", () => {
  const token = previewToken(ctx, "news:12");
  expect(previewSubject(ctx, token)).toBe("news:12");
  clock.advance(minutes(30) - 1);
  expect(previewSubject(ctx, token)).toBe("news:12");
  clock.advance(1);
  expect(previewSubject(ctx, token)).toBeNull();
});

test("a token with another subject, another time or another signature shows nothing", () => {
  const [subject = "", until = "", signature = ""] = previewToken(ctx, "coin:431").split(".");
  const forged = [
    `coin:432.${until}.${signature}`,
    `${subject}.${until}0.${signature}`,
    `${subject}.${until}.${"0".repeat(signature.length)}`,
    `${subject}.${until}`,
    `${subject}.${until}.${signature}.x`,
    "coin:431",
    "",
    `../:1.${until}.${signature}`,
  ];
  for (const token of forged) expect([token, previewSubject(ctx, token)]).toEqual([token, null]);
});
