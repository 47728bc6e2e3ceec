import type { Queryable } from '../db/db.ts';
import type { ChargeFact, DeductionFact } from './processor-fact.ts';

/** Stores the latest state of a charge. Its links to a payment intent or invoice, once known, are never cleared. */
export async function upsertCharge(db: Queryable, programId: number, charge: ChargeFact): Promise<void> {
  await db.query(
    `insert into processor_charges as c
       (program_id, charge_id, payment_intent, invoice, amount_cents, refunded_cents, currency, as_of)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (program_id, charge_id) do update set
       payment_intent = coalesce(c.payment_intent, excluded.payment_intent),
       invoice = coalesce(c.invoice, excluded.invoice),
       refunded_cents = case when (excluded.as_of, excluded.refunded_cents) > (c.as_of, c.refunded_cents)
         then excluded.refunded_cents else c.refunded_cents end,
       as_of = greatest(c.as_of, excluded.as_of)`,
    [
      programId,
      charge.chargeId,
      charge.paymentIntent,
      charge.invoice,
      charge.amountCents,
      charge.refundedCents,
      charge.currency,
      charge.asOf,
    ],
  );
}

/** Stores a refund or dispute in its most final state, and since when, in whatever order its events arrive. */
export async function upsertDeduction(db: Queryable, programId: number, deduction: DeductionFact): Promise<void> {
  await db.query(
    `insert into processor_deductions as d
       (program_id, deduction_id, kind, charge_id, payment_intent, amount_cents, currency, state, made_at, state_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (program_id, deduction_id) do update set
       charge_id = coalesce(d.charge_id, excluded.charge_id),
       payment_intent = coalesce(d.payment_intent, excluded.payment_intent),
       state = case when ${finality('excluded')} > ${finality('d')} then excluded.state else d.state end,
       state_at = case sign(${finality('excluded')} - ${finality('d')})
         when 1 then excluded.state_at when 0 then least(excluded.state_at, d.state_at) else d.state_at end`,
    [
      programId,
      deduction.id,
      deduction.kind,
      deduction.chargeId,
      deduction.paymentIntent,
      deduction.amountCents,
      deduction.currency,
      deduction.state,
      deduction.madeAt,
      deduction.stateAt,
    ],
  );
}

const finality = (row: string) => `array_position(array['standing', 'settled', 'undone'], ${row}.state)`;

/** Stores which payments paid for a sale. */
export async function insertPaymentLinks(
  db: Queryable,
  programId: number,
  references: string[],
  transactionId: string,
): Promise<void> {
  await db.query(
    `insert into processor_payment_links (program_id, reference, transaction_id)
     select $1, reference, $3 from (select distinct unnest($2::text[]) as reference) r
     where reference <> $3 order by reference on conflict do nothing`,
    [programId, references, transactionId],
  );
}

/** The transaction id of the recorded sale that one of these references paid for. */
export async function findPaidTransaction(
  db: Queryable,
  programId: number,
  references: string[],
): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    `with known as (
       select unnest($2::text[]) as reference
       union
       select unnest(array[payment_intent, invoice]) from processor_charges
       where program_id = $1 and charge_id = any ($2::text[])
     ), candidates as (
       select reference from known
       union
       select l.transaction_id from processor_payment_links l join known on known.reference = l.reference
       where l.program_id = $1
     )
     select t.processor_event_id as id from candidates
     join transactions t on t.processor_event_id = candidates.reference and t.program_id = $1
     order by 1 limit 1`,
    [programId, references],
  );
  return row?.id ?? null;
}

const PAYMENT_REFERENCES = `
  paid_by as (
    select $2::text as reference
    union
    select reference from processor_payment_links where program_id = $1 and transaction_id = $2
  ), charges as (
    select c.* from processor_charges c join paid_by on paid_by.reference = c.charge_id where c.program_id = $1
    union
    select c.* from processor_charges c join paid_by on paid_by.reference = c.payment_intent where c.program_id = $1
    union
    select c.* from processor_charges c join paid_by on paid_by.reference = c.invoice where c.program_id = $1
  )`;

export function listCharges(db: Queryable, programId: number, transactionId: string) {
  return db.query<Omit<ChargeFact, 'kind'>>(
    `with ${PAYMENT_REFERENCES}
     select charge_id as "chargeId", payment_intent as "paymentIntent", invoice, amount_cents as "amountCents",
       refunded_cents as "refundedCents", currency, as_of as "asOf" from charges order by charge_id`,
    [programId, transactionId],
  );
}

export function listDeductions(db: Queryable, programId: number, transactionId: string): Promise<DeductionFact[]> {
  return db.query<DeductionFact>(
    `with ${PAYMENT_REFERENCES}, everything as (
       select reference from paid_by
       union select charge_id from charges
       union select payment_intent from charges
     ), found as (
       select d.* from processor_deductions d join everything e on e.reference = d.charge_id where d.program_id = $1
       union
       select d.* from processor_deductions d join everything e on e.reference = d.payment_intent where d.program_id = $1
     )
     select deduction_id as id, kind, charge_id as "chargeId", payment_intent as "paymentIntent",
       amount_cents as "amountCents", currency, state, made_at as "madeAt", state_at as "stateAt"
     from found order by deduction_id`,
    [programId, transactionId],
  );
}
