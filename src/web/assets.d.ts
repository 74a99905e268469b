/** What Vite returns for an imported file: its hashed URL. */
declare module "*.svg" {
  const address: string;
  export default address;
}
/** The text of the file. */
declare module "*.svg?raw" {
  const text: string;
  export default text;
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
/** True in the server's build. Code that only the server needs is left out of the browser's build. */
interface ImportMeta {
  readonly env: { readonly SSR: boolean };
}
/** Pages made for one visitor. This and the modules below are made by `page-paths.build.ts` from the handles of the routes. */
declare module "virtual:page-paths/personal" {
  export const personalPaths: RegExp;
}
/** Pages that show the cart or another list of the visitor. */
declare module "virtual:page-paths/lists" {
  export const listPaths: RegExp;
}
/** Pages whose address alone opens something private. */
declare module "virtual:page-paths/secret" {
  export const secretPaths: RegExp;
}
/** Path prefixes below which all pages are personal. */
declare module "virtual:page-paths/sections" {
  export const personalSections: readonly string[];
}
