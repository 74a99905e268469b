const browsers: readonly [RegExp, string][] = [
  [/YaBrowser/, "Яндекс Браузер"],
  [/Edg/, "Edge"],
  [/OPR|Opera/, "Opera"],
  [/Firefox|FxiOS/, "Firefox"],
  [/Chrome|CriOS|Chromium/, "Chrome"],
  [/Safari/, "Safari"],
];
const systems: readonly [RegExp, string][] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/Linux|X11/, "Linux"],
];

const named = (list: readonly [RegExp, string][], userAgent: string): string | null =>
  list.find(([sign]) => sign.test(userAgent))?.[1] ?? null;

/** A short name from a `User-Agent` header: «Chrome, Windows». Enough to recognise one's own devices. */
export function deviceName(userAgent: string): string {
  return [named(browsers, userAgent), named(systems, userAgent)].filter((part) => part !== null).join(", ") || "Неизвестное устройство";
}
