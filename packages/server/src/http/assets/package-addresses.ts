import { createHash } from 'node:crypto';
import type { Downloads, ServedFile } from './downloads.ts';

export type TrackerAddresses = {
  version: string;
  url: string;
  immutable_url: string;
  integrity: string;
  stripe_url: string;
  stripe_immutable_url: string;
  stripe_integrity: string;
  package_url: string;
  package_immutable_url: string;
  script_tag: string;
};

/** The URLs of the tracker and how to include it. */
export async function describeTracker(downloads: Downloads): Promise<TrackerAddresses> {
  const script = await downloads.load('script');
  const stripe = await downloads.load('stripeScript');
  const tarball = await downloads.load('tracker');
  return {
    version: script.version,
    url: script.newestUrl,
    immutable_url: script.immutableUrl,
    integrity: script.asset.integrity,
    stripe_url: stripe.newestUrl,
    stripe_immutable_url: stripe.immutableUrl,
    stripe_integrity: stripe.asset.integrity,
    package_url: tarball.newestUrl,
    package_immutable_url: tarball.immutableUrl,
    script_tag: `<script async src="${script.newestUrl}" data-svc-program-id="PROGRAM_ID"></script>`,
  };
}

type PackageAddresses = {
  name: string;
  version: string;
  url: string;
  immutable_url: string;
  integrity: string;
  /** As lockfiles have it. */
  sha512: string;
};

/** The npm packages of this release: the newest one, and the address for lockfiles, which never serves anything else. */
export async function describePackages(
  downloads: Downloads,
): Promise<Record<'tracker' | 'node' | 'cli', PackageAddresses>> {
  return {
    tracker: addressesOf('@svc/tracker', await downloads.load('tracker')),
    node: addressesOf('@svc/node', await downloads.load('node')),
    cli: addressesOf('@svc/cli', await downloads.load('cli')),
  };
}

function addressesOf(name: string, { version, newestUrl, immutableUrl, asset }: ServedFile): PackageAddresses {
  const bytes = asset.variants.at(-1)?.body ?? '';
  return {
    name,
    version,
    url: newestUrl,
    immutable_url: immutableUrl,
    integrity: asset.integrity,
    sha512: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
  };
}
