import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";

/**
 * Renders the clips of a turning coin from our own pictures: `node scripts/make-clip.ts` rewrites
 * `src/web/media/coin-{gold,silver}.{mp4,webm,webp}`. Run by hand when the pictures change; needs ffmpeg with libx264 and libvpx-vp9. The
 * build uses the files as they are.
 */
const root = join(import.meta.dirname, "..");
const clips = [
  {
    name: "gold",
    coin: "georgij-pobedonosec-50-rublej-2026-mmd",
    rim: [
      [148, 104, 34],
      [246, 214, 138],
    ],
  },
  {
    name: "silver",
    coin: "georgij-pobedonosec-3-rublya-2026-mmd",
    rim: [
      [112, 116, 118],
      [236, 239, 240],
    ],
  },
] as const satisfies { name: string; coin: string; rim: readonly [Colour, Colour] }[];

const size = 480;
const fps = 30;
/** One turn; the last frame is followed by the first, so that it can loop. */
const frames = 150;
type Colour = readonly [number, number, number];
/** The page's background, so that the picture has no border. */
const paper: Colour = [246, 241, 231];

/** The area of the face in a picture of 640 px: below it the drawing shows the coin's thickness, which this script renders itself. */
const face = { x: 320.3, y: 312.5, radius: 296 };
/** Of the coin on the frame, in its pixels. */
const radius = size * 0.4;
const middle = { x: size / 2, y: size * 0.47 };
/** The thickness of «Победоносец» is a tenth of its diameter. */
const thickness = radius * 0.16;
const notches = 150;

type Picture = { data: Buffer; width: number };

async function readFace(coin: string, side: "obverse" | "reverse"): Promise<Picture> {
  const { data, info } = await sharp(join(root, `db/seed/media/coins/${coin}-${side}.webp`))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width };
}

/** Colour of a face at a point of the unit circle, between the four pixels around it. */
function colourAt({ data, width }: Picture, u: number, v: number): Colour {
  const x = face.x + u * face.radius;
  const y = face.y + v * face.radius;
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [dx, dy] = [x - left, y - top];
  const channel = (n: number) => {
    const at = (px: number, py: number) => data[(py * width + px) * 4 + n] ?? 0;
    return (
      (at(left, top) * (1 - dx) + at(left + 1, top) * dx) * (1 - dy) + (at(left, top + 1) * (1 - dx) + at(left + 1, top + 1) * dx) * dy
    );
  };
  return [channel(0), channel(1), channel(2)];
}

/**
 * The colour at a point of the frame: a face, the rim, or nothing. The coin is a cylinder that turns about its vertical axis, seen from far
 * away: a point of it (u, v on the face, z through the thickness) is at x = u·cos + z·sin.
 */
function colourOf(
  x: number,
  y: number,
  angle: number,
  faces: { reverse: Picture; obverse: Picture },
  rim: readonly [Colour, Colour],
): Colour | null {
  const v = y / radius;
  if (Math.abs(v) > 1) return null;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const near = cos >= 0 ? 1 : -1; // which face is visible
  const u = (x - near * (thickness / 2) * sin) / (radius * cos);
  if (u * u + v * v <= 1) {
    // Seen from behind, the obverse is mirrored.
    const [red, green, blue] = colourAt(near > 0 ? faces.reverse : faces.obverse, near * u, v);
    const turned = near * sin;
    const sheen = Math.exp(-(((near * u * 0.8 + v * 0.6 - turned * 2.4) / 0.3) ** 2)) * 46 * Math.abs(turned);
    const light = 1 - 0.26 * Math.abs(sin) + 0.08 * turned;
    return [red * light + sheen, green * light + sheen * 0.95, blue * light + sheen * 0.8];
  }
  const half = Math.sqrt(1 - v * v) * (sin >= 0 ? -1 : 1); // the visible half of the rim
  const z = (x - half * radius * cos) / sin;
  if (Math.abs(sin) < 1e-6 || Math.abs(z) > thickness / 2) return null;
  const notch = 0.5 + 0.5 * Math.cos(Math.atan2(v, Math.abs(half)) * notches);
  const shine = (0.3 + 0.7 * notch) * (1 - 0.55 * Math.abs(v)) * (0.72 + 0.28 * Math.abs(sin));
  return [0, 1, 2].map((n) => rim[0][n]! + (rim[1][n]! - rim[0][n]!) * shine) as unknown as Colour;
}

/** Four samples per pixel smooth the edges. */
const samples = [
  [0.25, 0.25],
  [0.75, 0.25],
  [0.25, 0.75],
  [0.75, 0.75],
] as const;

function drawFrame(angle: number, faces: { reverse: Picture; obverse: Picture }, rim: readonly [Colour, Colour]): Buffer {
  const frame = Buffer.alloc(size * size * 3);
  const wide = radius * Math.abs(Math.cos(angle)) * 0.84 + thickness * Math.abs(Math.sin(angle));
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const shadow = Math.exp(-(((x - middle.x) / (wide + 14)) ** 2) * 2.2 - ((y - middle.y - radius * 1.09) / 11) ** 2) * 0.36;
      const ground: Colour = [paper[0] * (1 - shadow * 0.8), paper[1] * (1 - shadow * 0.86), paper[2] * (1 - shadow)];
      const sum = [0, 0, 0];
      for (const [dx, dy] of samples) {
        const seen = colourOf(x + dx - middle.x, y + dy - middle.y, angle, faces, rim) ?? ground;
        for (let n = 0; n < 3; n += 1) sum[n]! += seen[n]!;
      }
      for (let n = 0; n < 3; n += 1) frame[(y * size + x) * 3 + n] = Math.min(255, Math.max(0, Math.round(sum[n]! / 4)));
    }
  }
  return frame;
}

/** The coin turns slower while a face is visible, and faster past its edge. */
const angleAt = (frame: number): number => {
  const turn = (frame / frames) * 2 * Math.PI;
  return turn - Math.sin(2 * turn) * 0.28;
};

async function run(command: string, args: readonly string[]): Promise<void> {
  const [code] = (await once(spawn(command, args, { stdio: "inherit" }), "close")) as [number];
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
}

const folder = await mkdtemp(join(tmpdir(), "clip-"));
for (const { name, coin, rim } of clips) {
  const faces = { reverse: await readFace(coin, "reverse"), obverse: await readFace(coin, "obverse") };
  for (let n = 0; n < frames; n += 1) {
    const raw = sharp(drawFrame(angleAt(n), faces, rim), { raw: { width: size, height: size, channels: 3 } });
    await raw.png({ compressionLevel: 1 }).toFile(join(folder, `${String(n).padStart(3, "0")}.png`));
  }
  const to = join(root, `src/web/media/coin-${name}`);
  const input = [
    "-y",
    "-loglevel",
    "error",
    "-framerate",
    String(fps),
    "-i",
    join(folder, "%03d.png"),
    "-an",
    "-pix_fmt",
    "yuv420p",
    "-map_metadata",
    "-1",
    "-fflags",
    "+bitexact",
  ];
  await run("ffmpeg", [...input, "-c:v", "libx264", "-preset", "veryslow", "-crf", "26", "-movflags", "+faststart", `${to}.mp4`]);
  await run("ffmpeg", [...input, "-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "36", "-row-mt", "1", "-deadline", "good", `${to}.webm`]);
  await sharp(join(folder, "000.png")).webp({ quality: 80 }).toFile(`${to}.webp`);
}
await rm(folder, { recursive: true });
