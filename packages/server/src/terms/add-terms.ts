import { type Attribution, errors, MAX_RULES, type TermsRule } from '@svc/contract';
import { type Actor, type AuditEvent, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { announce } from '../outbox/announce.ts';
import { readRows } from '../outbox/outbox-store.ts';
import type { Program } from '../programs/program.ts';
import { findProgramForUpdate } from '../programs/program-store.ts';
import {
  type PublishedTerms,
  TERMS_ROWS,
  updateBegunTerms,
  updateProgramTerms,
  updateScheduledCount,
} from '../programs/program-terms-store.ts';
import { describeRules } from './describe-rules.ts';
import { deleteScheduledTerms, findTerms, insertScheduledTerms, type ListedTerms } from './terms-store.ts';

export type NewTerms = {
  rules: TermsRule[];
  /** As in the version before by default. */
  attribution?: Attribution | undefined;
  /** From now on by default. */
  since: Date | undefined;
  note: string | undefined;
  /** Whether it may begin in the past. */
  backdate: boolean;
};

type Person = Actor & { userId: string };

/** Publishes a version of the terms. It begins after every other one, so that no two versions overlap. */
export function addTerms(ctx: Context, programId: number, terms: NewTerms, actor: Person): Promise<ListedTerms> {
  if (terms.rules.length > MAX_RULES) throw errors.tooManyRules(MAX_RULES);
  const now = ctx.now();
  return ctx.db.transaction(async (tx) => {
    await updateBegunTerms(tx, now, programId);
    const program = await findProgramForUpdate(tx, programId);
    if (!program) throw errors.notFound();
    const since = terms.since ?? now;
    checkBegin(program, terms, now);
    const published = {
      rules: await describeRules(tx, program, terms.rules),
      attribution: terms.attribution ?? (program.scheduledTerms.at(-1) ?? program).attribution,
      since,
      madeBy: actor.userId,
      note: terms.note ?? null,
    };
    const current = { programId, id: program.termsVersion };
    const rows = await readRows(tx, TERMS_ROWS, [current]);
    const version =
      since > now ? await schedule(tx, programId, published) : await updateProgramTerms(tx, programId, published);
    const { attribution, note } = published;
    const after = { version, rules: published.rules.length, attribution, effective_from: since, note };
    await insertAuditEvent(tx, termsEvent(program, 'terms.published', version, { after, actor }), now);
    const changed = { type: 'terms.changed', programId, id: version, before: rows.get(current.id) } as const;
    announce(ctx, tx, [{ rows: TERMS_ROWS, events: [changed] }]);
    return (await findTerms(tx, programId, version))!;
  });
}

async function schedule(tx: Queryable, programId: number, published: PublishedTerms) {
  const version = await insertScheduledTerms(tx, programId, published);
  await updateScheduledCount(tx, programId);
  return version;
}

function checkBegin(program: Program, { since, backdate }: NewTerms, now: Date): void {
  const scheduled = program.scheduledTerms.at(-1);
  const last = scheduled ?? { version: program.termsVersion, since: program.termsSince };
  const begins = since ?? now;
  // Two changes in the same moment are ordered by their numbers, so only a time that was sent can overlap with the current one.
  const overlaps = since || scheduled ? begins <= new Date(last.since) : false;
  if (overlaps) throw errors.termsOverlap(last.version, new Date(last.since));
  if (begins < now && !backdate) throw errors.backdateRequired();
}

/** Withdraws a version that has not begun. */
export function withdrawTerms(ctx: Context, programId: number, version: number, actor: Actor): Promise<void> {
  const now = ctx.now();
  return ctx.db.transaction(async (tx) => {
    await updateBegunTerms(tx, now, programId);
    const program = await findProgramForUpdate(tx, programId);
    const terms = await findTerms(tx, programId, version);
    if (!program || !terms) throw errors.notFound();
    if (!program.scheduledTerms.some((scheduled) => scheduled.version === version)) throw errors.termsInForce();
    const rows = await readRows(tx, TERMS_ROWS, [{ programId, id: version }]);
    await deleteScheduledTerms(tx, programId, version);
    await updateScheduledCount(tx, programId);
    const { attribution, since, note } = terms;
    const before = { version, rules: terms.rules.length, attribution, effective_from: since, note };
    await insertAuditEvent(tx, termsEvent(program, 'terms.withdrawn', version, { before, actor }), now);
    const withdrawn = rows.get(version);
    const changed = { type: 'terms.changed', programId, id: program.termsVersion, before: withdrawn } as const;
    announce(ctx, tx, [{ rows: TERMS_ROWS, events: [changed] }]);
  });
}

function termsEvent(
  { id, workspaceId, name }: Program,
  action: 'terms.published' | 'terms.withdrawn',
  version: number,
  facts: Pick<AuditEvent, 'before' | 'after' | 'actor'>,
): AuditEvent {
  return { workspaceId, programId: id, action, subject: { type: 'terms', id: version, name }, ...facts };
}
