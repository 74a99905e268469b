import { createContext, useContext } from "react";
import { UNSAFE_FrameworkContext as FrameworkContext, useMatches } from "react-router";
import { useScriptNonce } from "./script-nonce.ts";

/** The placeholder of the page's data, a literal of JavaScript. Set during a render on the server. */
export const PageData = /* @__PURE__ */ createContext("");

/** The latest start of a page's scripts after its first paint; in a hidden tab, which is not painted, after the page was read. */
const latestStartMs = 1_500;

/**
 * The page's data for the router and the start of its scripts, in place of `<Scripts/>`, which requests all of them before the first paint.
 * Scripts are requested when the page with its pictures and fonts has loaded and was painted (two frames), at the first input, or 1.5
 * seconds after the first paint. What is pressed and entered before is kept by `early-input.ts`.
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
  const parts = routes
    .filter(isNoRoot)
    .map((route) => [
      route.id,
      ...[
        route.clientActionModule,
        route.clientLoaderModule,
        route.clientMiddlewareModule,
        route.hydrateFallbackModule,
        route.module,
      ].filter((module) => module !== undefined),
    ]);
  const modules = parts.flatMap(([, ...files]) => files);
  const files = [...new Set([...manifest.entry.imports, ...routes.flatMap(({ imports = [] }) => imports), ...modules])].toSorted(
    (one, other) => Number(isLargest(other)) - Number(isLargest(one)),
  );
  return `${context(serverHandoffString ?? "", data)}(${start})(${JSON.stringify(files)},${JSON.stringify(parts)})`;
}

/** The root's module is given to the router by `hydrate-page.tsx`. */
const isNoRoot = ({ parentId }: { parentId?: string }): boolean => parentId !== undefined;

/**
 * React and the router (`chunks.build.ts`), three quarters of all bytes. Requested first, because the first request gets the connection
 * that is free first, and which already sends many bytes in a round trip.
 */
const isLargest = (file: string): boolean => file.includes("/vendor-");

/** The data are delivered in a task of their own: decoding them would otherwise prolong the task in which React begins to hydrate. */
const context = (handoff: string, data: string): string =>
  `window.__reactRouterContext=${handoff};__reactRouterContext.stream=new ReadableStream({` +
  `pull:function(c){return new Promise(function(done){setTimeout(done)})` +
  `.then(function(){c.enqueue(new TextEncoder().encode(${data}));c.close()})}},{highWaterMark:0});`;

/** Inputs that start the scripts at once. `input` and `click` also come from assistive software without a pointer or a key. */
const inputs = ["pointerdown", "keydown", "click", "input"];

/**
 * `files`: all files, requested together and then run one after another, each in its own task, so that a press does not wait for all of
 * them. `parts`: the id of each route but the root, and its modules. Hydrates last, with the route modules; the preloads are removed
 * before, because React did not write them.
 */
const start = `function(files,parts){
var started=false,inputs=${JSON.stringify(inputs)};
function pause(){return window.scheduler&&scheduler.postTask?scheduler.postTask(function(){}):new Promise(function(done){setTimeout(done)})}
function start(){
if(started)return;started=true;
inputs.forEach(function(name){removeEventListener(name,start,true)});
var left=files.length,of={},links=files.map(function(href){
var link=document.createElement("link");link.rel="modulepreload";link.href=href;
link.onload=link.onerror=function(){if(!--left)endLoading()};
document.head.append(link);return link});
files.reduce(function(before,file){
return before.then(function(){return import(file)}).then(function(loaded){of[file]=loaded;return pause()})},Promise.resolve()).then(function(){
window.__reactRouterRouteModules=Object.fromEntries(parts.map(function(part){
return[part[0],Object.assign.apply(null,[{}].concat(part.slice(1).map(function(file){return of[file]})))]}));
links.forEach(function(link){link.remove()});endLoading();
hydratePage()})}
inputs.forEach(function(name){addEventListener(name,start,true)});
function whenPainted(work){
if(document.hidden)return work();
requestAnimationFrame(function(){requestAnimationFrame(function(){
var name="first-contentful-paint";
if(!((window.PerformanceObserver||{}).supportedEntryTypes||[]).includes("paint")||performance.getEntriesByName(name)[0])return work();
new PerformanceObserver(function(list,observer){
if(list.getEntriesByName(name)[0]){observer.disconnect();work()}}).observe({type:"paint",buffered:true})})})}
function endLoading(){delete document.documentElement.dataset.loading}
whenPainted(function(){setTimeout(start,${latestStartMs})});
addEventListener("load",function(){whenPainted(start);setTimeout(start,${latestStartMs})})}`;
