import { type CustomerRow, errors, type PartnerRow } from '@svc/contract';
import { CUSTOMERS, selectCustomers } from '../../customers/customer-list-store.ts';
import { findRowsById } from '../../db/lists/sorted-list.ts';
import { PARTNERS, selectPartners } from '../../partners/partner-list-store.ts';
import type { ProgramAccess } from '../callers/program-access.ts';
import type { ServiceContext } from '../service-context.ts';
import { hidesVisitors } from './hides-visitors.ts';
import { scopeOf } from './list-filters.ts';
import { maskKeys } from './mask-keys.ts';

type Named = { partner_id: number | null; customer_id?: number | null };
type Expanded<Row> = Row & { partner?: PartnerRow | null; customer?: CustomerRow | null };

/**
 * The rows with what was asked for in full: one query for all partners, and one for all customers, each as far as the caller has
 * them in their own lists.
 */
export async function expandRows<Row extends Named>(
  ctx: ServiceContext,
  access: ProgramAccess,
  rows: Row[],
  asked: readonly ('partner' | 'customer')[] = [],
): Promise<Expanded<Row>[]> {
  const partnerOf = asked.includes('partner') ? await partnersOf(ctx, access, rows) : null;
  const customerOf = asked.includes('customer') ? await customersOf(ctx, access, rows) : null;
  return rows.map((row) => ({
    ...row,
    ...(partnerOf && { partner: partnerOf.get(row.partner_id ?? 0) ?? null }),
    ...(customerOf && { customer: customerOf.get(row.customer_id ?? 0) ?? null }),
  }));
}

async function partnersOf({ db }: ServiceContext, { role, program }: ProgramAccess, rows: Named[]) {
  // Groups, recruiters and the brand's own ids are the brand's business.
  if (role === 'partner') throw errors.partnerNotExpanded();
  return findRowsById(db, PARTNERS, selectPartners(program.id, {}), idsIn(rows.map(({ partner_id: id }) => id)));
}

async function customersOf(ctx: ServiceContext, access: ProgramAccess, rows: Named[]) {
  const selection = selectCustomers(scopeOf(access, {}), { onlyDecided: hidesVisitors(ctx, access) });
  const found = await findRowsById(ctx.db, CUSTOMERS, selection, idsIn(rows.map(({ customer_id: id }) => id)));
  return new Map(maskKeys(access, [...found.values()]).map((customer) => [customer.id, customer]));
}

function idsIn(ids: (number | null | undefined)[]): number[] {
  return [...new Set(ids.filter((id) => id !== null && id !== undefined))];
}
