import { managePayoutSettings, manageSavePayoutSettings, mayCall, type PayoutSettingsReply } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { findPayoutSettings, type PayoutSettings } from '../../../payout-runs/payout-settings-store.ts';
import { maskedPayer, openPayer, savePayoutSettings } from '../../../payout-runs/save-settings.ts';
import { bodyOf } from '../../body.ts';
import { addProgramRoute, type ProgramAccess } from '../../callers/program-access.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManagePayoutSettingsRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  const payerFor = ({ role }: ProgramAccess, { payerSealed }: PayoutSettings) => {
    const payer = openPayer(ctx, payerSealed);
    return payer && (mayCall(role, manageSavePayoutSettings) ? payer : maskedPayer(payer));
  };

  const toReply = (access: ProgramAccess, settings: PayoutSettings): PayoutSettingsReply => ({
    minimum_cents: settings.minimumCents,
    schedule: settings.scheduleDay === null ? null : { day: settings.scheduleDay },
    net_days: settings.netDays,
    two_persons: settings.twoPersons,
    payer: payerFor(access, settings),
    next_run_at: settings.nextRunAt?.toISOString() ?? null,
    updated_at: settings.updatedAt?.toISOString() ?? null,
  });

  addProgramRoute(app, ctx, managePayoutSettings, async (access) => ({
    data: toReply(access, await findPayoutSettings(ctx.db, access.program.id)),
  }));

  addProgramRoute(app, ctx, manageSavePayoutSettings, async (access, request) => {
    const { minimum_cents, schedule, net_days, two_persons, payer } = bodyOf(manageSavePayoutSettings, request);
    const changed = {
      minimumCents: minimum_cents,
      scheduleDay: schedule === null ? null : schedule?.day,
      netDays: net_days,
      twoPersons: two_persons,
      payer,
    };
    return { data: toReply(access, await savePayoutSettings(ctx, access.program, changed, access.actor)) };
  });
}
