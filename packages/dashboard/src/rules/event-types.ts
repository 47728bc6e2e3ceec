import { labelOf } from './label.ts';

/** Stands for every type of event, as in the API. */
export const EVERY_TYPE = '*';

/** Types of events about the same thing. */
export type EventTypeGroup = { title: string; types: string[] };

/** What the pages call the things that events are about. */
const TITLES: Record<string, string | undefined> = { lead: 'Signups', terms: 'Commission rules' };

/** Types of events by what they are about, in their order. */
export function groupEventTypes(types: readonly string[]): EventTypeGroup[] {
  const groups = new Map<string, string[]>();
  for (const type of types) {
    const noun = type.split('.')[0] ?? type;
    groups.set(noun, [...(groups.get(noun) ?? []), type]);
  }
  return [...groups].map(([noun, members]) => ({ title: TITLES[noun] ?? `${labelOf(noun)}s`, types: members }));
}

/** Which events an endpoint gets, in a few words. */
export function describeTypes(types: readonly string[]): string {
  if (types.includes(EVERY_TYPE)) return 'All events';
  const [first = '', second, ...more] = types;
  if (more.length > 0) return `${first} and ${types.length - 1} more`;
  return second ? `${first} and ${second}` : first;
}
