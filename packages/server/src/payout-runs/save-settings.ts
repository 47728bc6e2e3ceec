import { errors, type Payer } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import { changedFields } from '../audit/changed-fields.ts';
import type { Context } from '../context.ts';
import type { Encryption } from '../encryption.ts';
import { ibanProblem } from '../payout-files/iban.ts';
import { maskedDetails } from '../payout-methods/payout-method.ts';
import type { Program } from '../programs/program.ts';
import { lockPayoutSettings, type PayoutSettings, updatePayoutSettings } from './payout-settings-store.ts';
import { nextRunAt } from './schedule.ts';

/** Settings to change. Those that are undefined stay as they are. */
export type ChangedSettings = {
  minimumCents: Record<string, number> | undefined;
  scheduleDay: number | null | undefined;
  netDays: number | undefined;
  twoPersons: boolean | undefined;
  payer: Payer | null | undefined;
};

type SettingsContext = Context & { encryption: Encryption };

/** Changes how the program pays. A schedule that stays the same keeps its next date. */
export async function savePayoutSettings(
  ctx: SettingsContext,
  { id: programId, workspaceId }: Pick<Program, 'id' | 'workspaceId'>,
  changed: ChangedSettings,
  actor: Actor,
): Promise<PayoutSettings> {
  const wrong = changed.payer?.iban === undefined ? null : ibanProblem(changed.payer.iban, 'payer.iban');
  if (wrong) throw errors.invalidField({ message: wrong, field: 'payer.iban' });
  return ctx.db.transaction(async (tx) => {
    const now = ctx.now();
    const old = await lockPayoutSettings(tx, programId);
    const { scheduleDay = old.scheduleDay, payer } = changed;
    const settings = {
      minimumCents: changed.minimumCents ?? old.minimumCents,
      scheduleDay,
      netDays: changed.netDays ?? old.netDays,
      twoPersons: changed.twoPersons ?? old.twoPersons,
      payerSealed: payer === undefined ? old.payerSealed : payer && ctx.encryption.seal(JSON.stringify(payer)),
      nextRunAt: scheduleDay === old.scheduleDay ? old.nextRunAt : dueOn(scheduleDay, now),
    };
    await updatePayoutSettings(tx, programId, settings, now);
    const subject = { type: 'program', id: programId } as const;
    const action = 'payout.settings_changed' as const;
    const differing = changedFields(factsOf(old), factsOf(settings));
    const before = differing?.before ?? {};
    const after = { ...differing?.after, ...(payer !== undefined && { payer_changed: true }) };
    await insertAuditEvent(tx, { workspaceId, programId, actor, action, subject, before, after }, now);
    return { ...settings, updatedAt: now };
  });
}

const dueOn = (day: number | null, now: Date) => (day === null ? null : nextRunAt(day, now));

/** What the audit log says about settings: everything but account numbers. */
function factsOf({ minimumCents, scheduleDay, netDays, twoPersons }: Omit<PayoutSettings, 'updatedAt'>) {
  return { minimum_cents: minimumCents, schedule_day: scheduleDay, net_days: netDays, two_persons: twoPersons };
}

/** Who pays, from the settings; null until they say so. */
export function openPayer({ encryption }: { encryption: Encryption }, sealed: string | null): Payer | null {
  return sealed === null ? null : (JSON.parse(encryption.open(sealed)) as Payer);
}

/** The payer for those who see the settings and may not change them. */
export function maskedPayer(payer: Payer): Payer {
  return { ...payer, ...(payer.iban && { iban: maskedDetails({ kind: 'iban', iban: payer.iban, bic: null }) }) };
}
