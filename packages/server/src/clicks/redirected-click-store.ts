import type { ClickId } from '../customers/click-id.ts';
import type { Queryable } from '../db/db.ts';

type RedirectedClick = {
  programId: number;
  linkId: number;
  visitor: ClickId;
  redirected: ClickId;
  /** Whether a server of the brand passed the report on. */
  isRelayed: boolean;
};

/**
 * Gives the click of a redirect to the visitor who made it, and returns its id; also if it is theirs already. From then on it counts
 * as reported. Null if it is not there, or if its own id is in use: then somebody else came through the same address.
 */
export async function updateVisitor(
  db: Queryable,
  { programId, linkId, visitor, redirected, isRelayed }: RedirectedClick,
): Promise<number | null> {
  const [click] = await db.query<{ id: number }>(
    `with visitor as (
       select id, is_test from customers where id = $3 and clicked_at = $4 and program_id = $1 and erased_at is null
     ), moved as (
       update clicks k set customer_id = v.id, is_relayed = $7 from visitor v, customers r
       where not v.is_test and r.id = $5 and r.clicked_at = $6 and r.program_id = $1 and r.id <> v.id and r.status = 'click' and r.lead_at is null
         and r.customer_key is null and r.claimed_customer_key is null and r.erased_at is null
         and k.customer_id = r.id and k.clicked_at = $6 and k.program_id = $1 and k.link_id = $2
         and not exists (select from clicks later where later.customer_id = r.id and later.clicked_at > $6)
       returning k.id
     ), own as (
       update clicks k set is_relayed = $7 from visitor v
       where k.customer_id = v.id and k.clicked_at = $6 and k.program_id = $1 and k.link_id = $2
       returning k.id
     )
     select id from moved union all select id from own limit 1`,
    [programId, linkId, visitor.customerId, visitor.clickedAt, redirected.customerId, redirected.clickedAt, isRelayed],
  );
  return click?.id ?? null;
}
