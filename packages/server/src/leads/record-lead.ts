import { type Converting, creditLastClicks, lastClickFacts, withLastClick } from '../customers/apply-last-click.ts';
import { type ClickId, parseClickId } from '../customers/click-id.ts';
import type { Customer } from '../customers/customer.ts';
import { CUSTOMER_ROWS } from '../customers/customer-list-store.ts';
import { insertLeads, type LeadChange, updateLeads } from '../customers/customer-store.ts';
import type { Queryable, Transaction } from '../db/db.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import type { Decision } from '../decisions/decision.ts';
import { insertDecisions } from '../decisions/decision-store.ts';
import { announce } from '../outbox/announce.ts';
import type { Announcement } from '../outbox/outbox-store.ts';
import { isFromTestLink } from '../partners/links/identify-test-link.ts';
import type { TrackingContext } from '../tracking-context.ts';
import { announcedRewards, applyLeadTerms, type LeadReward, type SignedUp } from './apply-lead-terms.ts';
import {
  isProvisional,
  type LeadAttempt,
  type LeadCaller,
  type LeadOutcome,
  type LeadVerdict,
  type NewLead,
} from './lead.ts';
import { isExplained } from './lead-decision.ts';
import { judgeLeads, keysOf, type LeadGroup, type ScopedLead } from './lead-group.ts';
import { listCustomers, lockCandidates } from './lead-lookup-store.ts';

/** Records a signup. Leads are written in groups: see `recordLeads` below. */
export async function recordLead(ctx: TrackingContext, caller: LeadCaller, lead: NewLead): Promise<LeadOutcome> {
  const outcome = await ctx.leads.submit({ caller, lead });
  if (caller.mode === 'browser' && outcome.is === 'refused' && outcome.reason === 'origin_not_allowed') {
    ctx.refusals.count({ ...outcome, kind: 'lead', origin: caller.origin });
  }
  return outcome;
}

/** The program in which a click id was given out; null if it was in none. */
export async function findProgramOfClick({ db }: Pick<LeadsContext, 'db'>, clickId: string): Promise<number | null> {
  const click = parseClickId(clickId);
  return click ? (customerOf(click, await listCustomers(db, [click.customerId]))?.programId ?? null) : null;
}

/** The customer whom a click id names. */
const customerOf = (click: ClickId | null, found: Customer[]) =>
  found.find(({ id, clickedAt }) => id === click?.customerId && clickedAt?.getTime() === click.clickedAt.getTime());

type LeadsContext = Pick<TrackingContext, 'db' | 'now' | 'announcer' | 'lookup' | 'emailSecret'>;

/**
 * Records a group of signups in one transaction: look up and lock the customers they may belong to, judge them in order,
 * write. If another node takes the same key at the same time, the group is judged again.
 */
export function recordLeads(ctx: LeadsContext, attempts: LeadAttempt[]): Promise<LeadOutcome[]> {
  return retryOnConflict(async () => {
    const scoped = await findScopes(ctx, attempts);
    const known = scoped.filter((lead) => lead !== null);
    const outcomes = known.length === 0 ? [] : await ctx.db.transaction((tx) => writeLeads(ctx, tx, known));
    // A lead without a known program has no customer, and nobody could read a decision about it.
    return scoped.map((lead) => (lead ? outcomes[known.indexOf(lead)]! : NOT_FOUND));
  });
}

const NOT_FOUND: LeadOutcome = { is: 'refused', reason: 'customer_not_found' };

/** The program of each lead: from the API key, the click or the web page, in this order. Null if there is none. */
async function findScopes(ctx: LeadsContext, attempts: LeadAttempt[]): Promise<(ScopedLead | null)[]> {
  const clicks = attempts.map(({ lead }) => parseClickId(lead.clickId));
  const ids = clicks.flatMap((click) => (click ? [click.customerId] : []));
  const found = ids.length === 0 ? [] : await listCustomers(ctx.db, ids);
  return Promise.all(
    attempts.map(async ({ caller, lead: sent }, index) => {
      const named = customerOf(clicks[index] ?? null, found);
      // The site's own code does not know that it is being tested, so a visitor of the test link makes the lead a test.
      const isTest = sent.isTest || (named !== undefined && (await isFromTestLink(ctx.lookup, named)));
      const clicked = named?.isTest === isTest ? named : null;
      const attempt = { caller, lead: { ...sent, isTest } };
      if (caller.mode === 'server') return { attempt, program: caller.program, clicked };
      const programId = clicked?.programId ?? caller.namedProgramId;
      const program = programId === undefined ? null : await ctx.lookup.program(programId);
      return program && { attempt, program, clicked };
    }),
  );
}

