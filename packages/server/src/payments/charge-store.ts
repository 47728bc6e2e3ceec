import type { Queryable } from '../db/db.ts';
import { IS_REAL_SALE } from '../sales/sale-store.ts';
import type { ChargeFact, DeductionFact, PaymentPart } from './processor-fact.ts';

/** Stores the latest state of a charge. Its links to a payment intent or invoice, once known, are never cleared. */
export async function upsertCharge(db: Queryable, programId: number, charge: ChargeFact): Promise<void> {
  await db.query(
    `insert into processor_charges as c
       (program_id, charge_id, payment_intent, invoice, amount_cents, refunded_cents, currency, as_of, uncaptured_cents)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (program_id, charge_id) do update set
       payment_intent = coalesce(c.payment_intent, excluded.payment_intent),
       invoice = coalesce(c.invoice, excluded.invoice),
       refunded_cents = case when (excluded.as_of, excluded.refunded_cents) > (c.as_of, c.refunded_cents)
         then excluded.refunded_cents else c.refunded_cents end,
       uncaptured_cents = greatest(c.uncaptured_cents, excluded.uncaptured_cents),
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
      charge.uncapturedCents ?? 0,
    ],
  );
}

/**
 * Stores a refund or dispute in its most final state, and since when, in whatever order its events arrive. A bank may raise the
 * amount of a dispute, so the largest one counts.
 */
export async function upsertDeduction(db: Queryable, programId: number, deduction: DeductionFact): Promise<void> {
  await db.query(
    `insert into processor_deductions as d
       (program_id, deduction_id, kind, charge_id, payment_intent, amount_cents, currency, state, made_at, state_at, tax_cents)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (program_id, deduction_id) do update set
       charge_id = coalesce(d.charge_id, excluded.charge_id),
       payment_intent = coalesce(d.payment_intent, excluded.payment_intent),
       amount_cents = case when abs(excluded.amount_cents) > abs(d.amount_cents)
         then excluded.amount_cents else d.amount_cents end,
       tax_cents = case when abs(excluded.amount_cents) > abs(d.amount_cents)
         then excluded.tax_cents else coalesce(d.tax_cents, excluded.tax_cents) end,
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
      deduction.taxCents ?? null,
    ],
  );
}

const finality = (row: string) => `array_position(array['standing', 'settled', 'undone'], ${row}.state)`;

/**
 * Stores that an invoice was paid outside of the processor, by the invoice itself: nothing else paid it, and its link is not
 * missing.
 */
export async function insertOwnLink(db: Queryable, programId: number, invoice: string): Promise<void> {
  await db.query(
    `insert into processor_payment_links (program_id, reference, transaction_id, amount_cents) values ($1, $2, $2, null)
     on conflict do nothing`,
    [programId, invoice],
  );
}

/** That a payment paid an invoice, and how much of it, where that is known. */
export type NewPaymentLink = PaymentPart & { programId: number; transactionId: string };

/** The links of an invoice to what paid it. It does not pay itself. */
export function linksOf(programId: number, transactionId: string, parts: PaymentPart[]): NewPaymentLink[] {
  return parts
    .filter(({ reference }) => reference !== transactionId)
    .map((part) => ({ ...part, programId, transactionId }));
}

/** Stores which payments paid which invoices. Nodes that store the same ones lock them in the same order. */
export async function upsertPaymentLinks(db: Queryable, links: NewPaymentLink[]): Promise<void> {
  if (links.length === 0) return;
  const rows = links.map(({ programId, reference, transactionId, amountCents }) => ({
    program_id: programId,
    reference,
    transaction_id: transactionId,
    amount_cents: amountCents,
  }));
  await db.query(
    `insert into processor_payment_links as l (program_id, reference, transaction_id, amount_cents)
     select program_id, reference, transaction_id, max(amount_cents)
     from json_populate_recordset(null::processor_payment_links, $1::json) group by 1, 2, 3 order by 1, 2, 3
     on conflict (program_id, reference, transaction_id) do update
       set amount_cents = greatest(l.amount_cents, excluded.amount_cents)
       where l.amount_cents is distinct from greatest(l.amount_cents, excluded.amount_cents)`,
    [JSON.stringify(rows)],
  );
}

export type PaymentLink = { reference: string; transactionId: string };

/** The payments and invoices that these references lead to: the invoices of a payment, and all that paid those. */
export function listPaymentLinks(db: Queryable, programId: number, references: string[]): Promise<PaymentLink[]> {
  return db.query<PaymentLink>(
    `with known as (
       select unnest($2::text[]) as id
       union
       select unnest(array[payment_intent, invoice]) from processor_charges
       where program_id = $1 and charge_id = any ($2::text[])
     ), payments as (
       select id from known
       union
       select l.reference from processor_payment_links l join known on known.id = l.transaction_id
       where l.program_id = $1
     )
     select l.reference, l.transaction_id as "transactionId"
     from processor_payment_links l join payments on payments.id = l.reference
     where l.program_id = $1
     union
     select id, id from known where id is not null
     order by 1, 2`,
    [programId, references],
  );
}

