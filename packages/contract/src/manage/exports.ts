import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { commissionFilters } from './commissions.ts';
import { customerFilters } from './customers/customers.ts';
import { couponFilters } from './partners/coupons.ts';
import { linkFilters } from './partners/links.ts';
import { partnerFilters } from './partners/partners.ts';
import { payoutFilters } from './payouts/payouts.ts';
import { fileFormat, fileReply, listed, PROGRAM } from './route.ts';
import { saleFilters } from './sales.ts';

const exported = {
  ...listed,
  role: 'finance',
  description: 'All rows that match the filters, newest first.',
  ...fileReply,
} as const;

/** A file that partners get too, with their own rows. */
const sharedFile = { ...exported, partners: true } as const;

export const manageExportSales = defineRoute({
  ...sharedFile,
  id: 'manageExportSales',
  mayBeBehind: true,
  path: `${PROGRAM}/export/sales.csv`,
  summary: 'Export sales as CSV',
  query: z.object({ ...saleFilters, format: fileFormat }),
});

export const manageExportCommissions = defineRoute({
  ...sharedFile,
  id: 'manageExportCommissions',
  path: `${PROGRAM}/export/commissions.csv`,
  summary: 'Export commissions as CSV',
  query: z.object({ ...commissionFilters, format: fileFormat }),
});

export const manageExportCustomers = defineRoute({
  ...sharedFile,
  id: 'manageExportCustomers',
  mayBeBehind: true,
  path: `${PROGRAM}/export/customers.csv`,
  summary: 'Export customers as CSV',
  query: z.object({ ...customerFilters, format: fileFormat }),
});

export const manageExportPayouts = defineRoute({
  ...sharedFile,
  id: 'manageExportPayouts',
  path: `${PROGRAM}/export/payouts.csv`,
  summary: 'Export payouts as CSV',
  query: z.object({ ...payoutFilters, format: fileFormat }),
});

export const manageExportPartners = defineRoute({
  ...exported,
  id: 'manageExportPartners',
  path: `${PROGRAM}/export/partners.csv`,
  summary: 'Export partners as CSV',
  description:
    'All partners that match the filters, newest first: the name, the address, the first active link and the first active coupon of each, ready for a mail merge, then the other fields of the list, and what each earns (`earnings`), in sentences.',
  query: z.object({ ...partnerFilters, format: fileFormat }),
});

export const manageExportLinks = defineRoute({
  ...sharedFile,
  id: 'manageExportLinks',
  path: `${PROGRAM}/export/links.csv`,
  summary: 'Export links as CSV',
  query: z.object({ ...linkFilters, format: fileFormat }),
});

export const manageExportCoupons = defineRoute({
  ...sharedFile,
  id: 'manageExportCoupons',
  path: `${PROGRAM}/export/coupons.csv`,
  summary: 'Export coupons as CSV',
  query: z.object({ ...couponFilters, format: fileFormat }),
});
