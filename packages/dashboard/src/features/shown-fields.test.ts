import { readFileSync } from 'node:fs';
import { commissionRow, customerRow, linkRow, partnerRow, payoutRow, saleRow } from '@svc/contract';
import { expect, it } from 'vitest';

/** The rows that pages list, the files that show them, and the fields that are left out on purpose. */
const LISTS: [noun: string, fields: object, files: string[], leftOut: string[]][] = [
  [
    'sale',
    saleRow.shape,
    ['sales/sale-columns.tsx', '../ui/records/sale-columns.tsx'],
    ['commission_base', 'terms_version', 'commission_id'],
  ],
  [
    'commission',
    commissionRow.shape,
    ['commissions/commission-columns.tsx', '../ui/records/commission-columns.tsx'],
    // `terms` says in words which rule of which version paid it.
    ['sale_id', 'commission_type', 'terms_version', 'rule'],
  ],
  [
    'customer',
    customerRow.shape,
    ['customers/customers-page.tsx', '../ui/records/customer-columns.tsx'],
    ['partner_id'],
  ],
  [
    'partner',
    partnerRow.shape,
    ['partners/partners-page.tsx', 'partners/partner-page.tsx', 'partners/details/group.tsx'],
    [],
  ],
  ['link', linkRow.shape, ['links/link-list.tsx', 'links/brand-links-page.tsx', 'links/edit-link-dialog.tsx'], []],
  [
    'payout',
    payoutRow.shape,
    ['payouts/payout-columns.tsx', 'payouts/payout-details.tsx'],
    ['partner_id', 'cancelled_at'],
  ],
];

it.each(LISTS)('every field of a %s is shown, or left out on purpose', (_noun, fields, files, leftOut) => {
  const sources = files.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join('\n');
  const missing = Object.keys(fields).filter((field) => !new RegExp(`\\b${field}\\b`).test(sources));
  expect({ [`not in ${files.join(' or ')}`]: missing }).toEqual({ [`not in ${files.join(' or ')}`]: leftOut });
});
