import { manageAddTerms, manageSimulateTerms, manageTerms, type TermsRule } from '@svc/contract';
import { CANCELLED, Failure } from '../failure.ts';
import { accountToken, programOf, type Session } from '../session.ts';
import { resolveNames } from '../terms/name-rules.ts';
import { type Plan, planLines } from '../terms/plan-text.ts';
import { readTermsFile, type TermsFile } from '../terms/terms-file.ts';

type TermsOptions = { program?: string; from?: string; to?: string };

type Prepared = { program: string; file: TermsFile; rules: TermsRule[]; plan: Plan };

/** Compares the terms in a file with those in force, and with what was paid in a period. Changes nothing. */
export async function planTerms(session: Session, path: string, options: TermsOptions): Promise<void> {
  const { plan } = await prepare(session, path, options);
  session.out.result(plan, planLines(plan));
}

/** Publishes the terms in a file, after the plan was shown and confirmed. Rules that are in force stay as they are. */
export async function applyTerms(session: Session, path: string, options: TermsOptions): Promise<void> {
  const { program, file, rules, plan } = await prepare(session, path, options);
  if (!plan.changed) {
    session.out.result({ ...plan, published: null }, `Nothing to publish: version ${plan.version} has these rules.`);
    return;
  }
  for (const line of planLines(plan)) session.out.note(line);
  await confirm(session);
  const { note, effective_from, backdate } = file;
  const { data } = await session.api.call(manageAddTerms, {
    params: { program_id: program },
    body: { rules, note, effective_from, backdate },
    token: await accountToken(session),
  });
  const text = `Published version ${data.version}, in force from ${data.effective_from}.`;
  session.out.result({ ...plan, published: data }, text);
}

async function prepare(session: Session, path: string, options: TermsOptions): Promise<Prepared> {
  const { program_id: program } = programOf(session, options);
  const file = await readTermsFile(session.cwd, path);
  const rules = await resolveNames(session, program, file);
  const params = { program_id: program };
  const token = await accountToken(session);
  const now = new Date();
  const { from = quarterStart(now, -1), to = quarterStart(now, 0) } = options;
  const body = { rules, from, to, groups: 'now' } as const;
  const { data: simulation } = await session.api.call(manageSimulateTerms, { params, body, token });
  const { data: versions } = await session.api.call(manageTerms, { params, token });
  // The first version is always in force, even if the clock here is behind.
  const current = versions.find(({ effective_from: since }) => new Date(since) <= now) ?? versions.at(-1);
  if (!current) throw new Failure('The program has no terms in force.');
  const changed = textOf(rules) !== textOf(current.rules);
  return { program, file, rules, plan: { version: current.version, changed, from, to, simulation } };
}

async function confirm({ flags, prompts }: Session): Promise<void> {
  if (flags.yes) return;
  const picked = await prompts.choose('--yes', 'Publish these rules?', [
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
