import { couponKey, type Found, type SearchedKind } from '@svc/contract';
import type { Queryable } from '../../db/db.ts';
import { type Condition, inProgram, type ProgramScope, prefixBounds, whereClause } from '../../db/lists/list-query.ts';

/** What is searched for. Customers are also found by the hash of their email. */
export type Sought = { text: string; emailHash?: string };

type Search = (db: Queryable, scope: ProgramScope, sought: Sought, limit: number) => Promise<Omit<Found, 'kind'>[]>;

/**
 * How each kind is found. All but partners, of whom a program has few, are found in a part of an index that begins with the
 * program, and no statement reads more of it than it returns.
 */
export const SEARCHES: Record<SearchedKind, Search> = {
  partner: (db, { programId }, { text }, limit) =>
    db.query(
      `select p.id, p.name, p.email as detail from memberships m join partners p on p.id = m.partner_id
       where m.program_id = $1 and not p.is_test and strpos(lower(p.name || ' ' || p.email), lower($2)) > 0
       order by m.id desc limit $3`,
      [programId, text, limit],
    ),

  // Sales of earlier releases are known only by the id that they were recorded with, which has to be complete.
  order: (db, { programId }, { text }, limit) => {
    const [from, to] = prefixBounds(text);
    return db.query(
      `select s.id, s.processor_event_id as name, p.name as detail
       from (
         (select sale_id from transactions
          where program_id = $1 and processor_event_id >= $2 and processor_event_id < $3 and test_program_id = 0
          order by processor_event_id limit $5)
         union
         (select id from sales where program_id = $1 and processor_event_id = $4 and not is_test)
       ) t join sales s on s.id = t.sale_id and s.program_id = $1 left join partners p on p.id = s.partner_id
       order by s.processor_event_id limit $5`,
      [programId, from, to, text, limit],
    );
  },

  customer: (db, { programId }, { text, emailHash }, limit) => {
    const [from, to] = prefixBounds(text);
    return db.query(
      `select c.id, coalesce(c.customer_key, c.email_masked) as name, p.name as detail
       from (
         (select id from customers where program_id = $1 and email_hash = $4 and not is_test order by id desc limit $5)
         union
         (select id from customers where program_id = $1 and customer_key >= $2 and customer_key < $3 and not is_test
          order by customer_key limit $5)
       ) found join customers c on c.id = found.id left join partners p on p.id = c.partner_id
       where coalesce(c.customer_key, c.email_masked) is not null
       order by c.customer_key limit $5`,
      [programId, from, to, emailHash ?? null, limit],
    );
  },

  link: (db, scope, { text }, limit) => {
    const params: unknown[] = [];
    const own = inProgram({ program: 'l.program_id', partner: 'l.partner_id' }, scope);
    const named = startsWith('lower(l.short_link)', text.toLowerCase());
    const where = whereClause(
      { scope: [...own, ['not l.is_test'], ['l.deleted_at is null']], filters: [named] },
      params,
    );
    params.push(limit);
    return db.query(
      `select l.id, l.short_link as name, p.name as detail from links l left join partners p on p.id = l.partner_id
       ${where} order by lower(l.short_link) limit $${params.length}`,
      params,
    );
  },

  coupon: (db, scope, { text }, limit) => {
    const params: unknown[] = [];
    const own = inProgram({ program: 'k.program_id', partner: 'k.partner_id' }, scope);
    const where = whereClause({ scope: own, filters: [startsWith('k.code_key', couponKey(text))] }, params);
    params.push(limit);
    return db.query(
      `select k.id, k.code as name, p.name as detail from coupons k join partners p on p.id = k.partner_id
       ${where} order by k.code_key limit $${params.length}`,
      params,
    );
  },
};

function startsWith(column: string, prefix: string): Condition {
  return [`${column} >= ? and ${column} < ?`, ...prefixBounds(prefix)];
}
