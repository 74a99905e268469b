/**
 * The browser part of the simulator of Yandex Maps 2.1: `ready`, `Map`, `ObjectManager` with clusters. The simulator serves the source of
 * this function, so it may use nothing but itself and browser APIs. Yandex, JS API 2.1, "ObjectManager" and "Map".
 */
export function browserMaps(): void {
  type Place = [lat: number, lon: number];
  type Feature = { id: string; geometry: { coordinates: Place }; properties?: { hintContent?: string } };
  type Click = { get(name: string): unknown };
  type Drawn = { x: number; y: number; ids: string[] };

  const svgSpace = "http://www.w3.org/2000/svg";
  const colours = {
    ground: "#f1ece0",
    block: "#e9e2d2",
    park: "#e2e1cd",
    water: "#d3d8d3",
    road: "#fbf8f1",
    ink: "#1d1a16",
    paper: "#fbf8f1",
    line: "#a39b8b",
    gold: "#8a6a1f",
  };
  const [minZoom, maxZoom] = [4, 18];

  const make = (name: string, attributes: Record<string, string | number>, ...children: (SVGElement | string)[]): SVGElement => {
    const element = document.createElementNS(svgSpace, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    element.append(...children);
    return element;
  };

  /** Pixels of the whole world at a zoom: web Mercator. */
  const project = ([lat, lon]: Place, zoom: number): { x: number; y: number } => {
    const world = 256 * 2 ** zoom;
    const sine = Math.sin((lat * Math.PI) / 180);
    return { x: ((lon + 180) / 360) * world, y: (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * world };
  };
  const unproject = (x: number, y: number, zoom: number): Place => {
    const world = 256 * 2 ** zoom;
    return [(Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / world))) * 180) / Math.PI, (x / world) * 360 - 180];
  };
  const pixelsPerKilometre = (lat: number, zoom: number): number => (256 * 2 ** zoom) / (40_075 * Math.cos((lat * Math.PI) / 180));

  function createEvents() {
    const listeners: ((event: Click) => void)[] = [];
    return {
      add: (_: string, listener: (event: Click) => void) => {
        listeners.push(listener);
      },
      fire: (values: Record<string, unknown>) => {
        for (const listener of listeners) listener({ get: (name) => values[name] });
      },
    };
  }

  class ObjectManager {
    features: Feature[] = [];
    presets = new Map<string, string>();
    changed: () => void = () => {};
    readonly grid: number;
    readonly objects;
    constructor(options: { gridSize?: number } = {}) {
      this.grid = options.gridSize ?? 64;
      const events = createEvents();
      this.objects = {
        events,
        setObjectOptions: (id: string, given: { preset?: string }) => {
          this.presets.set(id, given.preset ?? "");
          this.changed();
        },
      };
    }
    add(collection: { features: Feature[] }): void {
      this.features.push(...collection.features);
      this.changed();
    }
    removeAll(): void {
      this.features = [];
      this.presets.clear();
      this.changed();
    }
    getBounds(): [Place, Place] | null {
      if (this.features.length === 0) return null;
      const lats = this.features.map((each) => each.geometry.coordinates[0]);
      const lons = this.features.map((each) => each.geometry.coordinates[1]);
      return [
        [Math.min(...lats), Math.min(...lons)],
        [Math.max(...lats), Math.max(...lons)],
      ];
    }
  }

  class SimulatedMap {
    center: Place;
    zoom: number;
    readonly home: Place;
    readonly box: HTMLElement;
    readonly picture: SVGElement;
    readonly shown: ObjectManager[] = [];
    readonly geoObjects;
    readonly container;
    readonly watcher: ResizeObserver;
    waiting = 0;

    constructor(box: HTMLElement | string, state: { center: Place; zoom: number }) {
      this.box = typeof box === "string" ? (document.getElementById(box) as HTMLElement) : box;
      this.center = state.center;
      this.home = state.center;
      this.zoom = state.zoom;
      this.picture = make("svg", { width: "100%", height: "100%" });
      this.picture.style.touchAction = "none";
      this.picture.style.display = "block";
      this.picture.style.cursor = "grab";
      this.box.append(this.picture, this.buttons());
      this.geoObjects = {
        add: (manager: ObjectManager) => {
          this.shown.push(manager);
          manager.changed = () => this.draw();
          this.draw();
        },
      };
      this.container = { fitToViewport: () => this.draw() };
      this.watcher = new ResizeObserver(() => this.draw());
      this.watcher.observe(this.box);
      this.listen();
      this.draw();
    }

    getZoom(): number {
      return this.zoom;
    }
    getCenter(): Place {
      return this.center;
    }
    setCenter(center: Place, zoom = this.zoom): Promise<void> {
      this.center = center;
      this.zoom = Math.min(maxZoom, Math.max(minZoom, Math.round(zoom)));
      this.draw();
      return Promise.resolve();
    }
    panTo(center: Place): Promise<void> {
      return this.setCenter(center);
    }
    setBounds([[south, west], [north, east]]: [Place, Place]): Promise<void> {
      const { width, height } = this.size();
      let zoom = 15;
      for (; zoom > minZoom; zoom -= 1) {
        const [one, other] = [project([north, west], zoom), project([south, east], zoom)];
        if (Math.abs(other.x - one.x) < width - 60 && Math.abs(other.y - one.y) < height - 60) break;
      }
      return this.setCenter([(south + north) / 2, (west + east) / 2], zoom);
    }
    destroy(): void {
      this.watcher.disconnect();
      cancelAnimationFrame(this.waiting);
      this.box.replaceChildren();
    }

    size() {
      return { width: this.box.clientWidth || 1, height: this.box.clientHeight || 1 };
    }

    buttons(): HTMLElement {
      const bar = document.createElement("div");
      Object.assign(bar.style, {
        position: "absolute",
        right: "12px",
        top: "12px",
        display: "grid",
        background: colours.paper,
        border: `1px solid ${colours.line}`,
        borderRadius: "2px",
      });
      for (const [sign, name, change] of [
        ["+", "Ближе", 1],
        ["−", "Дальше", -1],
      ] as const) {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = sign;
        button.setAttribute("aria-label", name);
        Object.assign(button.style, {
          width: "44px",
          height: "44px",
          border: "0",
          background: "none",
          fontSize: "22px",
          lineHeight: "1",
          color: colours.ink,
          cursor: "pointer",
        });
        button.addEventListener("click", () => void this.setCenter(this.center, this.zoom + change));
        bar.append(button);
      }
      return bar;
    }

    listen(): void {
      let from: { x: number; y: number } | null = null;
      this.picture.addEventListener("pointerdown", (event) => {
        from = { x: event.clientX, y: event.clientY };
      });
      addEventListener("pointerup", () => {
        from = null;
      });
      this.picture.addEventListener("pointermove", (event) => {
        if (!from || event.buttons === 0) return;
        const at = project(this.center, this.zoom);
        this.center = unproject(at.x - (event.clientX - from.x), at.y - (event.clientY - from.y), this.zoom);
        from = { x: event.clientX, y: event.clientY };
        this.draw();
      });
      this.picture.addEventListener(
        "wheel",
        (event) => {
          event.preventDefault();
          void this.setCenter(this.center, this.zoom + (event.deltaY < 0 ? 1 : -1));
        },
        { passive: false },
      );
      this.picture.addEventListener("dblclick", () => void this.setCenter(this.center, this.zoom + 1));
    }

    draw(): void {
      cancelAnimationFrame(this.waiting);
      this.waiting = requestAnimationFrame(() => {
        const { width, height } = this.size();
        const middle = project(this.center, this.zoom);
        const onScreen = (place: Place) => {
          const { x, y } = project(place, this.zoom);
          return { x: x - middle.x + width / 2, y: y - middle.y + height / 2 };
        };
        this.picture.replaceChildren(
          ...this.ground(onScreen, width, height),
          ...this.shown.flatMap((manager) => this.marks(manager, onScreen, width, height)),
          this.scale(height),
        );
      });
    }

    /** Not real streets: rings and rays around the first centre, a river and a few parks, so that movement of the map is visible. */
    ground(onScreen: (place: Place) => { x: number; y: number }, width: number, height: number): SVGElement[] {
      const { x, y } = onScreen(this.home);
      const unit = pixelsPerKilometre(this.home[0], this.zoom);
      const rings = [1, 2.3, 4.2, 7.5, 12, 18, 40, 90].map((radius, index) =>
        make("circle", {
          cx: x,
          cy: y,
          r: radius * unit,
          fill: "none",
          stroke: colours.road,
          "stroke-width": Math.min(index % 2 === 0 ? 3 : 6, (radius * unit) / 8),
        }),
      );
      const rays = Array.from({ length: 14 }, (_, index) => {
        const angle = (index / 14) * 2 * Math.PI + 0.2;
        const [near, far] = [0.4 * unit, 90 * unit];
        return make("line", {
          x1: x + Math.cos(angle) * near,
          y1: y + Math.sin(angle) * near,
          x2: x + Math.cos(angle + 0.05) * far,
          y2: y + Math.sin(angle + 0.05) * far,
          stroke: colours.road,
          "stroke-width": index % 3 === 0 ? 5 : 2.5,
        });
      });
      const bends = Array.from({ length: 25 }, (_, index) => {
        const right = (index - 12) * 1.7 * unit;
        const down = (2.6 + Math.sin(index * 0.9) * 1.5 + (index - 12) * 0.3) * unit;
        return `${index === 0 ? "M" : "L"}${x + right} ${y + down}`;
      }).join(" ");
      const parks = [
        [-3.2, -2.4, 1.4, 0.9],
        [4.4, -3.6, 1.8, 1.2],
        [-5.6, 4.8, 2.1, 1.3],
        [2.8, 6.6, 1.2, 1],
      ].map(([dx = 0, dy = 0, rx = 1, ry = 1]) =>
        make("ellipse", { cx: x + dx * unit, cy: y + dy * unit, rx: rx * unit, ry: ry * unit, fill: colours.park }),
      );
      const river = make("path", {
        d: bends,
        fill: "none",
        stroke: colours.water,
        "stroke-width": Math.max(2, 0.28 * unit),
        "stroke-linejoin": "round",
      });
      return [make("rect", { width, height, fill: colours.ground }), ...parks, river, ...rings, ...rays];
    }

    marks(manager: ObjectManager, onScreen: (place: Place) => { x: number; y: number }, width: number, height: number): SVGElement[] {
      const cells = new Map<string, Drawn>();
      const world = project(this.center, this.zoom);
      for (const { id, geometry } of manager.features) {
        const at = onScreen(geometry.coordinates);
        if (at.x < -80 || at.y < -80 || at.x > width + 80 || at.y > height + 80) continue;
        const isChosen = /gold|orange/i.test(manager.presets.get(id) ?? "");
        const key = isChosen ? id : `${Math.floor((at.x + world.x) / manager.grid)} ${Math.floor((at.y + world.y) / manager.grid)}`;
        const cell = cells.get(key) ?? { x: 0, y: 0, ids: [] };
        cells.set(key, { x: cell.x + at.x, y: cell.y + at.y, ids: [...cell.ids, id] });
      }
      const hints = new Map(manager.features.map((each) => [each.id, each.properties?.hintContent ?? ""]));
      const drawn = [...cells.values()].map(({ x, y, ids }) => ({ x: x / ids.length, y: y / ids.length, ids }));
      const isGold = (ids: string[]) => ids.length === 1 && /gold|orange/i.test(manager.presets.get(ids[0] ?? "") ?? "");
      return drawn
        .toSorted((a, b) => Number(isGold(a.ids)) - Number(isGold(b.ids)))
        .map((cell) =>
          cell.ids.length > 1 ? this.cluster(cell) : this.pin(manager, cell, isGold(cell.ids), hints.get(cell.ids[0] ?? "") ?? ""),
        );
    }

    cluster({ x, y, ids }: Drawn): SVGElement {
      const radius = 15 + Math.min(9, Math.log2(ids.length) * 2);
      const group = make(
        "g",
        { transform: `translate(${x} ${y})`, cursor: "pointer", "data-cluster": ids.length },
        make("circle", { r: radius + 4, fill: "none", stroke: colours.line, "stroke-dasharray": "1.2 2.4", "stroke-width": 3 }),
        make("circle", { r: radius, fill: colours.paper, stroke: colours.line }),
        make("text", { "text-anchor": "middle", dy: "0.35em", "font-size": 13, "font-weight": 500, fill: colours.ink }, String(ids.length)),
      );
      group.addEventListener("click", () => {
        const { width, height } = this.size();
        const middle = project(this.center, this.zoom);
        void this.setCenter(unproject(middle.x + x - width / 2, middle.y + y - height / 2, this.zoom), this.zoom + 2);
      });
      return group;
    }

    pin(manager: ObjectManager, { x, y, ids: [id = ""] }: Drawn, isChosen: boolean, hint: string): SVGElement {
      const parts = [
        make("circle", { r: 16, fill: "transparent" }),
        make("circle", { r: isChosen ? 10 : 7, fill: isChosen ? colours.gold : colours.ink, stroke: colours.paper, "stroke-width": 2 }),
      ];
      if (isChosen) {
        parts.push(
          make("circle", { r: 18, fill: "none", stroke: colours.gold, "stroke-dasharray": "1.2 2.4", "stroke-width": 3 }),
          make("path", { d: "M13 13L28 28", fill: "none", stroke: colours.gold }),
        );
        const label = hint.length > 24 ? `${hint.slice(0, 23)}…` : hint;
        const width = label.length * 7.2 + 20;
        const left = Math.min(36, this.size().width - x - width - 8);
        parts.push(
          make("rect", { x: left, y: 28, width, height: 30, rx: 2, fill: colours.paper, stroke: colours.gold }),
          make("text", { x: left + 10, y: 48, "font-size": 13, fill: colours.ink }, label),
        );
      }
      const group = make(
        "g",
        { transform: `translate(${x} ${y})`, cursor: "pointer", "data-object-id": id },
        make("title", {}, hint),
        ...parts,
      );
      group.addEventListener("click", () => manager.objects.events.fire({ objectId: id }));
      return group;
    }

    /** The distance of about a hundred pixels on the ground, rounded. */
    scale(height: number): SVGElement {
      const unit = pixelsPerKilometre(this.center[0], this.zoom);
      const wanted = 90 / unit;
      const power = 10 ** Math.floor(Math.log10(wanted));
      const round = [5, 2, 1].map((each) => each * power).find((each) => each <= wanted) ?? power;
      const [length, name] = [round * unit, round >= 1 ? `${round} км` : `${Math.round(round * 1000)} м`];
      return make(
        "g",
        { transform: `translate(16 ${height - 16})` },
        make("path", { d: `M0 -5V0H${length}V-5`, fill: "none", stroke: colours.ink }),
        make("text", { x: length / 2, y: -6, "text-anchor": "middle", "font-size": 12, fill: colours.ink }, name),
      );
    }
  }

  Object.assign(window, {
    ymaps: {
      Map: SimulatedMap,
      ObjectManager,
      ready: (then?: () => void): Promise<void> => Promise.resolve().then(then),
    },
  });
}
