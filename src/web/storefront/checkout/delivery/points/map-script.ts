/** The part of Yandex Maps JS API 2.1 that checkout uses, declared here because no maintained type package exists. */
export type MapPosition = [lat: number, lon: number];
export type MapPoint = {
  type: "Feature";
  id: string;
  geometry: { type: "Point"; coordinates: MapPosition };
  properties: { hintContent: string };
};

export type ObjectManager = {
  add(points: { type: "FeatureCollection"; features: MapPoint[] }): void;
  removeAll(): void;
  getBounds(): [MapPosition, MapPosition] | null;
  objects: {
    setObjectOptions(id: string, options: { preset: string }): void;
    events: { add(name: "click", listener: (event: { get(name: string): unknown }) => void): void };
  };
};
export type YandexMap = {
  geoObjects: { add(manager: ObjectManager): void };
  getZoom(): number;
  setCenter(center: MapPosition, zoom?: number): unknown;
  setBounds(bounds: [MapPosition, MapPosition], options?: { checkZoomRange?: boolean; zoomMargin?: number }): unknown;
  destroy(): void;
};
export type Maps = {
  ready(then: () => void): unknown;
  Map: new (
    box: HTMLElement,
    state: { center: MapPosition; zoom: number; controls: string[] },
    options?: { suppressMapOpenBlock?: boolean },
  ) => YandexMap;
  ObjectManager: new (options: { clusterize: boolean; gridSize: number; clusterDisableClickZoom: boolean }) => ObjectManager;
};
declare global {
  interface Window {
    ymaps?: Maps;
  }
}

/** A blocked script fails at once; one that hangs or never becomes ready is abandoned after this time. */
const patienceMs = 8_000;
let loading: Promise<Maps> | null = null;

/** The map's script, loaded once per page. Rejects when it is blocked, fails or hangs; the next call tries again. */
export function loadMaps(scriptUrl: string): Promise<Maps> {
  loading ??= load(scriptUrl).catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

function load(scriptUrl: string): Promise<Maps> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    const giveUp = (why: string) => () => {
      clearTimeout(timer);
      script.remove();
      reject(new Error(`the map's script ${why}`));
    };
    const timer = setTimeout(() => giveUp("is silent")(), patienceMs);
    script.addEventListener("error", giveUp("did not come"));
    script.addEventListener("load", () => {
      const { ymaps } = window;
      if (!ymaps) return giveUp("brought no map")();
      ymaps.ready(() => {
        clearTimeout(timer);
        resolve(ymaps);
      });
    });
    script.async = true;
    script.src = scriptUrl;
    document.head.append(script);
  });
}
