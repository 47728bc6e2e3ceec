import type { Queryable } from '../../db/db.ts';
import type { AgedSignups } from './click-ages.ts';

type Period = { from: Date; to: Date; partnerId: number | null; limit: number };

/** The latest signups of customers who came through a link. Clicks whose month is gone have no browser. */
export function findAgedSignups(
  db: Queryable,
  programId: number,
  { from, to, partnerId, limit }: Period,
): Promise<AgedSignups[]> {
  return db.query<AgedSignups>(
    `select k.user_agent as "userAgent", coalesce(k.is_relayed, false) as "isRelayed",
       greatest(0, floor(extract(epoch from c.lead_at - c.clicked_at) / 86400))::int as days, count(*) as signups
     from (
       select id, clicked_at, lead_at from customers
       where program_id = $1 and lead_at >= $2 and lead_at < $3 and lead_at is not null and clicked_at is not null
         and not is_test and ($4::bigint is null or partner_id = $4)
       order by lead_at desc, id desc limit $5) c
     left join lateral (
       select user_agent, is_relayed from clicks
       where customer_id = c.id and program_id = $1 and clicked_at = c.clicked_at order by id limit 1) k on true
     group by 1, 2, 3`,
    [programId, from, to, partnerId, limit],
  );
}
