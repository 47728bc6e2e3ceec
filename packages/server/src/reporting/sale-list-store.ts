import type { Queryable } from '../db/db.ts';

export type ListedSale = {
  id: number;
  transactionId: string;
  customerKey: string | null;
  partnerId: number | null;
  amountCents: number;
  currency: string;
  refundedCents: number;
  createdAt: Date;
};

export type SaleFilter = {
  partnerId: number | null;
  customerKey?: string;
  transactionId?: string;
  from?: Date;
  to?: Date;
  beforeId: number | null;
  limit: number;
};

export function listSales(db: Queryable, programId: number, filter: SaleFilter): Promise<ListedSale[]> {
  return db.query<ListedSale>(
    `select s.id, s.processor_event_id as "transactionId", c.customer_key as "customerKey",
       s.partner_id as "partnerId", s.amount_cents as "amountCents", s.currency,
       s.refunded_cents as "refundedCents", s.created_at as "createdAt"
     from sales s left join customers c on c.id = s.customer_id
     where s.program_id = $1 and not s.is_test and ($2::bigint is null or s.partner_id = $2)
       and ($3::text is null or c.customer_key = $3) and ($4::text is null or s.processor_event_id = $4)
       and ($5::timestamptz is null or s.created_at >= $5) and ($6::timestamptz is null or s.created_at < $6)
       and ($7::bigint is null or s.id < $7)
     order by s.id desc limit $8`,
    [
      programId,
      filter.partnerId,
      filter.customerKey ?? null,
      filter.transactionId ?? null,
      filter.from ?? null,
      filter.to ?? null,
      filter.beforeId,
      filter.limit,
    ],
  );
}
