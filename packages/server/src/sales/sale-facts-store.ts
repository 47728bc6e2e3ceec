import { couponKey, type MembershipStatus } from '@svc/contract';
import { CUSTOMER_COLUMNS_THEN, earlierAttribution } from '../customers/attribution-store.ts';
import { IS_KEY_OF_CLAIM } from '../customers/claimed-key-store.ts';
import { parseClickId } from '../customers/click-id.ts';
import type { Customer } from '../customers/customer.ts';
import { belongToPartner } from '../customers/self-referral.ts';
import type { Queryable } from '../db/db.ts';
import { columnValues, rowsOfColumns } from '../db/row-columns.ts';
import type { FoundCoupon } from './coupon-credit.ts';
import type { NewSale, SaleAttempt, SaleFacts } from './sale.ts';

/**
 * Joins to a membership `m` the group and the recruiter that the partner had at a time, or has now if the time is null. A
 * recruiter who is not active is left out.
 */
const placementJoins = (at: string) => `
  left join lateral (
    select m.group_id, m.recruiter_id where ${at} is null
    union all (
      select l.group_id, l.recruiter_id from partner_placements l
      where ${at} is not null and l.program_id = m.program_id and l.partner_id = m.partner_id and l.since <= ${at}
      order by l.since desc, l.id desc limit 1)) placed on true
  left join memberships r on r.program_id = m.program_id and r.partner_id = placed.recruiter_id and r.status = 'active'`;

/** By what sales name their customers. */
const IDENTIFIERS = {
  position: 'integer',
  program_id: 'bigint',
  customer_id: 'bigint',
  customer_key: 'text',
  click_customer_id: 'bigint',
  clicked_at: 'timestamptz',
  is_test: 'boolean',
  paid_at: 'timestamptz',
} as const;

// The program's holder of the key takes precedence over the customer of the click. Test sales find only test customers, and
// real sales only real ones. A payment with a time of its own finds the partner whom the customer belonged to then, and the group
// and the recruiter that this partner had. A key that only a page claims is confirmed by the click of the claim.
const FIND_FACTS = `
  with input as (
    select ${rowsOfColumns(IDENTIFIERS)}
  ), found as (
    select i.position, i.paid_at, c.email_identity_hash as "emailIdentityHash", c.partner_id as "holderId",
      c.assigned_at as "heldSince",
      by_key.id is not null and (i.click_customer_id, i.clicked_at) is distinct from (c.id, c.clicked_at)
        and ${IS_KEY_OF_CLAIM} as "isKeyFromPage",
      ${CUSTOMER_COLUMNS_THEN}
    from input i
    left join customers by_key on by_key.program_id = i.program_id and by_key.customer_key = i.customer_key
      and by_key.is_test = i.is_test and i.customer_id is null
    join customers c on c.id = coalesce(i.customer_id, by_key.id, i.click_customer_id) and c.is_test = i.is_test
      and (i.customer_id is not null or by_key.id is not null or c.clicked_at = i.clicked_at)
    ${earlierAttribution('i.paid_at')}
  )
  select found.*, m.status as "membershipStatus", p.id is not null as "partnerExists", p.email as "partnerEmail",
    u.email as "accountEmail", placed.group_id as "groupId", r.partner_id as "recruiterId"
  from found
  left join memberships m on m.id = found."membershipId" and m.program_id = found."programId"
  ${placementJoins('found.paid_at')}
  left join partners p on p.id = found."partnerId"
  left join users u on u.id = p.user_id`;

// Only for keys that no customer of the program holds: whether another program of the same workspace knows them.
const FIND_ELSEWHERE = `
  select i.position
  from json_to_recordset($1::json) as i(position int, program_id bigint, customer_key text)
  where exists (
    select 1 from programs own
    join programs sister on sister.advertiser_id = own.advertiser_id and sister.id <> own.id
    join customers c on c.program_id = sister.id and c.customer_key = i.customer_key and not c.is_test
    where own.id = i.program_id)`;

