import { createContext, useContext } from "react";
import { UNSAFE_FrameworkContext as FrameworkContext, useMatches } from "react-router";
import { useScriptNonce } from "./script-nonce.ts";

/** The page's data as React Router encodes it. Set during a render on the server. */
export const PageData = /* @__PURE__ */ createContext("");

/** The latest start of a page's scripts after the page was read. */
const latestStartMs = 1_500;

/**
 * The page's data for the router and the start of its scripts, in place of `<Scripts/>`, which requests all of them before the first paint.
 * Scripts are requested when the page has been painted (two frames) and its main picture has loaded, at the first input, or after 1.5
 * seconds. What is pressed and entered before is kept by `early-input.ts`.
 */
export function PageScripts() {
  const nonce = useScriptNonce();
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: usePageScript() }} />;
}

/** Sets the same globals as React Router's `<Scripts/>`. The browser's build has no text: React keeps the existing content. */
const usePageScript: () => string = import.meta.env.SSR ? useServerScript : () => "";

function useServerScript(): string {
  const framework = useContext(FrameworkContext);
  const matches = useMatches();
  const data = useContext(PageData);
  if (!framework) throw new Error("the page is rendered outside the router");
  const { manifest, serverHandoffString } = framework;
  const routes = matches.flatMap(({ id }) => manifest.routes[id] ?? []);
  const parts = routes.map((route) => [
    route.id,
    ...[route.clientActionModule, route.clientLoaderModule, route.clientMiddlewareModule, route.hydrateFallbackModule, route.module].filter(
      (module) => module !== undefined,
    ),
  ]);
  const entry = manifest.entry.module;
  const modules = [manifest.url, ...parts.flatMap(([, ...files]) => files)];
  const ahead = [...new Set([entry, ...manifest.entry.imports, ...modules, ...routes.flatMap(({ imports = [] }) => imports)])];
  return `${context(serverHandoffString ?? "", data)}(${start})(${[ahead, modules, parts, entry].map((each) => JSON.stringify(each)).join()})`;
}

const context = (handoff: string, data: string): string =>
  `window.__reactRouterContext=${handoff};__reactRouterContext.stream=new ReadableStream({start(c){c.enqueue(${inScript(data)});c.close()}}).pipeThrough(new TextEncoderStream());`;

/** A text as a literal of an inline script, which it cannot end. */
const inScript = (text: string): string => JSON.stringify(text).replaceAll(/[&<>]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);

/** Inputs that start the scripts at once. `input` and `click` also come from assistive software without a pointer or a key. */
const inputs = ["pointerdown", "keydown", "click", "input"];

/**
 * `ahead`: all files, requested together. `parts`: the id of each route and its modules. The entry is imported last, because it hydrates
 * with the route modules; the preloads are removed before, because React did not write them.
 */
const start = `function(ahead,modules,parts,entry){
var started=false,inputs=${JSON.stringify(inputs)},hero=document.querySelector("img[fetchpriority=high]");
function start(){
if(started)return;started=true;
inputs.forEach(function(name){removeEventListener(name,start,true)});
var links=ahead.map(function(href){var link=document.createElement("link");link.rel="modulepreload";link.href=href;document.head.append(link);return link});
Promise.all(modules.map(function(file){return import(file)})).then(function(loaded){
var of={};modules.forEach(function(file,n){of[file]=loaded[n]});
window.__reactRouterRouteModules=Object.fromEntries(parts.map(function(part){var files=part.slice(1).map(function(file){return of[file]});return[part[0],files.length>1?Object.assign.apply(null,[{}].concat(files)):files[0]]}));
links.forEach(function(link){link.remove()});
return import(entry)})}
inputs.forEach(function(name){addEventListener(name,start,true)});
setTimeout(start,${latestStartMs});
requestAnimationFrame(function(){requestAnimationFrame(function(){if(!hero||hero.complete)return start();hero.addEventListener("load",start);hero.addEventListener("error",start)})})}`;
