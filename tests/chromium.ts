import { existsSync } from "node:fs";

const installed = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome-stable", "/usr/bin/google-chrome"];

/** A browser for the journeys: `CHROMIUM_PATH`, an installed one, else the one in the package `@sparticuz/chromium`. */
export async function chromiumPath(): Promise<string> {
  const found = [process.env.CHROMIUM_PATH ?? "", ...installed].find((path) => path !== "" && existsSync(path));
  if (found) return found;
  // Read when the package is loaded: it then unpacks the system libraries that a bare machine lacks.
  process.env.AWS_EXECUTION_ENV ??= "AWS_Lambda_nodejs24.x";
  const { default: chromium } = await import("@sparticuz/chromium");
  return chromium.executablePath();
}