async function writeLeads(ctx: LeadsContext, tx: Transaction, leads: ScopedLead[]): Promise<LeadOutcome[]> {
  const clickedIds = leads.flatMap(({ clicked }) => (clicked ? [clicked.id] : []));
  const locked = await lockCandidates(tx, clickedIds, leads.flatMap(keysOf));
  const group = judgeLeads(leads, locked, ctx.emailSecret, ctx.now());

  const newIds = await writeChanges(tx, group.changes);
  const last = await creditLastClicks(ctx, tx, convertingBy(group, locked));
  const rewards = await applyLeadTerms(
    ctx,
    tx,
    signedUp(group).map((lead) => ({ ...lead, customer: withLastClick(lead.customer, last.get(lead.customer.id)) })),
  );
  const decided = group.judged.filter(({ verdict }) => isExplained(verdict)).map(({ decision }) => decision);
  const decisionIds = await insertDecisions(
    tx,
    decided.map((decision) => {
      const id = decision.customerId ?? 0;
      const credited = decision.outcome === 'recorded' ? last.get(id) : undefined;
      return {
        ...decision,
        partnerId: credited?.click?.partnerId ?? decision.partnerId,
        facts: { ...decision.facts, ...lastClickFacts(null, credited), ...rewards.get(id)?.facts },
        customerId: newIds.get(id) ?? decision.customerId,
      };
    }),
  );
  const idOf = new Map(decided.map((decision, index) => [decision, decisionIds[index]!]));
  announceLeads(ctx, tx, group, { idOf, newIds, rewards });
  return outcomesOf(group, idOf, rewards);
}

type Written = { idOf: Map<Decision, number>; newIds: Map<number, number>; rewards: Map<number, LeadReward> };

/** Announces the leads that are no tests. A provisional one is announced too, and again when it is confirmed. */
function announceLeads(
  ctx: LeadsContext,
  tx: Transaction,
  { judged }: LeadGroup,
  { idOf, newIds, rewards }: Written,
): void {
  const recorded = judged.filter(({ verdict, decision }) => verdict.is !== 'refused' && !decision.isTest);
  const leads = recorded.map(({ verdict, program, decision }): Announcement => {
    const customerId = decision.customerId ?? 0;
    const type = isNewLead(verdict) ? 'lead.created' : 'lead.confirmed';
    return { type, id: newIds.get(customerId) ?? customerId, programId: program.id, decisionId: idOf.get(decision) };
  });
  // Of several leads of a customer, the last one made the customer what the rewards are for.
  const lastOf = new Map(recorded.map((lead) => [lead.decision.customerId ?? 0, lead]));
  const given = [...lastOf].flatMap(([customerId, { program, decision }]) => {
    const reward = rewards.get(customerId);
    return reward ? announcedRewards(reward, { programId: program.id, decisionId: idOf.get(decision) }) : [];
  });
  announce(ctx, tx, [{ rows: CUSTOMER_ROWS, events: leads }, ...given]);
}

/** Whether the customer had not signed up before. */
const isNewLead = (verdict: LeadVerdict) =>
  !('customer' in verdict) || verdict.customer === null || verdict.customer.status === 'click';

/** The customers whom the leads of the group changed. Those who are new have no partner. */
function signedUp({ judged, changes }: LeadGroup): SignedUp[] {
  return [...changes.values()].flatMap(({ customer }) => {
    const lead = judged.find(({ decision }) => decision.customerId === customer.id);
    return lead && customer.id > 0 ? [{ program: lead.program, customer }] : [];
  });
}

/** The customers whose signups count now, as they were before. */
function convertingBy({ judged, changes }: LeadGroup, locked: Customer[]): Converting[] {
  return locked.flatMap((customer) => {
    const { leadState, leadAt } = changes.get(customer.id)?.customer ?? customer;
    const program = judged.find(({ decision }) => decision.customerId === customer.id)?.program;
    return program && leadState === 'settled' && leadAt ? [{ program, customer, at: leadAt }] : [];
  });
}

/** Updates the existing customers and inserts the new ones. Returns the real ids of the new ones. */
async function writeChanges(tx: Queryable, changes: Map<number, LeadChange>): Promise<Map<number, number>> {
  const all = [...changes.values()];
  const added = all.filter(({ customer }) => customer.id < 0);
  // A key must be free before another customer takes it.
  const updated = all.filter(({ customer }) => customer.id > 0);
  const holdsKey = ({ customer }: LeadChange) => customer.customerKey !== null;
  const [, , ids] = await Promise.all([
    updateLeads(
      tx,
      updated.filter((change) => !holdsKey(change)),
    ),
    updateLeads(tx, updated.filter(holdsKey)),
    insertLeads(tx, added),
  ]);
  return new Map(added.map(({ customer }, index) => [customer.id, ids[index]!]));
}

function outcomesOf(
  { judged }: LeadGroup,
  decisionIds: Map<Decision, number>,
  rewards: Map<number, LeadReward>,
): LeadOutcome[] {
  return judged.map(({ verdict, program, decision }) =>
    verdict.is === 'refused'
      ? verdict
      : {
          is: 'recorded',
          provisional: isProvisional(verdict),
          program,
          decisionId: decisionIds.get(decision)!,
          credit: rewards.get(decision.customerId ?? 0)?.credit ?? null,
          isTest: decision.isTest,
        },
  );
}
