import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { PointView } from "#contract/public/locations.ts";
import { loadMaps, type Maps, type ObjectManager, type YandexMap } from "./map-script.ts";

type PointMapProps = {
  scriptUrl: string;
  points: readonly PointView[];
  chosenId: string | null;
  centre: [number, number];
  city: string;
  onPoint: (id: string) => void;
  /** The script did not load: the list works without the map. */
  onFail: () => void;
};

const look = { usual: { preset: "islands#blackDotIcon" }, chosen: { preset: "islands#darkOrangeDotIcon" } } as const;
const cityZoom = 10;
const streetZoom = 15;

/** The points of the list on a map; a click chooses one. Loaded separately, because the checkout must work without it. */
export default function PointMap({ scriptUrl, points, chosenId, centre, city, onPoint, onFail }: PointMapProps) {
  const box = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<{ map: YandexMap; manager: ObjectManager } | null>(null);
  const choose = useEffectEvent((id: unknown) => {
    if (typeof id === "string") onPoint(id);
  });
  const fail = useEffectEvent(() => onFail());
  const open = useEffectEvent((maps: Maps, element: HTMLElement) => {
    const map = new maps.Map(element, { center: centre, zoom: cityZoom, controls: ["zoomControl"] }, { suppressMapOpenBlock: true });
    const manager = new maps.ObjectManager({ clusterize: true, gridSize: 64, clusterDisableClickZoom: false });
    manager.objects.events.add("click", (event) => choose(event.get("objectId")));
    map.geoObjects.add(manager);
    setShown({ map, manager });
    return map;
  });

  useEffect(() => {
    const element = box.current;
    let map: YandexMap | null = null;
    let isGone = false;
    loadMaps(scriptUrl)
      .then((maps) => {
        if (!isGone && element) map = open(maps, element);
      })
      .catch(() => {
        if (!isGone) fail();
      });
    return () => {
      isGone = true;
      map?.destroy();
      setShown(null);
    };
  }, [scriptUrl]);

  const mark = (manager: ObjectManager) => {
    for (const { id } of points) manager.objects.setObjectOptions(id, id === chosenId ? look.chosen : look.usual);
  };
  const key = points.map(({ id }) => id).join();
  const fill = useEffectEvent(({ map, manager }: NonNullable<typeof shown>) => {
    manager.removeAll();
    manager.add({
      type: "FeatureCollection",
      features: points.map(({ id, coords, address }) => ({
        type: "Feature",
        id,
        geometry: { type: "Point", coordinates: coords },
        properties: { hintContent: address },
      })),
    });
    mark(manager);
    const bounds = manager.getBounds();
    if (!points.some(({ id }) => id === chosenId) && bounds) map.setBounds(bounds, { checkZoomRange: true, zoomMargin: 40 });
  });
  useEffect(() => {
    if (shown) fill(shown);
  }, [shown, key]);

  const lead = useEffectEvent(({ map, manager }: NonNullable<typeof shown>) => {
    mark(manager);
    const chosen = points.find(({ id }) => id === chosenId);
    if (chosen) map.setCenter(chosen.coords, Math.max(map.getZoom(), streetZoom));
  });
  useEffect(() => {
    if (shown) lead(shown);
  }, [shown, chosenId]);

  return (
    <div
      className={`point-map__box${shown ? "" : " point-map__box--wait"}`}
      ref={box}
      role="group"
      aria-label={`Карта пунктов, ${city}. Всё то же есть в списке`}
    />
  );
}
