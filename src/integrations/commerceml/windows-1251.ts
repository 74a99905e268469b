/** The bytes of windows-1251 by character: what every release of 1C reads. */
const codes = new Map(
  Array.from(new TextDecoder("windows-1251").decode(Uint8Array.from({ length: 256 }, (_, code) => code))).map((letter, code) => [
    letter,
    code,
  ]),
);

/** Text as windows-1251; `otherwise` writes what it does not have. */
export function toWindows1251(text: string, otherwise: (letter: string) => string): Buffer {
  const bytes: number[] = [];
  for (const letter of text) {
    const code = codes.get(letter);
    if (code !== undefined) bytes.push(code);
    else for (const each of otherwise(letter)) bytes.push(codes.get(each) ?? 63);
  }
  return Buffer.from(bytes);
}
