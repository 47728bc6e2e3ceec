import type { HoldReason } from '@svc/contract';
import { commissionFrom } from '../commissions/commission-from.ts';
import { COMMISSION_ROWS } from '../commissions/commission-list-store.ts';
import { type InsertedCommission, insertCommissions, type NewCommission } from '../commissions/commission-store.ts';
import { CREDIT_ROWS, insertCredits } from '../customers/credit-store.ts';
import type { Customer } from '../customers/customer.ts';
import { belongToPartner } from '../customers/self-referral.ts';
import type { Queryable } from '../db/db.ts';
import type { AnnouncedRows } from '../outbox/outbox-store.ts';
import type { Program } from '../programs/program.ts';
import { openCapBook } from '../terms/cap-book.ts';
import { capKeysOf } from '../terms/cap-keys.ts';
import { lockCapCounts, updateCapCounts } from '../terms/cap-store.ts';
import { type Credit, type Reward, type Rewards, rewardsFor } from '../terms/reward.ts';
import type { RewardFacts } from '../terms/rule-match.ts';
import { storedFacts } from '../terms/stored-facts.ts';
import { currentTerms, type Terms } from '../terms/terms.ts';
import { termsFacts } from '../terms/terms-facts.ts';
import { findTermsOfPayments } from '../terms/terms-store.ts';
import { type LeadStanding, listLeadStandings } from './lead-reward-store.ts';

/** A customer who has signed up, as the lead left them. */
export type SignedUp = {
  program: Program;
  customer: Customer;
  /** Whether only a web page says that the person who settled the lead is this customer. */
  isClaim?: boolean;
};

/** What the terms gave for a lead: facts for its decision, and the credit of the customer. */
export type LeadReward = {
  facts: Record<string, unknown>;
  credit: Credit | null;
  creditId: number | null;
  commissions: InsertedCommission[];
};

type JudgedLead = SignedUp & {
  partnerId: number;
  at: Date;
  terms: Terms;
  facts: RewardFacts;
  isSelfReferral: boolean;
};

type LeadContext = { now: () => Date; emailSecret: string };

/**
 * Pays for confirmed leads where a rule says so, each once. The customers are locked. Leads of programs without such a rule cost
 * no statement. Returns what was given, by customer.
 */
export async function applyLeadTerms(
  ctx: LeadContext,
  tx: Queryable,
  leads: SignedUp[],
): Promise<Map<number, LeadReward>> {
  const now = ctx.now();
  const payable = leads.filter((lead) => isPayable(lead, now));
  if (payable.length === 0) return new Map();
  const judged = await findFacts(ctx, tx, payable, now);
  if (judged.length === 0) return new Map();
  const book = openCapBook(
    await lockCapCounts(
      tx,
      judged.flatMap((lead) => capKeysOf(lead.terms, lead.facts, placeOf(lead))),
    ),
  );
  const given = judged.map((lead) => {
    const rewards = rewardsFor(lead.terms, lead.facts, book.usedOf(placeOf(lead)));
    book.add(placeOf(lead), rewards);
    return { lead, rewards };
  });
  await updateCapCounts(tx, book.changed());
  const commissions = await insertCommissions(
    tx,
    given.flatMap(({ lead, rewards }) => commissionsOf(lead, rewards, now)),
    now,
  );
  const credited = await insertCredits(
    tx,
    given.flatMap(({ lead, rewards }) => creditOf(lead, rewards, now)),
    now,
  );
  return new Map(
    given.map(({ lead, rewards }) => {
      const { id } = lead.customer;
      const credit = credited.has(id) ? rewards.credit : null;
      const reward: LeadReward = {
        facts: factsOf(lead, { ...rewards, credit }),
        credit,
        creditId: credited.get(id) ?? null,
        commissions: commissions.filter(({ customerId }) => customerId === id),
      };
      return [id, reward];
    }),
  );
}

/** What the outside is told about rewards. */
export function announcedRewards(
  rewards: Pick<LeadReward, 'commissions' | 'creditId'>,
  about: { programId: number; decisionId: number | undefined },
): AnnouncedRows[] {
  const { commissions, creditId } = rewards;
  return [
    { rows: COMMISSION_ROWS, events: commissions.map(({ id }) => ({ type: 'commission.created', id, ...about })) },
    { rows: CREDIT_ROWS, events: creditId === null ? [] : [{ type: 'credit.granted', id: creditId, ...about }] },
  ];
}

