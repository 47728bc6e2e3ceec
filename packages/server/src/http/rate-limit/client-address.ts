import { isIPv4, isIPv6 } from 'node:net';

/** Stands for anything that is not an address, so that forged text does not get its own window. */
const UNREADABLE = 'unreadable';
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * The client that an address identifies in every limit. One client has one text, however the address is written: ports and zones
 * are cut, and IPv4 inside IPv6 is IPv4. An IPv6 address counts as its /64 network, because providers assign at least that much.
 */
export function clientAddress(text: string): string {
  if (isIPv4(text)) return text;
  const address = withoutPort(text.trim());
  if (isIPv4(address)) return address;
  const plain = address.split('%', 1)[0] as string;
  return isIPv6(plain) ? networkOf(groupsOf(plain)) : UNREADABLE;
}

/** `[2001:db8::1]:443` and `192.0.2.1:443` without the port. An IPv6 address without brackets cannot carry one. */
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1];
  return bracketed ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}

function networkOf(groups: number[]): string {
  const [a = 0, b = 0] = groups.slice(GROUPS - 2);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [a >> 8, a & 0xff, b >> 8, b & 0xff].join('.');
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** The eight groups of an address, including those that `::` abbreviates. */
function groupsOf(address: string): number[] {
  const [head = '', tail = ''] = address.split('::');
  const [left, right] = [writtenGroups(head), writtenGroups(tail)];
  const leftOut = Array.from({ length: GROUPS - left.length - right.length }, () => 0);
  return [...left, ...leftOut, ...right];
}

function writtenGroups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}
