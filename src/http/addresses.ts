import { BlockList, isIP } from "node:net";

/** IPv4 in IPv6 clothes is IPv4. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");

/** Whether an address is one of these addresses and networks (`10.0.0.1`, `10.0.0.0/8`, `2a02:5180::/32`). Other words in the list match nothing. */
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
