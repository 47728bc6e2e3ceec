import { DEFAULT_API_BASE } from './default-api-base.ts';
import type { SvcOptions } from './options.ts';
import type { Event } from './outcome.ts';
import { SvcError } from './svc-error.ts';

export type Settings = { apiUrl: string; headers: Record<string, string> };

/** Where to and with which headers. Read for every call, because variables may be loaded after this module. */
export function readSettings({ apiKey, apiUrl }: SvcOptions, event: Event | 'events'): Settings | SvcError {
  const hasVariables = typeof process !== 'undefined';
  // Written out: bundlers for edge platforms replace these expressions with the values.
  const key = apiKey ?? (hasVariables ? process.env.SVC_API_KEY : undefined);
  const url = apiUrl ?? ((hasVariables ? process.env.SVC_API_URL : undefined) || DEFAULT_API_BASE);
  if (!URL.canParse(url)) return missing('SVC_API_URL', 'the URL of the service');
  if (!key && event !== 'click') return missing('SVC_API_KEY', 'the API key of the program');
  return {
    apiUrl: url.replace(/\/+$/, ''),
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/json',
      // Clicks need no key.
      ...(event !== 'click' && { Authorization: `Bearer ${key}` }),
    },
  };
}

function missing(variable: string, what: string): SvcError {
  return new SvcError(`Set ${variable} to ${what}`, { code: 'not_configured', isRetryable: false });
}
