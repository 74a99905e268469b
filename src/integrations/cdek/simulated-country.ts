/** The towns of the simulated carrier, with plausible streets, hours and stations of points. Codes and centres are real. */
export type SimulatedCity = { code: number; prefix: string; city: string; region: string; latitude: number; longitude: number };
export type SimulatedPoint = {
  code: string;
  name: string;
  type: "PVZ" | "POSTAMAT";
  cityCode: number;
  city: string;
  region: string;
  address: string;
  latitude: number;
  longitude: number;
  metro: string;
  workTime: string;
  phone: string;
  comment: string;
  hasCash: boolean;
  hasCard: boolean;
  isHandout: boolean;
  weightMaxKg: number | null;
};

const town = (code: number, prefix: string, city: string, region: string, latitude: number, longitude: number): SimulatedCity => ({
  code,
  prefix,
  city,
  region,
  latitude,
  longitude,
});

export const simulatedCities: readonly SimulatedCity[] = [
  town(44, "MSK", "Москва", "Россия", 55.754047, 37.620405),
  town(137, "SPB", "Санкт-Петербург", "Россия", 59.938955, 30.315644),
  town(270, "NSK", "Новосибирск", "Новосибирская область", 55.030204, 82.92043),
  town(250, "EKB", "Екатеринбург", "Свердловская область", 56.838011, 60.597474),
  town(424, "KZN", "Казань", "Республика Татарстан", 55.796127, 49.106414),
  town(414, "NNOV", "Нижний Новгород", "Нижегородская область", 56.326797, 44.006516),
  town(278, "KRY", "Красноярск", "Красноярский край", 56.010563, 92.852572),
  town(259, "CHEL", "Челябинск", "Челябинская область", 55.160283, 61.400856),
  town(430, "SAM", "Самара", "Самарская область", 53.195878, 50.100202),
  town(256, "UFA", "Уфа", "Республика Башкортостан", 54.734791, 55.957829),
  town(438, "RND", "Ростов-на-Дону", "Ростовская область", 47.222531, 39.718705),
  town(435, "KRD", "Краснодар", "Краснодарский край", 45.03547, 38.975313),
  town(268, "OMS", "Омск", "Омская область", 54.989347, 73.368221),
  town(506, "VRN", "Воронеж", "Воронежская область", 51.660781, 39.200296),
  town(248, "PRM", "Пермь", "Пермский край", 58.010455, 56.229443),
  town(426, "VLG", "Волгоград", "Волгоградская область", 48.707067, 44.516975),
  town(428, "SAR", "Саратов", "Саратовская область", 51.533562, 46.034266),
  town(252, "TMN", "Тюмень", "Тюменская область", 57.152985, 65.541227),
  town(431, "TLT", "Тольятти", "Самарская область", 53.507836, 49.420393),
  town(146, "YAR", "Ярославль", "Ярославская область", 57.626559, 39.893813),
  town(287, "HBR", "Хабаровск", "Хабаровский край", 48.480229, 135.071917),
  town(288, "VVO", "Владивосток", "Приморский край", 43.115542, 131.885494),
  town(152, "KGD", "Калининград", "Калининградская область", 54.710162, 20.510137),
  town(437, "SOC", "Сочи", "Краснодарский край", 43.585472, 39.723098),
  town(150, "TUL", "Тула", "Тульская область", 54.193122, 37.617348),
  town(142, "KLG", "Калуга", "Калужская область", 54.513845, 36.261215),
  town(159, "RZN", "Рязань", "Рязанская область", 54.629565, 39.741917),
  town(245, "TVR", "Тверь", "Тверская область", 56.859847, 35.911995),
  town(269, "TOM", "Томск", "Томская область", 56.484645, 84.947649),
  town(281, "IRK", "Иркутск", "Иркутская область", 52.287054, 104.281047),
];

const moscow = 44;

