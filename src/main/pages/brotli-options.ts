import { constants, type BrotliOptions } from "node:zlib";

/**
 * How pages are compressed with Brotli. The smallest window that holds the whole page: a larger one finds nothing more, and its memory,
 * four megabytes by default, is new to the process for each page.
 */
export const brotliOptions = (length: number, quality: number): BrotliOptions => ({
  chunkSize: 64 * 1024,
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: length,
    [constants.BROTLI_PARAM_LGWIN]: Math.min(Math.max(Math.ceil(Math.log2(length + 1)), 16), constants.BROTLI_MAX_WINDOW_BITS),
  },
});
