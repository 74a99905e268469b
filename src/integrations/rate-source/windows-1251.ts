/**
 * Text → windows-1251 bytes: ASCII, Russian letters and №; everything else becomes a question mark. Node can read this encoding but not
 * write it.
 */
export function encodeWindows1251(text: string): Buffer {
  return Buffer.from(Array.from(text, (letter) => byteOf(letter.codePointAt(0) ?? 0)));
}

function byteOf(code: number): number {
  if (code < 0x80) return code;
  if (code >= 0x410 && code <= 0x44f) return code - 0x410 + 0xc0; // А…я
  return others.get(code) ?? 0x3f;
}

const others = new Map([
  [0x401, 0xa8],
  [0x451, 0xb8],
  [0x2116, 0xb9],
  [0xa0, 0xa0],
  [0xab, 0xab],
  [0xbb, 0xbb],
]); // Ё ё № nbsp « »