// Only for sales without a customer: whether they are of a visitor of the program's test link.
const FIND_TESTED = `
  select i.position
  from json_to_recordset($1::json) as i(
    position int, program_id bigint, customer_key text, click_customer_id bigint, clicked_at timestamptz)
  left join customers by_key on by_key.program_id = i.program_id and by_key.customer_key = i.customer_key and by_key.is_test
  join customers c on c.id = coalesce(by_key.id, i.click_customer_id) and c.program_id = i.program_id and c.is_test
    and (by_key.id is not null or c.clicked_at = i.clicked_at)
  join links l on l.id = c.link_id and l.is_test`;

type Row = Customer & {
  position: number;
  membershipStatus: MembershipStatus | null;
  partnerExists: boolean;
  emailIdentityHash: string | null;
  isKeyFromPage: boolean;
  partnerEmail: string | null;
  accountEmail: string | null;
  groupId: number | null;
  recruiterId: number | null;
  holderId: number | null;
  heldSince: Date | null;
  paid_at: unknown;
};

const NOTHING_FOUND: SaleFacts = {
  customer: null,
  holder: null,
  foundElsewhere: false,
  membershipStatus: null,
  partnerExists: false,
  emailIdentityHash: null,
  isSelfReferral: false,
  isKeyFromPage: false,
  groupId: null,
  recruiterId: null,
};

/** Looks up the customers of many sales in one round trip, or in a few if some are unknown. */
export async function findSaleFacts(db: Queryable, attempts: SaleAttempt[], emailSecret: string): Promise<SaleFacts[]> {
  const facts = await findByIdentifiers(db, attempts, emailSecret);
  if (facts.every(({ customer }) => customer !== null)) return facts;
  const inputs = attempts.map(inputOf);
  const unknown = inputs.filter(
    ({ position, customer_key, is_test }) =>
      !facts[position]?.customer && !facts[position]?.foundElsewhere && customer_key && !is_test,
  );
  if (unknown.length > 0) {
    for (const { position } of await db.query<{ position: number }>(FIND_ELSEWHERE, [JSON.stringify(unknown)])) {
      facts[position] = { ...NOTHING_FOUND, foundElsewhere: true };
    }
  }
  const nobody = inputs.filter(
    ({ position, is_test }) => !facts[position]?.customer && !is_test && attempts[position]?.sale.source === 'api',
  );
  if (nobody.length === 0) return facts;
  const tested = await db.query<{ position: number }>(FIND_TESTED, [JSON.stringify(nobody)]);
  if (tested.length === 0) return facts;
  const tests = tested.map(({ position }) => asTest(attempts[position]!));
  for (const [index, found] of (await findByIdentifiers(db, tests, emailSecret)).entries()) {
    facts[tested[index]!.position] = { ...found, isFromTestLink: true };
  }
  return facts;
}

/** What is known about the customers whom the sales name, tests apart from real ones. */
async function findByIdentifiers(db: Queryable, attempts: SaleAttempt[], emailSecret: string): Promise<SaleFacts[]> {
  const facts = attempts.map(() => NOTHING_FOUND);
  for (const { position, ...row } of await db.query<Row>(
    FIND_FACTS,
    columnValues(IDENTIFIERS, attempts.map(inputOf)),
  )) {
    const { program, sale } = attempts[position]!;
    facts[position] =
      row.programId === program.id ? factsOf(row, sale, emailSecret) : { ...NOTHING_FOUND, foundElsewhere: true };
  }
  return facts;
}

function inputOf({ program, sale }: SaleAttempt, position: number) {
  const click = parseClickId(sale.clickId);
  return {
    position,
    program_id: program.id,
    customer_id: sale.customerId,
    customer_key: sale.customerKey,
    click_customer_id: click?.customerId,
    clicked_at: click?.clickedAt,
    is_test: sale.isTest,
    paid_at: sale.paidAt,
  };
}

const asTest = ({ program, sale }: SaleAttempt): SaleAttempt => ({ program, sale: { ...sale, isTest: true } });

function factsOf(row: Omit<Row, 'position'>, sale: NewSale, emailSecret: string): SaleFacts {
  const { membershipStatus, partnerExists, emailIdentityHash, partnerEmail, accountEmail, ...rest } = row;
  const { isKeyFromPage, groupId, recruiterId, holderId, heldSince, paid_at: _, ...customer } = rest;
  const holder = { id: customer.id, partnerId: holderId, assignedAt: heldSince };
  const buyer = [emailIdentityHash, sale.emailIdentityHash];
  const isSelfReferral = belongToPartner(buyer, [partnerEmail, accountEmail], emailSecret);
  const found = { customer, holder, foundElsewhere: false, membershipStatus, partnerExists, emailIdentityHash };
  return { ...found, isSelfReferral, isKeyFromPage, groupId, recruiterId };
}

