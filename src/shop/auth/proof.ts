/**
 * A sum that costs a browser a part of a second and whoever sends thousands of codes an hour of machine time: asked for while hardly any of
 * the codes sent are used. Browser-safe: the sign-in window solves what the service sets.
 */
export const proofBits = 15;

/** So many digests are in flight at once while solving; one after another would wait for the browser's thread each time. */
const batch = 64;

const digest = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));

/** Whether the SHA-256 of the proof begins with so many zero bits. */
export const isSolved = async (proof: string, bits: number): Promise<boolean> => hasZeros(await digest(proof), bits);

function hasZeros(hash: Uint8Array, bits: number): boolean {
  const whole = Math.floor(bits / 8);
  return hash.subarray(0, whole).every((byte) => byte === 0) && (hash[whole] ?? 0) >> (8 - (bits % 8)) === 0;
}

/** Finds a number that, put behind the puzzle with a dot, makes a proof; 2^bits tries on average. */
export async function solve(puzzle: string, bits: number): Promise<string> {
  for (let start = 0; ; start += batch) {
    const proofs = Array.from({ length: batch }, (_, index) => `${puzzle}.${start + index}`);
    const solved = await Promise.all(proofs.map((proof) => isSolved(proof, bits)));
    const found = proofs[solved.indexOf(true)];
    if (found !== undefined) return found;
  }
}
