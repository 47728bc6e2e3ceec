import { manageSales, type ReplyRow } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import {
  findSaleTotals,
  type ListedSale,
  listSales,
  SALE_SORT_COLUMNS,
  type SaleFilter,
} from '../../../reporting/lists/sale-list-store.ts';
import { commissionableCents } from '../../../terms/earning.ts';
import { queryOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import type { ServiceContext } from '../../service-context.ts';
import { saleFilter } from './list-filters.ts';
import { maskKeys } from './mask-keys.ts';
import { pageFor, sortedPage } from './sorted-page.ts';

type SaleRow = ReplyRow<typeof manageSales>;

export function addManageSaleRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageSales, async (access, request) => {
    const query = queryOf(manageSales, request);
    const filter = saleFilter(access, query, ctx.emailSecret);
    const page = pageFor(query, SALE_SORT_COLUMNS);
    const sales = maskKeys(access, await listSales(ctx.db, access.program.id, filter, page));
    const { data, meta } = sortedPage(sales, query, toSaleReply);
    return { data, meta: { ...meta, ...(query.totals && (await totalsOf(access.program.id, filter))) } };
  });

  const totalsOf = async (programId: number, filter: SaleFilter) => {
    const { count, currencies } = await findSaleTotals(ctx.db, programId, filter);
    const totals = currencies.map(({ amountCents, refundedCents, ...sums }) => ({
      ...sums,
      amount_cents: amountCents,
      refunded_cents: refundedCents,
    }));
    return { count, totals };
  };
}

export function toSaleReply(sale: ListedSale): SaleRow {
  return {
    id: sale.id,
    transaction_id: sale.transactionId,
    customer_id: sale.customerId,
    customer_key: sale.customerKey,
    partner_id: sale.partnerId,
    partner_name: sale.partnerName,
    amount_cents: sale.amountCents,
    tax_cents: sale.taxCents,
    shipping_cents: sale.shippingCents,
    commission_base: sale.commissionBase,
    base_cents: commissionableCents({ type: sale.commissionType, base: sale.commissionBase }, sale),
    terms_version: sale.termsVersion,
    currency: sale.currency,
    status: saleStatus(sale),
    refunded_cents: sale.refundedCents,
    disputed_cents: sale.disputedCents,
    commission_id: sale.commissionId,
    commission_cents: sale.commissionCents,
    commission_deducted_cents: sale.deductedCents,
    commission_currency: sale.commissionCurrency,
    commission_status: sale.commissionStatus,
    created_at: sale.createdAt.toISOString(),
  };
}

function saleStatus({ amountCents, refundedCents }: ListedSale): SaleRow['status'] {
  if (refundedCents === 0) return 'recorded';
  return refundedCents < amountCents ? 'partially_refunded' : 'refunded';
}
