import { errors, manageAssignCustomer } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { changeAttribution } from '../../../customers/change-attribution.ts';
import { findCustomer } from '../../../customers/customer-list-store.ts';
import { bodyOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import { idParam } from '../../id-param.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManageAssignCustomerRoute(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageAssignCustomer, async ({ program, actor }, request) => {
    const customerId = idParam(request, 'customer_id');
    const { partner_id: partnerId, reason } = bodyOf(manageAssignCustomer, request);
    await changeAttribution(ctx, program, customerId, { partnerId, reason, actor });
    const customer = await findCustomer(ctx.db, program.id, customerId);
    if (!customer) throw errors.notFound();
    return { data: customer };
  });
}
