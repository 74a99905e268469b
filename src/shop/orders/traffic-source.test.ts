import { expect, test } from "vitest";
import { trafficSourceOf, type Arrival } from "./traffic-source.ts";

const arrival = (more: Partial<Arrival> = {}): Arrival => ({
  referrer: "",
  utmSource: "",
  utmMedium: "",
  utmCampaign: "",
  isPaidClick: false,
  ...more,
});
const channelOf = (more: Partial<Arrival>) => trafficSourceOf(arrival(more)).channel;

test("the channel is found by the site with the link", () => {
  expect(trafficSourceOf(arrival())).toEqual({ channel: "direct", name: null, campaign: null });
  expect(trafficSourceOf(arrival({ referrer: "www.google.com" }))).toEqual({ channel: "search", name: "google.com", campaign: null });
  for (const referrer of ["yandex.ru", "ya.ru", "www.google.co.uk", "go.mail.ru", "com.google.android.googlequicksearchbox"])
    expect([referrer, channelOf({ referrer })]).toEqual([referrer, "search"]);
  for (const referrer of ["e.mail.ru", "mail.yandex.ru", "mail.google.com"])
    expect([referrer, channelOf({ referrer })]).toEqual([referrer, "mail"]);
  for (const referrer of ["vk.com", "m.vk.com", "away.vk.com", "t.me", "dzen.ru"])
    expect([referrer, channelOf({ referrer })]).toEqual([referrer, "social"]);
  for (const referrer of ["forum.example.ru", "notyandex.ru.example.com", "myvk.com"])
    expect([referrer, channelOf({ referrer })]).toEqual([referrer, "link"]);
});

test("marks in the address say more than the site with the link", () => {
  expect(trafficSourceOf(arrival({ referrer: "yandex.ru", utmSource: "Yandex", utmMedium: "CPC", utmCampaign: "Осень_2026" }))).toEqual({
    channel: "advertising",
    name: "yandex",
    campaign: "осень_2026",
  });
  expect(channelOf({ referrer: "yandex.ru", isPaidClick: true })).toBe("advertising");
  expect(channelOf({ utmSource: "letter", utmMedium: "email" })).toBe("mail");
  expect(channelOf({ utmSource: "blogger" })).toBe("campaign");
  expect(channelOf({ utmCampaign: "700123456" })).toBe("campaign");
});

test("a mark that could be of a person, or is not a mark, is not stored", () => {
  for (const utmCampaign of ["ivan@example.ru", "+7 916 123-45-67", "<b>", "=1+1"])
    expect(trafficSourceOf(arrival({ utmSource: "letter", utmMedium: "email", utmCampaign })).campaign).toBeNull();
  expect(trafficSourceOf(arrival({ utmSource: "x".repeat(100), utmMedium: "cpc" })).name).toHaveLength(60);
});
