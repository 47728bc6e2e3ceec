import { isIPv4 } from 'node:net';
import { compile } from '@fastify/proxy-addr';

/**
 * Whether an address belongs to one of the trusted proxies, which are addresses, networks or names of networks. Most requests
 * come from a proxy with an IPv4 address for a client with another one, and those are compared as text.
 */
export function trustProxies(proxies: string[]): (address: string, hop: number) => boolean {
  const addresses = new Set(proxies.filter((proxy) => isIPv4(proxy)));
  const networks = proxies.filter((proxy) => !isIPv4(proxy));
  const isInNetwork = networks.length > 0 ? compile(networks) : () => false;
  const isTrusted = compile(proxies);
  return (address, hop) =>
    isIPv4(address) ? addresses.has(address) || isInNetwork(address, hop) : isTrusted(address, hop);
}
