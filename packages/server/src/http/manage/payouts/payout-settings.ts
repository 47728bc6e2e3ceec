import { managePayoutSettings, manageSavePayoutSettings, type PayoutSettingsReply } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { findPayoutSettings, type PayoutSettings } from '../../../payout-runs/payout-settings-store.ts';
import { openPayer, savePayoutSettings } from '../../../payout-runs/save-settings.ts';
import { bodyOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManagePayoutSettingsRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  const toReply = (settings: PayoutSettings): PayoutSettingsReply => ({
    minimum_cents: settings.minimumCents,
    schedule: settings.scheduleDay === null ? null : { day: settings.scheduleDay },
    net_days: settings.netDays,
    two_persons: settings.twoPersons,
    payer: openPayer(ctx, settings.payerSealed),
    next_run_at: settings.nextRunAt?.toISOString() ?? null,
    updated_at: settings.updatedAt?.toISOString() ?? null,
  });

  addProgramRoute(app, ctx, managePayoutSettings, async ({ program }) => ({
    data: toReply(await findPayoutSettings(ctx.db, program.id)),
  }));

  addProgramRoute(app, ctx, manageSavePayoutSettings, async ({ program, actor }, request) => {
    const { minimum_cents, schedule, net_days, two_persons, payer } = bodyOf(manageSavePayoutSettings, request);
    const changed = {
      minimumCents: minimum_cents,
      scheduleDay: schedule === null ? null : schedule?.day,
      netDays: net_days,
      twoPersons: two_persons,
      payer,
    };
    return { data: toReply(await savePayoutSettings(ctx, program, changed, actor)) };
  });
}
