import type { TrackerOptions } from './options.ts';
import * as tracker from './tracker.ts';

export type { Consent, SignupAnswer, TrackerData, TrackerOptions } from './options.ts';
export { getClickId, getData } from './tracker.ts';

// On a server there is no page, so all functions do nothing.
const isPage = typeof document !== 'undefined';
const nothing = () => {};

export const init: (options: TrackerOptions) => void = isPage
  ? (options) => {
      // Code without types may leave it out. Unlike the script, a package does not know where it came from.
      if (options.apiBase == null) console.error('[svc] no apiBase');
      else tracker.init(options);
    }
  : nothing;
export const consent: typeof tracker.consent = isPage ? tracker.consent : nothing;
export const signup: typeof tracker.signup = isPage ? tracker.signup : () => Promise.resolve(undefined);
