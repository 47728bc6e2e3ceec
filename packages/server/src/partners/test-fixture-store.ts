import type { Queryable } from '../db/db.ts';

export type TestFixture = { partnerId: number; shortLink: string };

/** Creates or resets the test partner and link that a program's synthetic chains use, and says whether the link is new. */
export async function ensureTestFixture(
  db: Queryable,
  program: { id: number; workspaceId: number },
  now: Date,
): Promise<{ fixture: TestFixture; isNew: boolean }> {
  const [row] = await db.query<TestFixture & { isNew: boolean }>(
    `with partner as (
       insert into partners (advertiser_id, name, email, is_test, created_at)
       values ($2, 'Test partner', 'test-partner+' || $1::bigint || '@svc.invalid', true, $3)
       on conflict (advertiser_id, lower(email)) do update set is_test = true, user_id = null, name = excluded.name
       returning id
     ), membership as (
       insert into memberships (program_id, partner_id, created_at) select $1::bigint, id, $3 from partner
       on conflict (program_id, partner_id) do update set status = 'active'
     )
     insert into links (short_link, program_id, partner_id, is_test, created_at)
     select 'svc-test-' || $1::bigint, $1::bigint, id, true, $3 from partner
     on conflict (short_link) do update
       set active = true, program_id = excluded.program_id, partner_id = excluded.partner_id
     returning partner_id as "partnerId", short_link as "shortLink", xmax = 0 as "isNew"`,
    [program.id, program.workspaceId, now],
  );
  const { isNew, ...fixture } = row as TestFixture & { isNew: boolean };
  return { fixture, isNew };
}
