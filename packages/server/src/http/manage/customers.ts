import { errors, manageCustomer, manageCustomers, type ReplyData, type ReplyRow } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { formatClickId } from '../../../clicks/click-id.ts';
import { findCredit } from '../../../customers/credit-store.ts';
import {
  CUSTOMER_SORT_COLUMNS,
  findCustomerTotals,
  type ListedCustomer,
  listCustomers,
} from '../../../reporting/lists/customer-list-store.ts';
import { findJourney, type JourneyStep } from '../../../reporting/report-journey.ts';
import { queryOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import { idParam } from '../../id-param.ts';
import type { ServiceContext } from '../../service-context.ts';
import { customerFilter } from './list-filters.ts';
import { maskKeys } from './mask-keys.ts';
import { pageFor, sortedPage } from './sorted-page.ts';

export function addManageCustomerRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageCustomers, async (access, request) => {
    const query = queryOf(manageCustomers, request);
    const filter = customerFilter(access, query, ctx.emailSecret);
    const page = pageFor(query, CUSTOMER_SORT_COLUMNS);
    const customers = maskKeys(access, await listCustomers(ctx.db, access.program.id, filter, page));
    const { data, meta } = sortedPage(customers, query, toCustomerReply);
    if (!query.totals) return { data, meta };
    const { count } = await findCustomerTotals(ctx.db, access.program.id, filter);
    return { data, meta: { ...meta, count } };
  });

  addProgramRoute(app, ctx, manageCustomer, async (access, request) => {
    const journey = await findJourney(ctx, access.program.id, idParam(request, 'customer_id'), access.partnerId);
    if (!journey) throw errors.notFound();
    const { steps, isCut } = journey;
    const [customer = journey.customer] = maskKeys(access, [journey.customer]);
    const credit = access.partnerId === null ? await findCredit(ctx.db, customer.id) : null;
    return {
      data: {
        ...toCustomerReply(customer),
        is_test: customer.isTest,
        lead_at: customer.leadAt?.toISOString() ?? null,
        lead_state: customer.leadState,
        converted_at: customer.convertedAt?.toISOString() ?? null,
        credit: credit && {
          amount_cents: credit.amountCents,
          reversed_cents: credit.reversedCents,
          currency: credit.currency,
          created_at: credit.createdAt.toISOString(),
        },
        erased_at: customer.erasedAt?.toISOString() ?? null,
        journey: steps.map(toStepReply),
        journey_is_cut: isCut,
      },
    };
  });
}

export function toCustomerReply({ id, clickedAt, ...customer }: ListedCustomer): ReplyRow<typeof manageCustomers> {
  return {
    id,
    click_id: clickedAt && formatClickId({ customerId: id, clickedAt }),
    customer_key: customer.customerKey,
    status: customer.status,
    partner_id: customer.partnerId,
    partner_name: customer.partnerName,
    email_masked: customer.emailMasked,
    created_at: customer.createdAt.toISOString(),
  };
}

function toStepReply(step: JourneyStep): ReplyData<typeof manageCustomer>['journey'][number] {
  return {
    type: step.type,
    id: step.id,
    at: step.at.toISOString(),
    partner_id: step.partnerId,
    partner_name: step.partnerName,
    link_id: step.linkId,
    short_link: step.shortLink,
    page_url: step.pageUrl,
    sale_id: step.saleId,
    transaction_id: step.transactionId,
    amount_cents: step.amountCents,
    deducted_cents: step.deductedCents,
    currency: step.currency,
    status: step.status,
    outcome: step.outcome,
    reason: step.reason,
    sentence: step.sentence,
  };
}
