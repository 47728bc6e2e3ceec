import { errors, manageCustomer, manageCustomerByKey, manageCustomers, manageExportCustomers } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { parseClickId } from '../../../customers/click-id.ts';
import { findCredit } from '../../../customers/credit-store.ts';
import { CUSTOMERS, type CustomerFilter, selectCustomers } from '../../../customers/customer-list-store.ts';
import { findRows, findTotals } from '../../../db/lists/sorted-list.ts';
import { findJourney } from '../../../reporting/report-journey.ts';
import { queryOf } from '../../body.ts';
import { addProgramRoute, type ProgramAccess } from '../../callers/program-access.ts';
import { idParam, textParam } from '../../id-param.ts';
import { expandRows } from '../../lists/expand-rows.ts';
import { addExport } from '../../lists/exports.ts';
import { hidesVisitors } from '../../lists/hides-visitors.ts';
import { type QueryOf, scopeOf, searchByKey } from '../../lists/list-filters.ts';
import { maskKeys } from '../../lists/mask-keys.ts';
import { rowReply } from '../../lists/row-reply.ts';
import { sortedPage } from '../../lists/sorted-page.ts';
import { readReport } from '../../read-report.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManageCustomerRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  const selectionFor = (access: ProgramAccess, { q, ...filter }: QueryOf<typeof manageCustomers>) =>
    selectCustomers(scopeOf(access, filter), {
      ...filter,
      onlyDecided: hidesVisitors(ctx, access),
      withoutEmailKeys: access.role === 'partner' && filter.customer_key !== undefined,
      ...(q !== undefined && searchFor(access.role, q)),
    });

  /** A click id, an e-mail or the start of a key. */
  const searchFor = (role: ProgramAccess['role'], q: string): Partial<CustomerFilter> => {
    const click = parseClickId(q);
    if (click) return { click };
    const { prefix: keyPrefix, ...search } = searchByKey(role, q, ctx.emailSecret);
    return { keyPrefix, ...search };
  };

  addProgramRoute(app, ctx, manageCustomers, async (access, request, reply) => {
    const query = queryOf(manageCustomers, request);
    const selection = selectionFor(access, query);
    const { data, meta } = await sortedPage(ctx.db, CUSTOMERS, selection, query);
    const totals = query.totals && (await readReport(ctx, reply, ({ db }) => findTotals(db, CUSTOMERS, selection)));
    const all = totals && { count: totals.count };
    return { data: await expandRows(ctx, access, maskKeys(access, data), query.expand), meta: { ...meta, ...all } };
  });

  addExport(
    app,
    ctx,
    manageExportCustomers,
    { name: 'customers', source: CUSTOMERS, mask: maskKeys },
    (access, request) => selectionFor(access, queryOf(manageExportCustomers, request)),
  );

  const journeyReply = async (access: ProgramAccess, customerId: number) => {
    const journey = await findJourney(ctx, scopeOf(access, {}), customerId, {
      onlyDecided: hidesVisitors(ctx, access),
    });
    if (!journey) throw errors.notFound();
    const [{ erased_at, ...customer } = journey.customer] = maskKeys(access, [journey.customer]);
    const credit = access.partnerId === null ? await findCredit(ctx.db, customer.id) : null;
    return {
      data: {
        ...customer,
        credit: credit && {
          amount_cents: credit.amountCents,
          reversed_cents: credit.reversedCents,
          currency: credit.currency,
          created_at: credit.createdAt.toISOString(),
        },
        erased_at,
        journey: journey.steps,
        journey_is_cut: journey.isCut,
      },
    };
  };

  addProgramRoute(app, ctx, manageCustomer, (access, request) => journeyReply(access, idParam(request, 'customer_id')));

  addProgramRoute(app, ctx, manageCustomerByKey, async (access, request) => {
    const selection = selectionFor(access, { customer_key: textParam(request, 'customer_key') });
    const { data: customer } = rowReply(await findRows(ctx.db, CUSTOMERS, selection, 1));
    return journeyReply(access, customer.id);
  });
}
