import {
  errors,
  manageAddTerms,
  manageSimulateTerms,
  manageTerms,
  manageUpdateProgram,
  type ReplyOf,
  type TermsRule,
} from '@svc/contract';
import { stringify } from 'yaml';
import { CANCELLED, Failure } from '../failure.ts';
import { accountToken, programOf, type Session } from '../session.ts';
import { nameIds, resolveNames } from '../terms/name-rules.ts';
import { type Plan, planLines } from '../terms/plan-text.ts';
import { changedSettings, settingsOf } from '../terms/settings.ts';
import { readTermsFile, type TermsFile } from '../terms/terms-file.ts';

type TermsOptions = { program?: string; from?: string; to?: string };
type Version = ReplyOf<typeof manageTerms>['data'][number];

type Prepared = { program: string; file: TermsFile; rules: TermsRule[]; plan: Plan };

/** Compares the terms in a file with those in force, and with what was paid in a period. Changes nothing. */
export async function planTerms(session: Session, path: string, options: TermsOptions): Promise<void> {
  const { plan } = await prepare(session, await readTermsFile(session.cwd, path), options);
  session.out.result(plan, planLines(plan));
}

/** Publishes the terms in a file, after the plan was shown and confirmed. What is in force, or scheduled, stays as it is. */
export async function applyTerms(session: Session, path: string, options: TermsOptions): Promise<void> {
  const { program, file, rules, plan } = await prepare(session, await readTermsFile(session.cwd, path), options);
  const hasSettings = Object.keys(plan.settings).length > 0;
  if (!plan.changed && !hasSettings) {
    session.out.result({ ...plan, published: null }, `Nothing to publish: version ${plan.version} has these rules.`);
    return;
  }
  for (const line of planLines(plan)) session.out.note(line);
  await confirm(session);
  const [params, token] = [{ program_id: program }, await accountToken(session)];
  if (hasSettings) await session.api.call(manageUpdateProgram, { params, body: plan.settings, token });
  if (!plan.changed) {
    session.out.result({ ...plan, published: null }, 'Changed the commission settings. The rules stay as they are.');
    return;
  }
  const { attribution, note, effective_from, backdate } = file;
  const body = { rules, attribution, note, effective_from, backdate };
  const { data } = await located(file, () => session.api.call(manageAddTerms, { params, body, token }));
  const text = `Published version ${data.version}, in force from ${data.effective_from}.`;
  session.out.result({ ...plan, published: data }, text);
}

/** Prints the terms in force as a file: settings, and rules with names instead of ids. */
export async function pullTerms(session: Session, options: TermsOptions): Promise<void> {
  const { program_id: program } = programOf(session, options);
  const versions = await listVersions(session, program);
  const current = versionInForce(versions, new Date());
  for (const { version, effective_from: since } of versions.filter((each) => each.version > current.version)) {
    session.out.note(`Version ${version}, which begins at ${since}, is not in the file.`);
  }
  const { attribution } = current;
  const content = { settings: settingsOf(current), attribution, rules: await nameIds(session, program, current.rules) };
  session.out.result({ version: current.version, ...content }, stringify(content).trimEnd());
}

async function listVersions(session: Session, program: string): Promise<Version[]> {
  const token = await accountToken(session);
  return (await session.api.call(manageTerms, { params: { program_id: program }, token })).data;
}

/** The first version is always in force, even if the clock here is behind. */
function versionInForce(versions: Version[], now: Date): Version {
  const current = versions.find(({ effective_from: since }) => new Date(since) <= now) ?? versions.at(-1);
  if (!current) throw new Failure('The program has no commission rules in force.');
  return current;
}

