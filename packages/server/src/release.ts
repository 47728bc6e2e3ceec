import { createRequire } from 'node:module';

const { version } = createRequire(import.meta.url)('@svc/server/package.json') as { version: string };

/** The release of this program, such as `0.3.1`. */
export const RELEASE = version;

/** How many releases the other is ahead of this one. Patches are of the same release; another major one is out of reach. */
export function releasesAhead(release: string, other: string): number {
  const [major = 0, minor = 0] = release.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number);
  return major === otherMajor ? otherMinor - minor : (otherMajor - major) * Number.POSITIVE_INFINITY;
}
