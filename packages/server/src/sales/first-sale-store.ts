import type { Queryable } from '../db/db.ts';

export type PartnerSale = { programId: number; partnerId: number; saleId: number };

/** Those of the sales before which their partner had none in the program. */
export async function findFirstSales(db: Queryable, sales: PartnerSale[]): Promise<Set<number>> {
  const rows = await db.query<{ saleId: number }>(
    `select i.sale_id as "saleId" from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as i (program_id, partner_id, sale_id)
     where case
       -- A partner with sales in other programs has many rows to look through. Most are answered by the totals.
       when exists (
         select from counts t
         where t.program_id = i.program_id and t.span = 'link' and t.day is null and t.partner_id = i.partner_id and t.sales > 0) then false
       else not exists (
         select from sales s
         where s.program_id = i.program_id and s.partner_id = i.partner_id and s.id < i.sale_id and not s.is_test) end`,
    [
      sales.map(({ programId }) => programId),
      sales.map(({ partnerId }) => partnerId),
      sales.map(({ saleId }) => saleId),
    ],
  );
  return new Set(rows.map(({ saleId }) => saleId));
}
