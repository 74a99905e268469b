/** A city as the delivery module returns it; the code has ten digits, `[lat, lon]`. */
export type ProfileCity = {
  code: string;
  name: string;
  lastName?: string | undefined;
  fullName?: string | undefined;
  coords?: [number, number] | undefined;
};

/** What checkout fills in for a customer. A part is replaced as a whole; `point: null` removes the point. */
export type BuyProfile = {
  /** The courier address, and the delivery method of the last order; older clients stored a name instead of its id. */
  delivery?: {
    street?: string | undefined;
    house?: string | undefined;
    flat?: string | undefined;
    entrance?: string | undefined;
    floor?: string | undefined;
    comment?: string | undefined;
    deliveryId?: number | string | undefined;
  };
  point?: {
    id: string;
    deliveryId?: number | undefined;
    type?: "" | "POSTAMAT" | undefined;
    name?: string | undefined;
    address?: string | undefined;
  } | null;
  city?: ProfileCity;
};

/** The city that checkout fills in from a profile: only one whose name is longer than two characters, else none. */
export function cityOf(profile: BuyProfile | null): ProfileCity | null {
  const city = profile?.city;
  return city && Array.from(city.name.trim()).length > 2 ? city : null;
}
