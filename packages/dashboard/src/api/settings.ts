import { newestPackages, type PackageUrls, type TokenScope } from '@svc/contract';

export type CliLogin = { status: 'open' | 'expired' | 'used' | 'unknown'; device_name: string | null };

/** An application that asks for access to the user's account. */
export type Authorization = {
  client_name: string;
  /** Where it continues. */
  client_address: string;
  /** What it wants to do. The user may allow less. */
  scopes: TokenScope[];
  /** What it asked for, to be sent back if the user agrees. */
  request: Record<string, string>;
  denied_url: string;
};

/** Why nobody can decide about a request for access, and the application that made the mistake, if the service knows it. */
export type AuthorizationMistake = { message: string; client: { name: string; address: string; url: string } | null };

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
  authorization?: Authorization;
  authorization_mistake?: AuthorizationMistake;
};

/** What the server writes into the page: its public URL, its packages, whether sign-up is open, whether it sends mail, whether it is new, and the CLI login or the application of this page. */
export const settings: Settings = {
  base_url: location.origin,
  packages: newestPackages(location.origin),
  signup: 'open',
  ...embeddedSettings(),
};

function embeddedSettings(): Partial<Settings> {
  return JSON.parse(document.querySelector<HTMLMetaElement>('meta[name="svc-settings"]')?.content ?? '{}');
}
