import { BlockList, isIP } from "node:net";

/** IANA special-purpose registries, 2025: these are not public addresses. */
const special = new BlockList();
for (const block of [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
])
  add(block, "ipv4");
// Inside 2000::/3: Teredo and other special blocks, documentation, 6to4 (contains an IPv4 address).
for (const block of ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]) add(block, "ipv6");
const publicSix = new BlockList();
publicSix.addSubnet("2000::", 3, "ipv6");
const mapped = new BlockList();
mapped.addSubnet("::ffff:0:0", 96, "ipv6");

function add(block: string, family: "ipv4" | "ipv6"): void {
  const [address = "", bits] = block.split("/");
  special.addSubnet(address, Number(bits), family);
}

/**
 * Whether a resolved address is loopback, private, link-local or otherwise special: IPv4, IPv6, or IPv4 inside IPv6. A malformed address
 * counts as private.
 */
export function isPrivateAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return special.check(address, "ipv4");
    case 6:
      return mapped.check(address, "ipv6")
        ? special.check(address, "ipv6")
        : !publicSix.check(address, "ipv6") || special.check(address, "ipv6");
    default:
      return true;
  }
}
