import { existsSync, readdirSync, readFileSync } from "node:fs";
import sharp from "sharp";
import { expect, test } from "vitest";
import { createEncoder } from "./encoder.ts";

/** Fields of `/proc/…/stat` after the name: [1] is the parent's id, [16] the nice value. */
const fieldsOf = (file: string): string[] => readFileSync(file, "utf8").split(") ").at(-1)?.split(" ") ?? [];

/** The encoding process among the children of this process. */
function encodingProcess(): string | undefined {
  return readdirSync("/proc").find((id) => {
    try {
      return (
        /^\d+$/.test(id) &&
        fieldsOf(`/proc/${id}/stat`)[1] === String(process.pid) &&
        readFileSync(`/proc/${id}/cmdline`, "utf8").includes("encode-process")
      );
    } catch {
      return false; // it has ended meanwhile
    }
  });
}

// on Linux the encoding threads have a lower priority than pages, not only the first thread of the process
test.runIf(existsSync("/proc/self/task"))(
  "every thread that encodes pictures has a lower priority than those that serve pages",
  async () => {
    const encoder = createEncoder();
    const bytes = await sharp({ create: { width: 64, height: 64, channels: 3, background: "#c9a" } })
      .png()
      .toBuffer();
    const made = await encoder.encode(bytes, { format: "avif", width: 32, height: null, fit: "cover", quality: 60, background: null });
    expect(Buffer.isBuffer(made)).toBe(true);
    const id = encodingProcess();
    const workers = readdirSync(`/proc/${id}/task`).filter((task) =>
      /^(libuv|libvips)/.test(readFileSync(`/proc/${id}/task/${task}/comm`, "utf8")),
    );
    const niceness = workers.map((task) => Number(fieldsOf(`/proc/${id}/task/${task}/stat`)[16]));
    encoder.close();
    expect(workers.length).toBeGreaterThan(0);
    expect(Math.min(...niceness)).toBeGreaterThanOrEqual(Math.min(19, Number(fieldsOf("/proc/self/stat")[16]) + 5));
  },
);

test("a good picture that takes too long on a busy machine is slow, not unreadable", async () => {
  const encoder = createEncoder({ timeoutMs: 1 });
  const bytes = await sharp({ create: { width: 4_000, height: 4_000, channels: 3, background: "#c9a" } })
    .png()
    .toBuffer();
  const modifiers = { format: "avif", width: 4_000, height: null, fit: "cover", quality: 60, background: null } as const;
  expect(await encoder.encode(bytes, modifiers)).toBe("slow");
  encoder.close();
});
