import { uuidOf, type Answer } from "./simulator-answers.ts";
import { pointsOf, simulatedCities, villagesFor, type SimulatedCity, type SimulatedPoint } from "./simulated-country.ts";

export type Places = ReturnType<typeof createPlaces>;

/** The towns and points of the simulated country; `points` is their number. */
export function createPlaces(points: number) {
  const towns = simulatedCities.flatMap(pointsOf);
  const pointsByCity = Map.groupBy(
    [...towns, ...villagesFor(points - towns.filter(({ isHandout }) => isHandout).length)],
    (each) => each.cityCode,
  );

  return {
    suggestCities: (name: string): Answer => [
      200,
      simulatedCities
        .filter(({ city }) => plain(city).startsWith(plain(name)))
        .slice(0, 10)
        .map(({ code, city, region }) => ({ city_uuid: uuidOf(code), code, full_name: `${city}, ${region}, Россия` })),
    ],
    findCities: (query: URLSearchParams): Answer => [
      200,
      simulatedCities
        .filter(({ code, city }) =>
          query.has("code") ? code === Number(query.get("code")) : plain(city) === plain(query.get("city") ?? ""),
        )
        .map(cityView),
    ],
    findPoints(query: URLSearchParams): Answer {
      const type = query.get("type") ?? "PVZ";
      const wanted = query.has("city_code") ? (pointsByCity.get(Number(query.get("city_code"))) ?? []) : [...pointsByCity.values()].flat();
      const all = wanted.filter((each) => (type === "ALL" || each.type === type) && (query.get("is_handout") !== "true" || each.isHandout));
      const size = Number(query.get("size") ?? 0) || all.length || 1;
      const from = Number(query.get("page") ?? 0) * size;
      return [200, all.slice(from, from + size).map(pointView), { "x-total-elements": String(all.length) }];
    },
    /** Whether parcels are handed out at this point. */
    isOpen: (code: string): boolean => [...pointsByCity.values()].flat().some((point) => point.code === code && point.isHandout),
    /** Closes a point permanently. */
    close(code: string): void {
      for (const cityPoints of pointsByCity.values()) for (const point of cityPoints) if (point.code === code) point.isHandout = false;
    },
  };
}

export type Calculation = {
  tariff_code?: number;
  from_location?: { code?: number };
  to_location?: { code?: number };
  packages?: { weight?: number }[];
  services?: { code?: string; parameter?: string }[];
};

/** Roubles: by distance, mass and delivery to the door, plus 0.75 % of a declared value above 3,000 ₽. */
export function calculate({ tariff_code, from_location, to_location, packages, services }: Calculation): Answer {
  const cityBy = (code: number | undefined): SimulatedCity | undefined => simulatedCities.find((each) => each.code === code);
  const [from, to] = [cityBy(from_location?.code), cityBy(to_location?.code)];
  if (!from) return [200, { errors: [{ code: "v2_sender_location_not_recognized", message: "Sender location is not recognized" }] }];
  if (!to) return [200, { errors: [{ code: "v2_recipient_location_not_recognized", message: "Recipient location is not recognized" }] }];
  const extra = new Map([
    [136, 0],
    [137, 190],
    [368, -20],
  ]).get(tariff_code ?? 0);
  if (extra === undefined) return [400, { errors: [{ code: "v2_bad_request", message: "Tariff is not in the contract" }] }];
  const kilometres = Math.hypot(
    (from.latitude - to.latitude) * 111,
    (from.longitude - to.longitude) * 111 * Math.cos((from.latitude * Math.PI) / 180),
  );
  const grams = (packages ?? []).reduce((sum, each) => sum + (each.weight ?? 0), 0);
  const deliverySum = Math.round(210 + kilometres * 0.09 + Math.ceil(grams / 500) * 25 + extra);
  const insured = Number(services?.find(({ code }) => code === "INSURANCE")?.parameter ?? 0);
  const insurance = insured > 3000 ? Math.round(insured * 0.0075 * 100) / 100 : 0;
  const days = 1 + Math.round(kilometres / 800);
  return [
    200,
    {
      delivery_sum: deliverySum,
      period_min: days,
      period_max: days + 2,
      weight_calc: grams,
      currency: "RUB",
      services: [{ code: "INSURANCE", sum: insurance }],
      total_sum: Math.round((deliverySum + insurance) * 100) / 100,
    },
  ];
}

const cityView = ({ code, city, region, latitude, longitude }: SimulatedCity): object => ({
  code,
  city_uuid: uuidOf(code),
  city,
  country_code: "RU",
  country: "Россия",
  region,
  region_code: code,
  latitude,
  longitude,
  time_zone: "Europe/Moscow",
  payment_limit: -1,
});

const pointView = (point: SimulatedPoint): object => ({
  code: point.code,
  uuid: uuidOf(Number(point.code.replace(/\D/g, ""))),
  name: point.name,
  type: point.type,
  owner_code: "cdek",
  take_only: point.type === "POSTAMAT",
  is_handout: point.isHandout,
  is_reception: point.type === "PVZ",
  is_dressing_room: false,
  have_cash: point.hasCash,
  have_cashless: point.hasCard,
  allowed_cod: point.hasCard,
  work_time: point.workTime,
  address_comment: point.comment,
  note: "",
  nearest_station: point.metro,
  nearest_metro_station: point.metro || null,
  phones: [{ number: point.phone }],
  ...(point.weightMaxKg === null
    ? {}
    : { weight_min: 0, weight_max: point.weightMaxKg, dimensions: [{ width: 38, height: 21, depth: 61 }] }),
  location: {
    country_code: "RU",
    city_code: point.cityCode,
    city: point.city,
    region: point.region,
    longitude: point.longitude,
    latitude: point.latitude,
    address: point.address,
    address_full: `Россия, ${point.address}`,
  },
});

const plain = (name: string): string => name.toLowerCase().replaceAll("ё", "е");
