import type { Queryable } from '../db/db.ts';

/** Which visitors are looked at next, and until when they must have clicked last. */
export type IdleVisitors = { afterId: number; limit: number; clickedBefore: Date; now: Date };

/**
 * Removes visitors who clicked and never did anything else, once none of their clicks is left and no event could still be
 * credited by them. Looks at the customers after an id and returns the last one it looked at; null at the end.
 */
export async function deleteIdleVisitors(
  db: Queryable,
  { afterId, limit, clickedBefore, now }: IdleVisitors,
): Promise<{ lastId: number | null; removed: number }> {
  const [done] = await db.query<{ lastId: number | null; removed: number }>(
    `with looked_at as (
       select id from customers where id > $1 order by id limit $2
     ), idle as (
       select c.id from looked_at l join customers c on c.id = l.id join programs p on p.id = c.program_id
       where c.clicked_at < $3
         and c.clicked_at < $4::timestamptz - make_interval(days => greatest(p.cookie_window_days, p.attribution_window_days) + 1)
         and c.status = 'click' and c.customer_key is null and c.claimed_customer_key is null and c.email_hash is null
         and c.email_identity_hash is null and c.lead_at is null and c.converted_at is null and c.assigned_at is null
         and c.imported_at is null and c.erased_at is null
         and not exists (select from clicks k where k.customer_id = c.id)
         and not exists (select from sales s where s.customer_id = c.id)
         and not exists (select from commissions m where m.customer_id = c.id)
         and not exists (select from customer_credits g where g.customer_id = c.id)
         and not exists (select from processor_identities i where i.customer_id = c.id)
         and not exists (select from decisions d where d.customer_id = c.id)
     ), removed as (
       delete from customers c using idle i
       where c.id = i.id and c.status = 'click' and c.customer_key is null and c.lead_at is null and c.erased_at is null
         and c.claimed_customer_key is null and c.assigned_at is null
       returning c.id
     )
     select (select max(id) from looked_at) as "lastId", (select count(*) from removed) as removed`,
    [afterId, limit, clickedBefore, now],
  );
  return done as { lastId: number | null; removed: number };
}