/** Where a partner stood in the program when a sale was paid. */
export type Standing = Pick<SaleFacts, 'membershipStatus' | 'groupId' | 'recruiterId'> & {
  /** The addresses of the partner and of their account. */
  partnerEmails: (string | null)[];
};

const FIND_STANDINGS = `
  select i.position, m.status as "membershipStatus", p.email as "partnerEmail", u.email as "accountEmail",
    placed.group_id as "groupId", r.partner_id as "recruiterId"
  from json_to_recordset($1::json) as i(position int, program_id bigint, partner_id bigint, paid_at timestamptz)
  join memberships m on m.program_id = i.program_id and m.partner_id = i.partner_id
  join partners p on p.id = m.partner_id
  left join users u on u.id = p.user_id
  ${placementJoins('i.paid_at')}`;

type StandingRow = Omit<Standing, 'partnerEmails'> & {
  position: number;
  partnerEmail: string | null;
  accountEmail: string | null;
};

/** Where partners stood when sales were paid, in the same order. Nothing is read if none is asked for. */
export async function findStandings(
  db: Queryable,
  asked: { programId: number; partnerId: number | null; paidAt: Date | undefined }[],
): Promise<(Standing | null)[]> {
  const named = asked.flatMap(({ programId, partnerId, paidAt }, position) =>
    partnerId === null ? [] : [{ position, program_id: programId, partner_id: partnerId, paid_at: paidAt }],
  );
  const found: (Standing | null)[] = asked.map(() => null);
  if (named.length === 0) return found;
  for (const { position, partnerEmail, accountEmail, ...standing } of await db.query<StandingRow>(FIND_STANDINGS, [
    JSON.stringify(named),
  ])) {
    found[position] = { ...standing, partnerEmails: [partnerEmail, accountEmail] };
  }
  return found;
}

const FIND_COUPONS = `
  select i.position, k.partner_id as "partnerId", m.id as "membershipId", m.status as "membershipStatus",
    k.active as "isActive", p.email as "partnerEmail", u.email as "accountEmail", placed.group_id as "groupId",
    r.partner_id as "recruiterId"
  from json_to_recordset($1::json) as i(position int, program_id bigint, code_key text, paid_at timestamptz)
  join coupons k on k.program_id = i.program_id and k.code_key = i.code_key
  join memberships m on m.program_id = k.program_id and m.partner_id = k.partner_id
  join partners p on p.id = k.partner_id
  left join users u on u.id = p.user_id
  ${placementJoins('i.paid_at')}`;

type CouponRow = Omit<FoundCoupon, 'partnerEmails'> & {
  position: number;
  membershipStatus: MembershipStatus;
  partnerEmail: string | null;
  accountEmail: string | null;
};

/** The coupons that the sales name, in the same order. Nothing is read if no sale names one. */
export async function findSaleCoupons(db: Queryable, attempts: SaleAttempt[]): Promise<(FoundCoupon | null)[]> {
  const named = attempts.flatMap(({ program, sale }, position) =>
    sale.couponCode === undefined
      ? []
      : [{ position, program_id: program.id, code_key: couponKey(sale.couponCode), paid_at: sale.paidAt }],
  );
  const found: (FoundCoupon | null)[] = attempts.map(() => null);
  if (named.length === 0) return found;
  for (const { position, partnerEmail, accountEmail, ...coupon } of await db.query<CouponRow>(FIND_COUPONS, [
    JSON.stringify(named),
  ])) {
    found[position] = { ...coupon, partnerEmails: [partnerEmail, accountEmail] };
  }
  return found;
}

/** How many payments of each customer are recorded. Customers without one are not among them. */
export async function countPayments(db: Queryable, customerIds: number[]): Promise<Map<number, number>> {
  const rows = await db.query<{ customerId: number; count: number }>(
    `select customer_id as "customerId", count(*) as count from sales
     where customer_id = any ($1::bigint[]) and not is_test group by 1`,
    [customerIds],
  );
  return new Map(rows.map(({ customerId, count }) => [customerId, count]));
}
