import { readFileSync } from 'node:fs';
import {
  commissionRow,
  customerRow,
  deliveryRow,
  domainRow,
  linkRow,
  partnerRow,
  payoutLine,
  payoutRow,
  saleRow,
  webhookRow,
} from '@svc/contract';

/** The rows that pages list, the files that show them, and the fields that are left out on purpose. */
export const LISTS: [noun: string, fields: object, files: string[], leftOut: string[]][] = [
  [
    'sale',
    saleRow.shape,
    ['features/sales/sale-columns.tsx', 'ui/records/sale-columns.tsx'],
    ['commission_base', 'terms_version', 'commission_id'],
  ],
  [
    'commission',
    commissionRow.shape,
    ['features/commissions/commission-columns.tsx', 'ui/records/commission-columns.tsx'],
    // `terms` says in words which rule of which version paid it.
    ['sale_id', 'commission_type', 'terms_version', 'rule'],
  ],
  [
    'customer',
    customerRow.shape,
    ['features/customers/customers-page.tsx', 'ui/records/customer-columns.tsx'],
    ['partner_id'],
  ],
  [
    'partner',
    partnerRow.shape,
    [
      'features/partners/partners-page.tsx',
      'features/partners/partner-page.tsx',
      'features/partners/details/group.tsx',
      'features/partners/details/profile.tsx',
    ],
    [],
  ],
  [
    'link',
    linkRow.shape,
    ['features/links/link-list.tsx', 'features/links/brand-links-page.tsx', 'features/links/edit-link-dialog.tsx'],
    [],
  ],
  [
    'payout',
    payoutRow.shape,
    ['features/payouts/payout-columns.tsx', 'features/payouts/payout-details.tsx'],
    ['partner_id', 'cancelled_at'],
  ],
  [
    'payout line',
    payoutLine.shape,
    [
      'features/payouts/payout-details.tsx',
      'features/payouts/payout-line-facts.tsx',
      'features/payouts/payout-page.tsx',
      'ui/records/commission-columns.tsx',
    ],
    // `terms` says in words which rule of which version paid it.
    ['sale_id', 'terms_version', 'rule'],
  ],
  ['link host', domainRow.shape, ['features/settings/link-hosts.tsx'], []],
  [
    'webhook',
    webhookRow.shape,
    [
      'features/settings/webhooks/webhooks.tsx',
      'features/settings/webhooks/webhook-status.tsx',
      'features/settings/webhooks/webhook-page.tsx',
    ],
    [],
  ],
  [
    'delivery',
    deliveryRow.shape,
    ['features/settings/webhooks/deliveries.tsx', 'features/settings/webhooks/delivery-details.tsx'],
    [],
  ],
];

/** The fields that occur in none of the files, and that nobody left out on purpose. */
export function fieldsNotShown([, fields, files, leftOut]: (typeof LISTS)[number]): string[] {
  const sources = files.map((file) => readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8')).join('\n');
  const isShown = (field: string) => new RegExp(`\\b${field}\\b`).test(sources);
  return Object.keys(fields).filter((field) => isShown(field) === leftOut.includes(field));
}
