import { BlockList, isIP } from "node:net";

/** An IPv4-mapped IPv6 address as IPv4. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");

/**
 * The rate-limit key of an address: an IPv4 address, or the /64 of an IPv6 address, because one client owns a whole /64.
 * The /64 is written as its first address.
 */
export function addressKey(address: string): string {
  const plain = plainAddress(address);
  const [unscoped = ""] = plain.split("%", 1);
  if (isIP(unscoped) !== 6) return plain;
  const groups = groupsOf(new URL(`http://[${unscoped}]`).hostname.slice(1, -1)); // canonical spelling (RFC 5952), without dots
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join(".");
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::`;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [front = [], back] = address.split("::").map((part) => part.split(":").filter((group) => group !== ""));
  const missing = back === undefined ? 0 : 8 - front.length - back.length;
  return [...front, ...Array<string>(missing).fill("0"), ...(back ?? [])].map((group) => Number.parseInt(group, 16));
}

/** Whether an address is in a list of addresses and networks (`10.0.0.1`, `2a02:5180::/32`). Invalid entries match nothing. */
export function addressList(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    const family = familyOf(address);
    if (family && bits === undefined) list.addAddress(address, family);
    else if (family) list.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    const family = familyOf(address);
    return family !== null && list.check(address, family);
  };
}

function familyOf(address: string): "ipv4" | "ipv6" | null {
  const version = isIP(address);
  return version === 4 ? "ipv4" : version === 6 ? "ipv6" : null;
}
