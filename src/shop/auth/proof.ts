/**
 * Difficulty of the proof of work in leading zero bits: a fraction of a second for one code, hours of computing time for thousands.
 * Required while suspiciously few codes are used. This module is browser-safe: the sign-in dialog solves the puzzle.
 */
export const proofBits = 15;

/** Digests computed in parallel while solving; one by one would wait for the browser's thread each time. */
const batch = 64;

const digest = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));

/** Whether the SHA-256 of the proof starts with `bits` zero bits. */
export const isSolved = async (proof: string, bits: number): Promise<boolean> => hasZeros(await digest(proof), bits);

function hasZeros(hash: Uint8Array, bits: number): boolean {
  const whole = Math.floor(bits / 8);
  return hash.subarray(0, whole).every((byte) => byte === 0) && (hash[whole] ?? 0) >> (8 - (bits % 8)) === 0;
}

/** Finds a proof: the puzzle, a dot and a number. Takes 2^bits tries on average. */
export async function solve(puzzle: string, bits: number): Promise<string> {
  for (let start = 0; ; start += batch) {
    const proofs = Array.from({ length: batch }, (_, index) => `${puzzle}.${start + index}`);
    const solved = await Promise.all(proofs.map((proof) => isSolved(proof, bits)));
    const found = proofs[solved.indexOf(true)];
    if (found !== undefined) return found;
  }
}
