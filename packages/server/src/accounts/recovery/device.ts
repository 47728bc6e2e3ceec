import { isIPv6 } from 'node:net';
import { hashSecretToken } from '../secret-token.ts';

// The first that fits names it: browsers also name the ones they descend from.
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\b(?:Headless)?Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/\bcurl\//, 'curl'],
];
const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (names: [RegExp, string][], text: string) => names.find(([pattern]) => pattern.test(text))?.[1];

/** `Firefox on Windows`, as far as the browser says. */
export function deviceName(userAgent: string): string {
  const [browser, system] = [nameIn(BROWSERS, userAgent), nameIn(SYSTEMS, userAgent)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? 'Unknown device';
}

/** What a device and its network have in common from one sign-in to the next, as a hash: versions and last digits change. */
export function deviceHash(userAgent: string, ipAddress: string): string {
  return hashSecretToken(`${deviceName(userAgent)} ${networkOf(ipAddress).join('.')}`);
}

/** The /24 of an address, or the /48 for IPv6, however the address is written. */
function networkOf(ipAddress: string): string[] {
  const plain = ipAddress.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*/, '');
  if (!isIPv6(plain)) return plain.split('.').slice(0, 3);
  const [head = ''] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  return [...head.split(':'), '0', '0', '0'].map((group) => group || '0').slice(0, 3);
}
