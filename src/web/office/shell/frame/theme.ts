import { useSyncExternalStore } from "react";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];
export const themeNames: Readonly<Record<Theme, string>> = { system: "Как в системе", light: "Светлая", dark: "Тёмная" };

const key = "office-theme";
const listeners = new Set<() => void>();

const read = (): Theme => themes.find((each) => each === localStorage.getItem(key)) ?? "system";

export function setTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === "system") {
    localStorage.removeItem(key);
    delete dataset["theme"];
  } else {
    localStorage.setItem(key, theme);
    dataset["theme"] = theme;
  }
  for (const each of listeners) each();
}

export const useTheme = (): Theme =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, read);
