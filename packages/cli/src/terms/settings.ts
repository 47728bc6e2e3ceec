import { type CallOf, manageUpdateProgram, maxRate } from '@svc/contract';
import { Failure } from '../failure.ts';

const SETTINGS = [
  'commission_type',
  'commission_rate',
  'commission_base',
  'currency',
  'recurring_months',
  'hold_days',
] as const;

type Changes = NonNullable<CallOf<typeof manageUpdateProgram>['body']>;

/** What a program pays where no rule matches, and how long it holds commissions. */
export type Settings = { [Name in (typeof SETTINGS)[number]]: Exclude<Changes[Name], undefined> };

export function settingsOf(version: Settings): Settings {
  return Object.fromEntries(SETTINGS.map((name) => [name, version[name]])) as Settings;
}

/** The settings of a file that differ from those in force. Throws if they are not settings. */
export function changedSettings(filed: Partial<Settings> | undefined, current: Settings): Partial<Settings> {
  if (filed === undefined) return {};
  if (typeof filed !== 'object' || filed === null || Array.isArray(filed)) {
    throw new Failure('settings must be an object');
  }
  const unknown = Object.keys(filed).find((name) => !SETTINGS.some((known) => known === name));
  if (unknown) throw new Failure(`settings.${unknown} is not a known setting. Known are ${SETTINGS.join(', ')}.`);
  const changed = Object.fromEntries(
    SETTINGS.flatMap((name) => (name in filed && filed[name] !== current[name] ? [[name, filed[name]]] : [])),
  );
  const checked = manageUpdateProgram.body.safeParse(changed);
  if (!checked.success) throw new Failure(`settings: ${checked.error.issues[0]?.message}`);
  const { commission_type: type, commission_rate: rate } = { ...current, ...changed };
  if ('commission_rate' in changed && rate > maxRate(type)) {
    throw new Failure(`settings: commission_rate must be at most ${maxRate(type)}`);
  }
  return changed;
}