export type InvoiceShare = { reference: string; transactionId: string; amountCents: number };

/** How much each payment of a sale paid of every invoice that it paid. What is not known counts as the whole sale. */
export function listInvoiceShares(db: Queryable, programId: number, transactionId: string): Promise<InvoiceShare[]> {
  return db.query<InvoiceShare>(
    `select l.reference, l.transaction_id as "transactionId",
       coalesce(l.amount_cents, s.amount_cents, 0) as "amountCents"
     from processor_payment_links own
     join processor_payment_links l on l.program_id = own.program_id and l.reference = own.reference
     left join sales s on s.processor_event_id = l.transaction_id and s.program_id = l.program_id and not s.is_test
     where own.program_id = $1 and own.transaction_id = $2
     order by l.reference, l.transaction_id`,
    [programId, transactionId],
  );
}

const MAX_COUNTED = 200;

/**
 * How many payments of subscriptions have arrived without their invoice link since the last one that has one, of those that
 * had ten minutes for it. Their refunds and disputes cannot be matched. Looks back 30 days.
 */
export async function countUnlinkedInvoices(
  db: Queryable,
  programId: number,
  invoicePrefix: string,
  now: Date,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `with recent as (
       select s.created_at, exists (
         select 1 from processor_payment_links l
         where l.program_id = s.program_id and l.transaction_id = s.processor_event_id) as is_linked
       from sales s
       where s.program_id = $1 and s.subscription_stage is not null and not s.is_test
         and starts_with(s.processor_event_id, $3)
         and s.created_at > $2::timestamptz - interval '30 days' and s.created_at < $2::timestamptz - interval '10 minutes'
       order by s.created_at desc limit ${MAX_COUNTED}
     )
     select count(*) from recent
     where created_at > coalesce((select max(created_at) from recent where is_linked), '-infinity')`,
    [programId, now, invoicePrefix],
  );
  return row?.count ?? 0;
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

export type PaymentTraces = {
  /** Whether it is known under another id too. */
  hasOtherId: boolean;
  /** Whether something may have to be taken back of its sale, or given back. */
  isTouched: boolean;
};

/**
 * What is known about a payment besides its sale. Ask once the sale is committed: whoever stores something about the payment later
 * finds the sale.
 */
export async function findTraces(db: Queryable, programId: number, transactionId: string): Promise<PaymentTraces> {
  const [traces] = await db.query<PaymentTraces>(
    `with ${PAYMENT_REFERENCES}, touched as (
       select 1 from charges
       union all
       select 1 from paid_by join processor_deductions d on d.program_id = $1 and d.charge_id = paid_by.reference
       union all
       select 1 from paid_by join processor_deductions d on d.program_id = $1 and d.payment_intent = paid_by.reference
       union all
       select 1 from sales s where ${IS_REAL_SALE('$2')} and s.program_id = $1 and (s.refunded_cents <> 0 or s.disputed_cents <> 0)
     )
     select exists (
         select 1 from processor_payment_links
         where program_id = $1 and transaction_id = $2 and reference <> $2
         union all
         select 1 from processor_payment_links
         where program_id = $1 and reference = $2 and transaction_id <> $2) as "hasOtherId",
       exists (select 1 from touched) as "isTouched"`,
    [programId, transactionId],
  );
  return traces!;
}

export function listCharges(db: Queryable, programId: number, transactionId: string) {
  return db.query<Omit<ChargeFact, 'kind'>>(
    `with ${PAYMENT_REFERENCES}
     select charge_id as "chargeId", payment_intent as "paymentIntent", invoice, amount_cents as "amountCents",
       refunded_cents as "refundedCents", uncaptured_cents as "uncapturedCents", currency, as_of as "asOf" from charges order by charge_id`,
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
       amount_cents as "amountCents", tax_cents as "taxCents", currency, state, made_at as "madeAt", state_at as "stateAt"
     from found order by deduction_id`,
    [programId, transactionId],
  );
}

/** The ids of refunds and disputes of these payments. Shops choose them, so they may name the people who paid. */
export async function listDeductionIds(db: Queryable, programId: number, transactionIds: string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select deduction_id as id from processor_deductions where program_id = $1 and payment_intent = any ($2::text[])',
    [programId, transactionIds],
  );
  return rows.map(({ id }) => id);
}

/** Gives a refund or dispute an id that says nothing. */
export async function updateDeductionId(db: Queryable, programId: number, id: string): Promise<void> {
  await db.query(
    `update processor_deductions set deduction_id = 'erased-' || kind || '-' || gen_random_uuid()
     where program_id = $1 and deduction_id = $2`,
    [programId, id],
  );
}

/** Replaces the id of a payment that refunds and disputes name. */
export async function updateDeductedPayment(db: Queryable, programId: number, from: string, to: string): Promise<void> {
  await db.query('update processor_deductions set payment_intent = $3 where program_id = $1 and payment_intent = $2', [
    programId,
    from,
    to,
  ]);
}
