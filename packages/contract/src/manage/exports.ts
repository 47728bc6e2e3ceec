import { z } from 'zod';
import { defineRoute } from '../routing/route.ts';
import { commissionFilters } from './commissions.ts';
import { customerFilters } from './customers/customers.ts';
import { payoutFilters } from './payouts/payouts.ts';
import { PROGRAM, shared } from './route.ts';
import { saleFilters } from './sales.ts';

const exported = {
  ...shared,
  role: 'finance',
  description: 'All rows that match the filters, newest first.',
  reply: z.string(),
  replyType: 'text/csv',
} as const;

export const manageExportSales = defineRoute({
  ...exported,
  id: 'manageExportSales',
  mayBeBehind: true,
  path: `${PROGRAM}/export/sales.csv`,
  summary: 'Export sales as CSV',
  query: z.object(saleFilters),
});

export const manageExportCommissions = defineRoute({
  ...exported,
  id: 'manageExportCommissions',
  path: `${PROGRAM}/export/commissions.csv`,
  summary: 'Export commissions as CSV',
  query: z.object(commissionFilters),
});

export const manageExportCustomers = defineRoute({
  ...exported,
  id: 'manageExportCustomers',
  mayBeBehind: true,
  path: `${PROGRAM}/export/customers.csv`,
  summary: 'Export customers as CSV',
  query: z.object(customerFilters),
});

export const manageExportPayouts = defineRoute({
  ...exported,
  id: 'manageExportPayouts',
  path: `${PROGRAM}/export/payouts.csv`,
  summary: 'Export payouts as CSV',
  query: z.object(payoutFilters),
});
