import { isIPv6 } from 'node:net';

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

/** What a device and its network have in common from one sign-in to the next: versions and last digits change. */
export function deviceKey(userAgent: string, ipAddress: string): string {
  const parts = isIPv6(ipAddress) ? ipAddress.split(':').slice(0, 3) : ipAddress.split('.').slice(0, 3);
  return `${deviceName(userAgent)} ${parts.join('.')}`;
}