/** Only a confirmed lead with a partner is paid, and only if its terms may have a rule for leads. */
function isPayable({ program, customer }: SignedUp, now: Date): boolean {
  const { leadState, leadAt, partnerId, isTest } = customer;
  if (isTest || leadState !== 'settled' || leadAt === null || partnerId === null) return false;
  const terms = currentTerms(program, now);
  return leadAt < terms.since || terms.rules.some(({ on }) => on === 'lead');
}

async function findFacts(ctx: LeadContext, tx: Queryable, leads: SignedUp[], now: Date): Promise<JudgedLead[]> {
  const rows = leads.map(({ program, customer }) => ({
    customerId: customer.id,
    programId: program.id,
    partnerId: customer.partnerId ?? 0,
    at: customer.leadAt ?? now,
  }));
  const standings = await listLeadStandings(tx, rows);
  const terms = await findTermsOfPayments(
    tx,
    leads.map(({ program }, index) => ({ program, paidAt: rows[index]!.at })),
    now,
  );
  return leads.flatMap((lead, index): JudgedLead[] => {
    const { customerId, partnerId, at } = rows[index]!;
    const standing = standings.find((found) => found.customerId === customerId);
    const hasRule = terms[index]!.rules.some(({ on }) => on === 'lead');
    if (!standing || standing.isPaid || standing.membershipStatus !== 'active' || !hasRule) return [];
    const facts = rewardFacts(lead, standing, partnerId, at);
    return [{ ...lead, partnerId, at, terms: terms[index]!, facts, isSelfReferral: isOwn(standing, ctx.emailSecret) }];
  });
}

function rewardFacts({ program }: SignedUp, standing: LeadStanding, partnerId: number, at: Date): RewardFacts {
  return {
    sale: null,
    at,
    partnerId,
    groupId: standing.groupId ?? program.defaultGroupId,
    recruiterId: standing.recruiterId === partnerId ? null : standing.recruiterId,
    period: 'first',
    firstSaleAt: null,
    paymentNumber: null,
  };
}

function isOwn({ emailIdentityHash, partnerEmail, accountEmail }: LeadStanding, secret: string): boolean {
  return belongToPartner([emailIdentityHash], [partnerEmail, accountEmail], secret);
}

const placeOf = ({ program, customer, at }: JudgedLead) => ({ programId: program.id, customerId: customer.id, at });

function commissionsOf(lead: JudgedLead, { own, override }: Rewards, now: Date): NewCommission[] {
  return [own, override].flatMap((reward: Reward | null) =>
    reward && reward.earned.cents > 0n
      ? [
          {
            ...commissionFrom(reward, lead.terms, lead.at),
            kind: reward.to === 'partner' ? ('lead' as const) : ('override' as const),
            saleId: null,
            customerId: lead.customer.id,
            linkId: reward.to === 'partner' ? lead.customer.linkId : null,
            programId: lead.program.id,
            holdReason: holdReasonOf(lead),
            termsFacts: storedFacts(lead.facts, [own, override]),
            createdAt: now,
          },
        ]
      : [],
  );
}

function holdReasonOf({ isSelfReferral, isClaim }: JudgedLead): HoldReason | null {
  if (isSelfReferral) return 'self_referral';
  return isClaim ? 'claimed_key' : null;
}

function creditOf({ program, customer, terms, isSelfReferral }: JudgedLead, { credit }: Rewards, now: Date) {
  if (!credit || isSelfReferral) return [];
  const granted = { programId: program.id, customerId: customer.id, saleId: null, termsVersion: terms.version };
  return [{ ...granted, ...credit, createdAt: now }];
}

function factsOf(lead: JudgedLead, rewards: Rewards): Record<string, unknown> {
  // The commission settings are about sales, so a lead that no rule matches has nothing to say.
  if (!rewards.own && !rewards.override) return {};
  return {
    ...termsFacts(lead.terms, rewards),
    commission_cents: rewards.own?.earned.cents.toString(),
    commission_currency: rewards.own?.earned.currency,
    hold_reason: holdReasonOf(lead) ?? undefined,
  };
}
