import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createFault, type FaultMode } from "#integrations/faults.ts";

export type PictureOrigin = { url: string; setFault(mode: FaultMode): void; close(): Promise<void> };

/** A foreign picture server that returns the same picture at every address, and can be made faulty. */
export async function startPictureOrigin(): Promise<PictureOrigin> {
  const folder = join(import.meta.dirname, "../../../db/seed/media/coins");
  const picture = readFileSync(join(folder, readdirSync(folder).find((each) => each.endsWith(".webp")) ?? ""));
  const fault = createFault();
  const server = createServer((request, response) => {
    request.resume();
    void fault.apply(response).then((isSpoilt) => {
      if (!isSpoilt) response.writeHead(200, { "content-type": "image/webp" }).end(picture);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setFault: fault.set,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
