import type { SvcOptions } from './options.ts';
import type { Event } from './outcome.ts';
import { SvcError } from './svc-error.ts';
import { VERSION } from './version.ts';

export type Settings = { apiUrl: string; headers: Record<string, string> };

/** Where to and with which headers. Read for every call, because variables may be loaded after this module. */
export function readSettings({ apiKey, apiUrl }: SvcOptions, event: Event | 'events'): Settings | SvcError {
  const url = readApiUrl(apiUrl);
  if (url instanceof SvcError) return url;
  // Clicks need no key.
  if (event === 'click') return { apiUrl: url, headers: HEADERS };
  const key = readSecret(apiKey ?? variable(() => process.env.SVC_API_KEY), {
    variable: 'SVC_API_KEY',
    what: 'the API key of the program',
    option: 'createSvc({ apiKey: env.SVC_API_KEY })',
  });
  if (key instanceof SvcError) return key;
  return { apiUrl: url, headers: { ...HEADERS, Authorization: `Bearer ${key}` } };
}

/** What every request says about itself. */
export const HEADERS = {
  Accept: 'application/json',
  'Content-Type': 'application/json',
  'User-Agent': `svc-node/${VERSION}`,
};

/** The URL of the service, without a slash at its end. */
export function readApiUrl(given: string | undefined): string | SvcError {
  const url = given ?? variable(() => process.env.SVC_API_URL);
  if (!url) return notConfigured('Set SVC_API_URL to the URL of the service');
  // Without a scheme, `localhost:4000` would be an address with the scheme `localhost:`.
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    return notConfigured(`SVC_API_URL is “${url}”. Set it to the URL of the service, starting with https://`);
  }
  return url.replace(/\/+$/, '');
}

type Secret = { variable: string; what: string; option: string };

/** A key or token as it can be sent. What was pasted with a dash of a text editor, for example, can never work. */
export function readSecret(given: string | undefined, { variable: name, what, option }: Secret): string | SvcError {
  const secret = given?.trim();
  if (!secret) {
    const elsewhere = typeof process === 'undefined' ? `, or pass it: ${option}` : '';
    return notConfigured(`Set ${name} to ${what}${elsewhere}`);
  }
  if (!/^[\x21-\x7e]+$/.test(secret)) {
    return notConfigured(`${name} contains a space or a character that no key has. Copy it again`);
  }
  return secret;
}

/** A variable of the environment, where there is one. Bundlers for edge platforms replace the expression with the value. */
export function variable(read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function notConfigured(message: string): SvcError {
  return new SvcError(message, { code: 'not_configured', isRetryable: false });
}
