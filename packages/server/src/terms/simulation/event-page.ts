import type { ActualCommission, SimulatedEvent } from './simulated-event.ts';

/** Where a page begins: after the row with this time and id. The time is as exact as the database has it. */
export type PageStart = { at: string; id: number };

/** Events in the order in which they happened, and where the next page begins. Null after the last one. */
export type EventPage = { events: SimulatedEvent[]; next: PageStart | null };

// The database sends a page as one text of JSON, a line of columns per row. Rows would be read one column at a time, which takes
// longer than simulating them.

/** The columns of a commission `c`, in the order of `CommissionColumns`. */
export const COMMISSION_COLUMNS =
  "c.partner_id, c.commission_cents, c.currency, c.stage = 'rejected', c.terms_version, c.rule";

export type CommissionColumns = [
  partnerId: number,
  cents: number,
  currency: string,
  isRejected: boolean,
  version: number | null,
  rule: number | null,
];

export function actualCommission(columns: CommissionColumns): ActualCommission {
  const [partnerId, cents, currency, isRejected, version, rule] = columns;
  return { partnerId, cents, currency, isRejected, version, rule };
}

/** Where a partner stood at a time, if nothing was stored with the sale or lead. */
export const placementAt = (partner: string, at: string) => `
  left join lateral (
    select group_id, recruiter_id from partner_placements l
    where l.program_id = $1 and l.partner_id = ${partner} and l.since <= ${at}
    order by l.since desc, l.id desc limit 1) l on true`;
