import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { couponCode } from '../../values/coupon-code.ts';
import { expand } from '../expand.ts';
import {
  flag,
  idFilter,
  listQuery,
  managed,
  manyCounted,
  one,
  PROGRAM,
  partnerId,
  searchFilter,
  shared,
  sharedRow,
  totals,
} from '../route.ts';
import { expandedPartner } from './partners.ts';

export const MAX_COUPONS = 100;

export const couponRow = z.object({
  id: z.int(),
  code: z.string(),
  partner_id: z.int(),
  partner_name: z.string(),
  active: z.boolean(),
  created_at: z.iso.datetime(),
});
export type CouponRow = z.input<typeof couponRow>;

/** The filters of the list and of its file. */
export const couponFilters = {
  partner_id: idFilter('partner_id'),
  active: flag('active'),
  q: searchFilter('Start of the code, in any case.'),
};

const expandedCoupon = couponRow.extend({ partner: expandedPartner });
const expands = expand('partner');

export const manageCoupons = defineRoute({
  ...shared,
  id: 'manageCoupons',
  path: `${PROGRAM}/coupons`,
  summary: 'List coupons',
  description: 'Newest first. Partners see only their own.',
  query: z.object({
    ...listQuery,
    totals,
    expand: expands,
    ...couponFilters,
  }),
  reply: manyCounted(expandedCoupon),
});

export const manageCoupon = defineRoute({
  ...sharedRow,
  id: 'manageCoupon',
  path: `${PROGRAM}/coupons/:coupon_id`,
  summary: 'Get a coupon',
  description: 'The row of the list.',
  query: z.object({ expand: expands }),
  reply: one(expandedCoupon),
});

export const manageAddCoupon = defineRoute({
  ...managed,
  id: 'manageAddCoupon',
  proof: { none: 'It can be undone.' },
  method: 'POST',
  path: `${PROGRAM}/coupons`,
  summary: 'Give a partner a coupon code',
  description:
    'A sale with the code is credited to the partner without a click. Codes are not case-sensitive. A code belongs to one ' +
    `partner of the program; a partner has at most ${MAX_COUPONS} codes. Invisible characters, and letters of alphabets that ` +
    'are not written together, are refused, because such codes look like other ones.',
  role: 'member',
  success: 201,
  body: z.object({
    code: couponCode,
    partner_id: partnerId,
  }),
  reply: one(couponRow),
  statuses: [400, 401, 404, 409],
});

export const manageUpdateCoupon = defineRoute({
  ...managed,
  id: 'manageUpdateCoupon',
  proof: { none: 'It can be undone.' },
  method: 'PATCH',
  path: `${PROGRAM}/coupons/:coupon_id`,
  ifMatch: true,
  summary: 'Switch a coupon on or off',
  description: 'A coupon that is off credits nobody with sales that are reported from then on.',
  role: 'member',
  body: z.object({ active: z.boolean({ error: 'active must be true or false' }) }),
  reply: one(couponRow),
  statuses: [400, 401, 404],
});
