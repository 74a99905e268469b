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
