import type { Queryable } from '../db/db.ts';
import { MAX_VISITOR_CLICKS, type VisitorClick } from './credited-click.ts';

/** A visitor, and until when their clicks are asked for. */
export type AskedVisitor = { customerId: number; programId: number; firstAt: Date; until: Date };

/** A stored click with the addresses of its partner, to recognize partners who click their own links. */
export type FoundClick = Omit<VisitorClick, 'isOwn'> & {
  customerId: number;
  partnerEmail: string | null;
  accountEmail: string | null;
  /** Of the visitor: see `hashEmailIdentity`. */
  emailIdentityHash: string | null;
};

// One more than may count, so that too many of them are noticed. Clicks of a visitor are indexed, and the times choose the months.
const LIST_CLICKS = `
  select i.customer_id as "customerId", k.clicked_at as "clickedAt", k.link_id as "linkId", k.partner_id as "partnerId", k.sub,
    k.user_agent as "userAgent", m.id as "membershipId", m.status as "membershipStatus", p.email as "partnerEmail",
    u.email as "accountEmail", c.email_identity_hash as "emailIdentityHash"
  from json_to_recordset($1::json) as i(customer_id bigint, program_id bigint, first_at timestamptz, until timestamptz)
  join customers c on c.id = i.customer_id and c.program_id = i.program_id
  cross join lateral (
    select * from clicks k
    where k.customer_id = i.customer_id and k.program_id = i.program_id and not k.is_test
      and k.clicked_at >= i.first_at and k.clicked_at <= i.until
    order by k.clicked_at desc, k.id desc limit ${MAX_VISITOR_CLICKS + 1}) k
  left join memberships m on m.program_id = i.program_id and m.partner_id = k.partner_id
  left join partners p on p.id = k.partner_id
  left join users u on u.id = p.user_id
  order by i.customer_id, k.clicked_at, k.id`;

/** The clicks of visitors from their first one on, by customer, oldest first. */
export async function listVisitorClicks(db: Queryable, visitors: AskedVisitor[]): Promise<Map<number, FoundClick[]>> {
  if (visitors.length === 0) return new Map();
  const rows = visitors.map(({ customerId, programId, firstAt, until }) => ({
    customer_id: customerId,
    program_id: programId,
    first_at: firstAt,
    until,
  }));
  const clicks = await db.query<FoundClick>(LIST_CLICKS, [JSON.stringify(rows)]);
  const byCustomer = new Map<number, FoundClick[]>();
  for (const click of clicks) {
    const others = byCustomer.get(click.customerId);
    if (others) others.push(click);
    else byCustomer.set(click.customerId, [click]);
  }
  return byCustomer;
}
