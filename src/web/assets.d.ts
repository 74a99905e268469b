/** What Vite answers for an imported file: its hashed address. */
declare module "*.svg" {
  const address: string;
  export default address;
}
declare module "*.webp" {
  const address: string;
  export default address;
}
declare module "*.mp4" {
  const address: string;
  export default address;
}
declare module "*.webm" {
  const address: string;
  export default address;
}
declare module "*.woff2" {
  const address: string;
  export default address;
}
declare module "*.css" {}
/** Whether this is the server's build: what only it needs is left out of the browser's. */
interface ImportMeta {
  readonly env: { readonly SSR: boolean };
}
/** Paths by the rules that routes declare in their handles; made by `page-paths.build.ts`. */
declare module "virtual:page-paths" {
  /** Pages made for one visitor. */
  export const personalPaths: RegExp;
  /** Pages that show the cart or another list of the visitor. */
  export const listPaths: RegExp;
  /** Pages that the address alone opens. */
  export const secretPaths: RegExp;
  /** Path prefixes below which all pages are personal. */
  export const personalSections: readonly string[];
}
