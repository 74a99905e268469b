import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createS3Storage } from "#integrations/object-storage/adapter.ts";
import { startS3Simulator } from "#integrations/object-storage/simulator.ts";
import { createPictures, type Pictures, type VariantRequest } from "../pictures.ts";

const access = { keyId: "KEYOFTHESHOP", secretKey: "secret" };
const now = (): Date => new Date();
let folder: string;
let upload: Buffer;
let simulator: Awaited<ReturnType<typeof startS3Simulator>>;
const opened: Pictures[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "variants-"));
  upload = await sharp({ create: { width: 640, height: 640, channels: 3, background: "#c8a13a" } })
    .webp()
    .toBuffer();
  simulator = await startS3Simulator({ bucket: "pictures", ...access });
});
afterEach(async () => {
  simulator.setFault("ok");
  simulator.objects.clear();
  await Promise.all(opened.splice(0).map((each) => each.close()));
});
afterAll(async () => {
  await simulator.close();
  await rm(folder, { recursive: true });
});

/** The pictures of a machine with its own disk. `hasSource`: it may read uploads, so that it can encode. */
function aMachine(disk: string, { hasSource = true, shares = true } = {}): Pictures {
  const made = createPictures({
    sourceDir: join(folder, "drawings"),
    cacheDir: join(folder, disk),
    shared: shares ? createS3Storage({ url: simulator.url, region: "us-east-1", ...access }, { now, timeoutMs: 500 }) : null,
    readUploaded: async () => (hasSource ? upload : null),
  });
  opened.push(made);
  return made;
}
const variant: VariantRequest = {
  source: { uploaded: "gold-0123456789ab", cut: null },
  modifiers: { format: "webp", width: 160, height: null, fit: "cover", quality: 76, background: null },
};
/** What is being sent to the storage arrives first. */
async function stop(machine: Pictures): Promise<void> {
  opened.splice(opened.indexOf(machine), 1);
  await machine.close();
}
const shown = async (machine: Pictures) => {
  const picture = await machine.get(variant);
  return typeof picture === "string" ? picture : picture.bytes;
};

test("two machines with disks of their own show the same uploaded picture", async () => {
  const [one, two] = [await shown(aMachine("a", { shares: false })), await shown(aMachine("b", { shares: false }))];
  expect(Buffer.isBuffer(one) && one).toEqual(two);
});

test("a variant is encoded once for all machines: the second takes it from the shared storage and stores it on its disk", async () => {
  const first = aMachine("c");
  const bytes = await shown(first);
  await stop(first);
  expect(simulator.objects.size).toBe(1);
  expect(await shown(aMachine("d", { hasSource: false }))).toEqual(bytes);
  simulator.objects.clear();
  expect(await shown(aMachine("d", { hasSource: false }))).toEqual(bytes);
});

test("a folder that machines share is enough", async () => {
  const bytes = await shown(aMachine("e", { shares: false }));
  expect(await shown(aMachine("e", { shares: false, hasSource: false }))).toEqual(bytes);
  expect((await readdir(join(folder, "e"))).filter((name) => name.endsWith(".draft"))).toEqual([]);
});

test.each(["error", "html", "timeout", "reset"] as const)(
  "with a storage that answers with %s the picture is encoded here",
  async (fault) => {
    simulator.setFault(fault);
    expect(Buffer.isBuffer(await shown(aMachine(`f-${fault}`)))).toBe(true);
  },
);

test("bytes of the shared storage that are not a picture are not served", async () => {
  const first = aMachine("g");
  await shown(first);
  await stop(first);
  const [[path] = [""]] = simulator.objects;
  simulator.objects.set(path, { bytes: Buffer.from("<script>alert(1)</script>"), type: "image/webp" });
  expect(await shown(aMachine("h", { hasSource: false }))).toBe("missing");
});