const moscowAddresses: readonly (readonly [address: string, metro: string, latitude: number, longitude: number])[] = [
  ["Тверская ул., 12, стр. 7", "Пушкинская", 55.7642, 37.6063],
  ["Мясницкая ул., 24", "Тургеневская", 55.764, 37.6365],
  ["ул. Арбат, 20", "Арбатская", 55.751, 37.596],
  ["ул. Новый Арбат, 11", "Арбатская", 55.7522, 37.595],
  ["ул. Большая Дмитровка, 32", "Чеховская", 55.765, 37.61],
  ["ул. Малая Бронная, 20", "Маяковская", 55.765, 37.5935],
  ["Малый Гнездниковский пер., 9", "Тверская", 55.7628, 37.605],
  ["Трубная ул., 25, корп. 1", "Трубная", 55.769, 37.624],
  ["ул. Покровка, 27", "Чистые пруды", 55.7597, 37.648],
  ["ул. Маросейка, 9", "Китай-город", 55.7571, 37.634],
  ["Пятницкая ул., 37", "Третьяковская", 55.739, 37.6285],
  ["ул. Большая Ордынка, 40", "Полянка", 55.7385, 37.624],
  ["Таганская ул., 15", "Марксистская", 55.7405, 37.66],
  ["Бауманская ул., 33", "Бауманская", 55.772, 37.679],
  ["Верхняя Красносельская ул., 22", "Красносельская", 55.7805, 37.667],
  ["проспект Мира, 41", "Проспект Мира", 55.781, 37.6335],
  ["проспект Мира, 102", "Алексеевская", 55.807, 37.6378],
  ["Шереметьевская ул., 6", "Марьина Роща", 55.794, 37.617],
  ["Бутырская ул., 46", "Савёловская", 55.7985, 37.587],
  ["Ленинградский проспект, 33", "Динамо", 55.7895, 37.558],
  ["Ленинградский проспект, 62", "Аэропорт", 55.8005, 37.533],
  ["Лесная ул., 20", "Белорусская", 55.779, 37.593],
  ["ул. Пресненский Вал, 14", "Улица 1905 года", 55.766, 37.561],
  ["Кутузовский проспект, 30", "Кутузовская", 55.743, 37.54],
  ["Большая Дорогомиловская ул., 8", "Киевская", 55.745, 37.56],
  ["Комсомольский проспект, 28", "Фрунзенская", 55.727, 37.58],
  ["ул. Усачёва, 26", "Спортивная", 55.724, 37.564],
  ["Ленинский проспект, 37", "Шаболовская", 55.7105, 37.589],
  ["Профсоюзная ул., 19", "Академическая", 55.684, 37.571],
  ["Профсоюзная ул., 61", "Калужская", 55.656, 37.54],
  ["Профсоюзная ул., 129А", "Тёплый Стан", 55.619, 37.507],
  ["проспект Вернадского, 39", "Проспект Вернадского", 55.677, 37.505],
  ["Мичуринский проспект, 27", "Мичуринский проспект", 55.689, 37.485],
  ["Варшавское шоссе, 26", "Нагатинская", 55.683, 37.622],
  ["Варшавское шоссе, 97", "Варшавская", 55.648, 37.619],
  ["Каширское шоссе, 24", "Каширская", 55.654, 37.648],
  ["Люблинская ул., 169", "Братиславская", 55.659, 37.751],
  ["Волгоградский проспект, 46", "Текстильщики", 55.709, 37.731],
  ["Рязанский проспект, 30", "Рязанский проспект", 55.717, 37.793],
  ["шоссе Энтузиастов, 20", "Авиамоторная", 55.751, 37.717],
  ["Первомайская ул., 42", "Первомайская", 55.794, 37.799],
  ["Щёлковское шоссе, 75", "Щёлковская", 55.81, 37.798],
  ["Преображенская ул., 2", "Преображенская площадь", 55.796, 37.714],
  ["ул. Менжинского, 32", "Бабушкинская", 55.87, 37.664],
  ["Дмитровское шоссе, 13", "Тимирязевская", 55.818, 37.574],
  ["Алтуфьевское шоссе, 70", "Алтуфьево", 55.889, 37.587],
  ["Ярцевская ул., 19", "Молодёжная", 55.74, 37.415],
  ["Рублёвское шоссе, 62", "Крылатское", 55.757, 37.408],
  ["ул. Маршала Бирюзова, 17", "Октябрьское Поле", 55.793, 37.493],
  ["Сходненская ул., 56", "Сходненская", 55.85, 37.44],
  ["Ореховый бульвар, 15", "Домодедовская", 55.611, 37.717],
  ["Новоясеневский проспект, 11", "Ясенево", 55.607, 37.533],
];
const townStreets = [
  "ул. Ленина, 24",
  "ул. Кирова, 61",
  "ул. Мира, 15",
  "ул. Гагарина, 8",
  "Советская ул., 40",
  "Октябрьская ул., 33",
  "ул. Пушкина, 17",
  "ул. Горького, 52",
  "Комсомольская ул., 9",
  "Московская ул., 72",
];
const hours = [
  "ежедневно 10:00–21:00",
  "пн–пт 10:00–20:00, сб–вс 10:00–18:00",
  "ежедневно 09:00–22:00",
  "пн–пт 09:00–21:00, сб–вс 10:00–20:00",
  "пн–пт 10:00–20:00, сб 10:00–16:00",
];
const ways = [
  "Вход со двора, цокольный этаж, вывеска СДЭК",
  "Отдельный вход с улицы, вывеска СДЭК",
  "Первый этаж торгового центра, рядом с эскалатором",
  "Вход через арку, домофон 12, второй этаж",
  "Левое крыло здания, рядом с аптекой",
];
const lockerPlaces = ["в супермаркете у касс", "в холле бизнес-центра", "на улице у входа в магазин", "в вестибюле торгового центра"];