function prepare(session: Session, file: TermsFile, options: TermsOptions): Promise<Prepared> {
  return located(file, async () => {
    const { program_id: program } = programOf(session, options);
    const rules = await resolveNames(session, program, file);
    const token = await accountToken(session);
    const now = new Date();
    const { from = quarterStart(now, -1), to = quarterStart(now, 0) } = options;
    const body = { rules, attribution: file.attribution, from, to, groups: 'now' } as const;
    const params = { program_id: program };
    const { data: simulation } = await session.api.call(manageSimulateTerms, { params, body, token });
    const versions = await listVersions(session, program);
    const current = versionInForce(versions, now);
    const settings = changedSettings(file.settings, settingsOf(current));
    const same = sameAs(versions, current, file);
    const { attribution: credits = same.attribution } = file;
    const attribution = credits === same.attribution ? null : credits;
    const changed = attribution !== null || textOf(rules) !== textOf(same.rules);
    checkBegin(file, { rules, versions, now, changes: { rules: changed, settings: Object.keys(settings).length > 0 } });
    const { version, effective_from: since } = same;
    const begins = new Date(since) > now ? since : null;
    return { program, file, rules, plan: { version, begins, changed, attribution, settings, from, to, simulation } };
  });
}

/** The version that the file is compared with: a scheduled one that begins when the file does, or the one in force. */
function sameAs(versions: Version[], current: Version, { effective_from: begins }: TermsFile): Version {
  const at = begins === undefined ? Number.NaN : new Date(begins).getTime();
  const scheduled = versions.filter(({ version }) => version > current.version);
  return scheduled.find(({ effective_from: since }) => new Date(since).getTime() === at) ?? current;
}

type Begin = { rules: TermsRule[]; versions: Version[]; now: Date; changes: { rules: boolean; settings: boolean } };

/** Refuses what the service would refuse when the file is applied, so that a plan says it too. */
function checkBegin(
  { attribution, note, effective_from, backdate }: TermsFile,
  { rules, versions, now, changes }: Begin,
): void {
  const checked = manageAddTerms.body.safeParse({ rules, attribution, note, effective_from, backdate });
  if (!checked.success)
    throw new Failure(checked.error.issues[0]?.message ?? 'The file is not valid.', { status: 400 });
  const begins = checked.data.effective_from;
  if (changes.settings && begins && begins > now) {
    throw new Failure('settings change at once: they cannot be combined with an effective_from in the future.');
  }
  const [last] = versions;
  if (!changes.rules || !begins || !last) return;
  const since = new Date(last.effective_from);
  if (begins <= since) throw new Failure(errors.termsOverlap(last.version, since).message, { status: 409 });
  if (begins < now && !backdate) throw new Failure(errors.backdateRequired().message, { status: 400 });
}

/** Does what can refuse a rule. The failure then says where in the file that rule is. */
async function located<Result>(file: TermsFile, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    const [, rule, field = ''] = /^rule (\d+): ([\w.]+)/.exec(thrown.message) ?? [];
    const [own] = /^(settings|attribution|effective_from|note|backdate)\b/.exec(thrown.message) ?? [];
    const path = rule ? ['rules', Number(rule) - 1, ...field.split('.')] : own ? [own] : null;
    if (!path) throw thrown;
    throw new Failure(`${file.placeOf(path)}: ${thrown.message}`, thrown.parts);
  }
}

async function confirm({ flags, prompts }: Session): Promise<void> {
  if (flags.yes) return;
  const picked = await prompts.choose('--yes', 'Publish these commission rules?', [
    { value: 'yes', label: 'Publish' },
    { value: 'no', label: 'Cancel' },
  ]);
  if (picked === 'no') throw new Failure('Cancelled. Nothing was changed.', { exitCode: CANCELLED });
}

/** The first day of a quarter, so many quarters from the one that is now, in UTC. */
function quarterStart(now: Date, by: number): string {
  const month = Math.floor(now.getUTCMonth() / 3) * 3 + by * 3;
  return new Date(Date.UTC(now.getUTCFullYear(), month)).toISOString().slice(0, 10);
}

/** What rules say, whatever the order of their fields is. Descriptions are only for people. */
function textOf(rules: (TermsRule & { description?: string })[]): string {
  return JSON.stringify(rules.map(({ description: _, ...rule }) => sorted(rule)));
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
