import { isbot } from 'isbot';

/** How a page was asked for. */
export type Asked = {
  method: string;
  userAgent: string | undefined;
  /** What the headers say about why: `Sec-Purpose`, `Purpose`, `X-Purpose` and `X-Moz`. */
  purposes: (string | string[] | undefined)[];
};

/** Whether a person opens the page, as far as one can tell, and not a bot, or a browser that loads it in advance. */
export function isVisit({ method, userAgent, purposes }: Asked): boolean {
  if (method !== 'GET') return false;
  if (purposes.some((purpose) => purpose !== undefined && /prefetch|prerender|preview/i.test(String(purpose))))
    return false;
  return !isKnownBot(userAgent);
}

const MOST_REMEMBERED = 1_000;
const remembered = new Map<string, boolean>();

/** Many visitors have the same browser, and the pattern of all bots takes its time. */
function isKnownBot(userAgent = ''): boolean {
  const known = remembered.get(userAgent);
  if (known !== undefined) return known;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  const found = isbot(userAgent);
  remembered.set(userAgent, found);
  return found;
}
