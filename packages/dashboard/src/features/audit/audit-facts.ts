import { labelOf } from '../../rules/label.ts';

type Facts = Record<string, unknown>;

/** One fact of a change: what it was and what it is. */
export type ChangedFact = { label: string; before: string; after: string };

/** What a change of the audit log consists of, in words. */
export function changedFacts(before: Facts, after: Facts): ChangedFact[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.map((name) => ({ label: labelOf(name), before: inWords(before[name]), after: inWords(after[name]) }));
}

function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(inWords).join(', ');
  if (typeof value === 'object') return JSON.stringify(value);
  // A code of the API, such as hold_ended.
  return /^[a-z]+(_[a-z]+)+$/.test(String(value)) ? labelOf(String(value)) : String(value);
}
