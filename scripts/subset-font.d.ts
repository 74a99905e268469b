/** The options of `subset-font` 2.9 that `make-fonts.ts` uses; the package has no types of its own. */
declare module "subset-font" {
  type Options = {
    targetFormat: "woff2";
    keepFeatures?: string[];
    variationAxes?: Record<string, { min: number; max: number }>;
    noHinting?: boolean;
  };
  export default function subsetFont(font: Buffer, text: string, options: Options): Promise<Buffer>;
}
