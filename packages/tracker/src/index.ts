import { DEFAULT_API_BASE } from './default-api-base.ts';
import type { TrackerOptions } from './options.ts';
import * as tracker from './tracker.ts';

export type { Consent, SignupAnswer, TrackerData, TrackerOptions } from './options.ts';
export { getClickId, getData } from './tracker.ts';

// On a server there is no page, so all functions do nothing.
const isPage = typeof document !== 'undefined';
const nothing = () => {};

export const init: (options: TrackerOptions) => void = isPage
  ? (options) => tracker.init({ ...options, apiBase: options.apiBase ?? DEFAULT_API_BASE })
  : nothing;
export const consent: typeof tracker.consent = isPage ? tracker.consent : nothing;
export const signup: typeof tracker.signup = isPage ? tracker.signup : () => Promise.resolve(undefined);
