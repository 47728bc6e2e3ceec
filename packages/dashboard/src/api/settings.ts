import { newestPackages, type PackageUrls } from '@svc/contract';

export type CliLogin = { status: 'open' | 'expired' | 'used' | 'unknown'; device_name: string | null };

type Settings = {
  base_url: string;
  /** Where the npm packages of this release are, for good. */
  packages: PackageUrls;
  signup: 'open' | 'closed';
  /** The installation sends mail. */
  mail?: boolean;
  /** Nobody has an account yet. */
  first_start?: boolean;
  cli_login?: CliLogin;
};

/** What the server writes into the page: its public URL, its packages, whether sign-up is open, whether it sends mail, whether it is new, and the CLI login of this page. */
export const settings: Settings = {
  base_url: location.origin,
  packages: newestPackages(location.origin),
  signup: 'open',
  ...embeddedSettings(),
};

function embeddedSettings(): Partial<Settings> {
  return JSON.parse(document.querySelector<HTMLMetaElement>('meta[name="svc-settings"]')?.content ?? '{}');
}
