import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** Where outward calls may go. Addresses are those that a name was resolved to, never the name. */
export type AddressRules = {
  /** Whether the operator listed the address. Plain http and any port are allowed there. */
  isListed(address: string): boolean;
  /** Whether the address is on the public internet, or listed. */
  mayReach(address: string): boolean;
  /** Whether anything is listed at all. */
  hasListed: boolean;
};

// What the library does not set apart, and no receiver has: Azure's metadata service, IETF protocol assignments, documentation.
const NEVER = ['168.63.129.16/32', '2001::/23', '3fff::/20'].map((range) => ipaddr.parseCIDR(range));
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/** Rules with the operator's exceptions, which are addresses or networks. */
export function createAddressRules(exceptions: string[]): AddressRules {
  const listed = exceptions.map(networkOf);
  const isListed = (text: string) => {
    const address = parse(text);
    return address !== null && listed.some((network) => isIn(address, network));
  };
  return {
    isListed,
    mayReach: (text) => isListed(text) || isPublic(text),
    hasListed: listed.length > 0,
  };
}

/** Mapped, translated and tunnelled addresses are never public, whatever IPv4 address they carry. */
function isPublic(text: string): boolean {
  const address = parse(text);
  if (address === null || address.range() !== 'unicast' || NEVER.some((network) => isIn(address, network)))
    return false;
  return address.kind() === 'ipv4' || isIn(address, GLOBAL_UNICAST);
}

function parse(text: string): Address | null {
  return ipaddr.isValid(text) ? ipaddr.parse(text) : null;
}

function networkOf(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function isIn(address: Address, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network as never, bits);
}
