import { manageSales, type ReplyRow } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { commissionableCents } from '../../commissions/commission.ts';
import { cursorOf, lastRowOfCursor } from '../../reporting/cursor.ts';
import { type ListedSale, listSales } from '../../reporting/sale-list-store.ts';
import { queryOf } from '../body.ts';
import { addProgramRoute } from '../callers/program-access.ts';
import type { ServiceContext } from '../service-context.ts';
import { saleFilter } from './list-filters.ts';
import { maskKeys } from './mask-keys.ts';
import { pageOf } from './page-of.ts';

type SaleRow = ReplyRow<typeof manageSales>;

export function addManageSaleRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageSales, async (access, request) => {
    const query = queryOf(manageSales, request);
    const page = { before: lastRowOfCursor(query.cursor), limit: query.limit + 1 };
    const filter = { ...saleFilter(access, query), ...page };
    const sales = maskKeys(access, await listSales(ctx.db, access.program.id, filter));
    return pageOf(sales, query.limit, toSaleReply, cursorOf);
  });
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
    created_at: sale.createdAt.toISOString(),
  };
}

function saleStatus({ amountCents, refundedCents }: ListedSale): SaleRow['status'] {
  if (refundedCents === 0) return 'recorded';
  return refundedCents < amountCents ? 'partially_refunded' : 'refunded';
}
