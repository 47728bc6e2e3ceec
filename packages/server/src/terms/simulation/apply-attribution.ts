import type { Attribution } from '@svc/contract';
import type { Queryable } from '../../db/db.ts';
import type { Program } from '../../programs/program.ts';
import { lastClickOf } from '../credited-click.ts';
import type { Terms } from '../terms.ts';
import { type FoundClick, listVisitorClicks } from '../visitor-click-store.ts';
import { type CreditedCustomer, listCreditedCustomers, listPlacementsAt } from './credit-store.ts';
import type { SimulatedEvent } from './simulated-event.ts';

/** Which click is proposed to be credited, and how to recognize partners who click their own links. */
export type ProposedCredit = { attribution: Attribution; isOwnClick: (click: FoundClick) => boolean };

const DAY_MS = 86_400_000;

/**
 * The events with the partners who would have been credited. Those of customers whose first conversion was decided by the proposed
 * rule already stay as they are, and so do those that a person or a coupon has decided.
 */
export async function creditEvents(
  db: Queryable,
  program: Program,
  events: SimulatedEvent[],
  versions: Terms[],
  proposed: ProposedCredit,
): Promise<SimulatedEvent[]> {
  // Mostly, all versions credit the same click.
  if (versions.every(({ attribution }) => attribution === proposed.attribution)) return events;
  const ids = [...new Set(events.map(({ customerId }) => customerId))];
  const customers = (await listCreditedCustomers(db, program.id, ids)).filter((customer) => {
    const at = firstConversion(customer);
    return at !== null && attributionAt(versions, at) !== proposed.attribution;
  });
  const credited =
    proposed.attribution === 'last'
      ? await lastPartners(db, program, customers, proposed)
      : new Map(customers.map((customer) => [customer.id, firstPartner(customer, program)]));
  const known = new Map(customers.map((customer) => [customer.id, customer]));
  const moved = events.filter(({ customerId, partnerId, at }) => {
    const since = known.get(customerId)?.assignedSince ?? null;
    return credited.has(customerId) && credited.get(customerId) !== partnerId && (since === null || at < since);
  });
  const places = await listPlacementsAt(
    db,
    program.id,
    moved.map(({ customerId, at }) => ({ partnerId: credited.get(customerId) ?? 0, at })),
  );
  const placeOf = new Map(moved.map((event, index) => [event, places[index]!]));
  return events.map((event) => {
    const place = placeOf.get(event);
    return place ? { ...event, credited: credited.get(event.customerId) === null ? null : place } : event;
  });
}

/** When it was decided which click is credited: at the signup or the first sale, whichever came first. */
function firstConversion({ leadAt, isSignupSettled, convertedAt }: CreditedCustomer): Date | null {
  const signedUpAt = isSignupSettled ? leadAt : null;
  if (signedUpAt && convertedAt) return signedUpAt < convertedAt ? signedUpAt : convertedAt;
  return signedUpAt ?? convertedAt;
}

function attributionAt(versions: Terms[], at: Date): Attribution | undefined {
  return (versions.findLast(({ since }) => since <= at) ?? versions[0])?.attribution;
}

/** The partner of the first click. Null if the click was too old, or its partner is not active. */
function firstPartner(customer: CreditedCustomer, { attributionWindowDays }: Program): number | null {
  const age = (firstConversion(customer)?.getTime() ?? 0) - customer.clickedAt.getTime();
  const counts = age <= attributionWindowDays * DAY_MS && customer.firstPartnerStatus === 'active';
  return counts ? customer.firstPartnerId : null;
}

/** The partners of last clicks. Customers whose first click stays credited are left out. */
async function lastPartners(
  db: Queryable,
  program: Program,
  customers: CreditedCustomer[],
  { isOwnClick }: ProposedCredit,
): Promise<Map<number, number | null>> {
  const visitors = customers.map((customer) => {
    const { id: customerId, clickedAt: firstAt, leadAt } = customer;
    const at = firstConversion(customer) ?? firstAt;
    return { customerId, programId: program.id, firstAt, until: leadAt && leadAt < at ? leadAt : at };
  });
  const found = await listVisitorClicks(db, visitors);
  return new Map(
    visitors.flatMap(({ customerId, firstAt }): [number, number | null][] => {
      const clicks = (found.get(customerId) ?? []).map((click) => ({ ...click, isOwn: isOwnClick(click) }));
      const { click } = lastClickOf(clicks, firstAt);
      return click ? [[customerId, click.partnerId]] : [];
    }),
  );
}
