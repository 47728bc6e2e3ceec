import { errors, manageEraseCustomer, manageExportCustomer, manageExportMe } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { eraseCustomer } from '../../../privacy/erase-customer.ts';
import { exportAccount, exportCustomer } from '../../../privacy/export-person.ts';
import { addRoute } from '../../add-route.ts';
import { bodyOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import { signedInUser } from '../../callers/signed-in-user.ts';
import { idParam } from '../../id-param.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManagePrivacyRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageExportCustomer, async ({ program }, request) => {
    const exported = await exportCustomer(ctx, program.id, idParam(request, 'customer_id'));
    if (!exported) throw errors.notFound();
    const { processorIdentities, processorEvents, ...rows } = exported;
    const processor = { processor_identities: processorIdentities, processor_events: processorEvents };
    return { data: { exported_at: ctx.now().toISOString(), ...rows, ...processor } };
  });

  addProgramRoute(app, ctx, manageEraseCustomer, async ({ program, actor }, request) => {
    const id = idParam(request, 'customer_id');
    const { reason } = bodyOf(manageEraseCustomer, request);
    const erasedAt = await eraseCustomer(ctx, program, id, { actor, reason });
    if (!erasedAt) throw errors.notFound();
    return { data: { id, erased_at: erasedAt.toISOString() } };
  });

  addRoute(app, manageExportMe, async (request) => {
    const { user } = await signedInUser(ctx, request);
    const exported = await exportAccount(ctx, user.id);
    if (!exported) throw errors.userNotFound();
    const { signIns, accountTokens, knownDevices, unwantedMail, payoutMethods, openingBalances, ...rows } = exported;
    const access = { sign_ins: signIns, account_tokens: accountTokens, known_devices: knownDevices };
    const paid = { payout_methods: payoutMethods, opening_balances: openingBalances };
    return { data: { exported_at: ctx.now().toISOString(), ...rows, ...access, ...paid, unwanted_mail: unwantedMail } };
  });
}
