'use client';

import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { CHANGE_EVENT } from './constants.ts';
import { consent, getData, init, signup, type TrackerData, type TrackerOptions } from './index.ts';

export type SvcProviderProps = TrackerOptions & { children?: ReactNode };

export type Svc = TrackerData & { signup: typeof signup; consent: typeof consent };

/** Starts tracking when it is first rendered in a browser. It takes the options of `init` and reads them once. */
export function SvcProvider({ children, ...options }: SvcProviderProps): ReactNode {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page is tracked once, with the options it started with
  useEffect(() => init(options), []);
  return children;
}

/** What is known about the visitor, kept up to date, with `signup` and `consent`. Empty when rendered on a server. */
export function useSvc(): Svc {
  return { ...useSyncExternalStore(subscribe, snapshot, onServer), signup, consent };
}

const empty: TrackerData = { clickId: null, programId: null, hasAttribution: false, affiliateUrl: null };
let last = empty;

/** Returns the same object while nothing has changed, as React requires. */
function snapshot(): TrackerData {
  const data = getData();
  if (JSON.stringify(data) !== JSON.stringify(last)) last = data;
  return last;
}

function onServer(): TrackerData {
  return empty;
}

function subscribe(onChange: () => void): () => void {
  addEventListener(CHANGE_EVENT, onChange);
  return () => removeEventListener(CHANGE_EVENT, onChange);
}
