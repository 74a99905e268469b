import { kopecks } from "#kit/money.ts";
import type { CarrierPoint, CarrierRecall, CarrierShipment, DeliveryGateway, ShipmentRequest } from "./gateway.ts";

const aPoint = (id: string, carrierCityCode: number, type: CarrierPoint["type"]): CarrierPoint => ({
  id,
  carrierCityCode,
  type,
  name: id,
  address: `ул. ${id}, 1`,
  lat: 55,
  lon: 37,
  workTime: "10–20",
  phone: "",
  note: "",
  hasCash: true,
  hasCard: true,
  nearestMetro: "",
  weightMaxGrams: null,
  cells: null,
});

type Parcel = { carrierId: string; number: string; state: CarrierShipment["state"]; request: ShipmentRequest };

/**
 * How the test carrier answers a recall. `as_it_is`: by the parcel's state. `undecided`: pending until this changes. `refuse`: refused.
 * `too_late`: the parcel leaves at this moment and is delivered. `turn_back`: it leaves at this moment and is returned.
 * `contradict`: the carrier promises a return but delivers the parcel.
 */
export const recallAnswers = ["as_it_is", "undecided", "refuse", "too_late", "turn_back", "contradict"] as const;
export type RecallAnswer = (typeof recallAnswers)[number];

/** How the test carrier answers about labels: `refuse_task` refuses at once, `refuse` when the task has run. */
export type LabelAnswer = "ready" | "pending" | "gone" | "refuse" | "refuse_task";

/**
 * An in-memory carrier behind the gateway: parcels are registered, move, are recalled, refused and delivered.
 * `isOut` makes every call fail; `losesAnswers` is the number of registrations that succeed but whose answer is lost.
 */
export function aCarrier() {
  const parcels = new Map<string, Parcel>();
  const controls = { isOut: false, losesAnswers: 0, recall: "as_it_is" as RecallAnswer, labels: "ready" as LabelAnswer };
  const labelTasks: string[][] = [];
  const recalls: string[] = [];

  async function reach(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (controls.isOut) throw new Error("the carrier is unavailable");
  }

  function known(carrierId: string): Parcel {
    const parcel = parcels.get(carrierId);
    if (!parcel) throw new Error(`no parcel ${carrierId}`);
    return parcel;
  }

  const stateOf = ({ carrierId, number, state }: Parcel): CarrierShipment => ({
    carrierId,
    state,
    trackingNumber: `T${number}`,
    rawCode: state.toUpperCase(),
    reason: state === "invalid" ? "refused" : null,
    steps: [],
  });
  const alive = (number: string): Parcel | undefined =>
    [...parcels.values()].find((each) => each.number === number && each.state !== "invalid");

  function decide(parcel: Parcel, mayTurnBack: boolean): CarrierRecall {
    const hasLeft = parcel.state !== "registered" && parcel.state !== "accepted";
    if (parcel.state === "invalid") return { outcome: "struck_out", reason: null };
    if (parcel.state === "delivered") return { outcome: "refused", reason: "DELIVERED" };
    if (parcel.state === "not_delivered") return { outcome: mayTurnBack ? "turned_back" : "refused", reason: null };
    if (controls.recall === "undecided") return { outcome: "pending", reason: "undecided" };
    if (controls.recall === "refuse") return { outcome: "refused", reason: "no" };
    if (controls.recall === "too_late") parcel.state = hasLeft ? parcel.state : "in_transit";
    if (controls.recall === "too_late" || ((hasLeft || controls.recall !== "as_it_is") && !mayTurnBack))
      return { outcome: "refused", reason: "it has left" };
    if (controls.recall === "contradict") parcel.state = "delivered";
    else parcel.state = hasLeft || controls.recall === "turn_back" ? "not_delivered" : "invalid";
    return { outcome: parcel.state === "invalid" ? "struck_out" : "turned_back", reason: null };
  }

  const gateway: DeliveryGateway = {
    findCities: async () => [],
    points: async (code) => (code === 44 ? [aPoint("MSK1", 44, "PVZ"), aPoint("MSK2", 44, "POSTAMAT")] : [aPoint("SPB1", 137, "PVZ")]),
    courierPrice: async () => ({ price: kopecks(450_00), minDays: 1, maxDays: 2 }),
    pointPrice: async () => ({ price: kopecks(250_00), minDays: 1, maxDays: 3 }),
    countryPoints: async function* () {},
    async register(request) {
      await reach();
      const { number } = request;
      const parcel = alive(number) ?? { carrierId: `C${number}`, number, state: "registered", request };
      parcels.set(parcel.carrierId, parcel);
      if (controls.losesAnswers > 0) {
        controls.losesAnswers -= 1;
        throw new Error("the answer was lost");
      }
      return stateOf(parcel);
    },
    async track(carrierId) {
      await reach();
      return stateOf(known(carrierId));
    },
    async find(number) {
      await reach();
      const found = alive(number);
      return found ? stateOf(found) : null;
    },
    async recall(carrierId, { mayTurnBack }) {
      await reach();
      recalls.push(carrierId);
      return decide(known(carrierId), mayTurnBack);
    },
    async requestLabels(carrierIds) {
      await reach();
      if (controls.labels === "refuse_task") return { refused: "v2_entity_invalid" };
      labelTasks.push([...carrierIds]);
      return { taskId: `L${labelTasks.length}` };
    },
    async fetchLabels(taskId) {
      await reach();
      if (controls.labels === "pending" || controls.labels === "gone") return { state: controls.labels };
      if (controls.labels === "refuse") return { state: "refused", reason: "INVALID" };
      return { state: "ready", pdf: Buffer.from(`%PDF-1.7 ${taskId}`) };
    },
    subscribe: async () => {},
    readNotification: () => null,
  };

  const ofOrder = (orderNumber: number): Parcel[] =>
    [...parcels.values()].filter(({ number }) => number.split("-")[0] === String(orderNumber));
  return {
    gateway,
    controls,
    recalls,
    /** The parcels of each print task, oldest first. */
    labelTasks,
    /** The parcels of an order that exist at the carrier and were not struck out. */
    undeleted: (orderNumber: number) =>
      ofOrder(orderNumber)
        .filter(({ state }) => state !== "invalid")
        .map(({ state, request }) => ({ state, pieces: request.lines.reduce((sum, { quantity }) => sum + quantity, 0) })),
    /** The registrations of an order's parcels, oldest first. */
    requests: (orderNumber: number): ShipmentRequest[] => ofOrder(orderNumber).map(({ request }) => request),
    /** Refuses the parcels of an order after their registration, as the carrier does with wrong data. */
    refuse(orderNumber: number): void {
      for (const parcel of ofOrder(orderNumber)) parcel.state = "invalid";
    },
    /** Moves the parcels of an order to this state; deleted and delivered ones stay. */
    move(orderNumber: number, state: "in_transit" | "at_point" | "delivered" | "not_delivered"): void {
      for (const parcel of ofOrder(orderNumber)) if (parcel.state !== "invalid" && parcel.state !== "delivered") parcel.state = state;
    },
  };
}