/** All points of a city, equal on each call: every address has a staffed point, every other one also a locker near by. */
export function pointsOf({ code: cityCode, prefix, city, region, latitude, longitude }: SimulatedCity): SimulatedPoint[] {
  const addresses =
    cityCode === moscow
      ? moscowAddresses
      : townStreets.map((address, index) => {
          const angle = (index * 2.4 + (cityCode % 7)) % (2 * Math.PI); // spread over the town like seeds in a sunflower
          const distance = 0.006 + index * 0.0035;
          return [
            address,
            "",
            rounded(latitude + Math.sin(angle) * distance),
            rounded(longitude + Math.cos(angle) * distance * 1.7),
          ] as const;
        });
  const counters = addresses.map(([address, metro, lat, lon], index): SimulatedPoint => ({
    code: `${prefix}${101 + index}`,
    name: metro ? `СДЭК у метро «${metro}»` : `СДЭК, ${streetOf(address)}`,
    type: "PVZ",
    cityCode,
    city,
    region,
    address,
    latitude: lat,
    longitude: lon,
    metro,
    workTime: pick(hours, index),
    phone: `+7 800 250-${String(1000 + ((cityCode * 37 + index * 13) % 9000)).replace(/(\d\d)(\d\d)/, "$1-$2")}`,
    comment: `${pick(ways, index)}. Посылку можно вскрыть и пересчитать на месте.`,
    hasCash: index % 4 !== 3,
    hasCard: index % 9 !== 8,
    isHandout: index % 25 !== 24,
    weightMaxKg: null,
  }));
  const lockers = addresses
    .filter((_, index) => index % 2 === 0)
    .map(([address, metro, lat, lon], index): SimulatedPoint => ({
      code: `${prefix}${501 + index}`,
      name: `Постамат ${pick(lockerPlaces, index)}`,
      type: "POSTAMAT",
      cityCode,
      city,
      region,
      address: nextHouse(address),
      latitude: rounded(lat + 0.0011),
      longitude: rounded(lon - 0.0014),
      metro,
      workTime: index % 3 === 0 ? "круглосуточно" : "ежедневно 08:00–23:00",
      phone: "+7 800 250-14-05",
      comment: `Стоит ${pick(lockerPlaces, index)}. Код для получения придёт в SMS.`,
      hasCash: false,
      hasCard: true,
      isHandout: true,
      weightMaxKg: 15,
    }));
  return [...counters, ...lockers];
}

/** Additional villages with one point each, up to the given number of points of the country, to test the nightly import. */
export function villagesFor(points: number): SimulatedPoint[] {
  return Array.from({ length: Math.max(0, points) }, (_, index): SimulatedPoint => ({
    code: `VIL${index}`,
    name: `СДЭК, село Дальнее-${index}`,
    type: "PVZ",
    cityCode: 100_000 + Math.floor(index / 3),
    city: `Дальнее-${Math.floor(index / 3)}`,
    region: "Сибирский край",
    address: `${pick(townStreets, index)}, помещение ${index}`,
    latitude: rounded(52 + (index % 97) / 20),
    longitude: rounded(60 + (index % 683) / 9),
    metro: "",
    workTime: pick(hours, index),
    phone: "+7 800 250-14-05",
    comment: `${pick(ways, index)}. ${"Проезд автобусом до конечной остановки, затем пешком мимо школы и магазина. ".repeat(10)}`,
    hasCash: true,
    hasCard: true,
    isHandout: true,
    weightMaxKg: null,
  }));
}

const pick = (list: readonly string[], index: number): string => list[index % list.length] ?? "";
const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;
const nextHouse = (address: string): string => address.replace(/, (\d+).*$/, (_, house: string) => `, ${Number(house) + 4}`);
/** "Советская ул., 40" → "Советская ул.". */
const streetOf = (address: string): string => address.split(",")[0] ?? address;
