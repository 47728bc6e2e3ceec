import { manage, memberOf, type OwnedProgram, partnerAccount, type TestAccount } from '../accounts.ts';
import type { Answer, TestService } from '../service.ts';
import { asOwner } from './paid.ts';

/** Details of accounts whose check digits are right. */
export const METHODS = {
  paypal: { kind: 'paypal', email: 'jane@paypal.test' },
  wise: { kind: 'wise', email: 'jane@wise.test' },
  iban: { kind: 'iban', iban: 'DE89370400440532013000', bic: null },
  us_bank: { kind: 'us_bank', routingNumber: '021000021', accountNumber: '123456789', accountType: 'checking' },
  other: { kind: 'other', text: 'Cash in an envelope' },
} as const;

export type MethodKind = keyof typeof METHODS;
type MethodOptions = { holderName?: string; country?: string; usableFrom?: Date; details?: object };

const COUNTRIES: Record<MethodKind, string> = { paypal: 'DE', wise: 'DE', iban: 'DE', us_bank: 'US', other: 'DE' };

/** Gives the account a payout method, in place of the one that it has. */
export async function setMethod(
  service: TestService,
  userId: string,
  kind: MethodKind = 'paypal',
  { holderName = 'Jane Doe', country = COUNTRIES[kind], usableFrom, details = METHODS[kind] }: MethodOptions = {},
): Promise<void> {
  await removeMethod(service, userId);
  const sealed = service.ctx.encryption.seal(JSON.stringify(details));
  const values = [userId, kind, sealed, `${kind}****`, holderName, country, usableFrom ?? service.time, service.time];
  await service.sql(
    `insert into payout_methods
       (user_id, kind, details_sealed, masked, holder_name, holder_kind, country, usable_from, created_at)
     values ($1, $2, $3, $4, $5, 'person', $6, $7, $8)`,
    values,
  );
}

export async function removeMethod(service: TestService, userId: string): Promise<void> {
  await service.sql(
    `update payout_methods set replaced_at = $2, details_sealed = null where user_id = $1 and replaced_at is null`,
    [userId, service.time],
  );
}

export type Payee = OwnedProgram & { account: TestAccount };

/** The program seen by a partner of it who has an account and a payout method: its own, or a new one. */
export async function payee(
  service: TestService,
  made: OwnedProgram,
  kind: MethodKind | null = 'paypal',
  options: MethodOptions & { isNew?: boolean } = {},
): Promise<Payee> {
  const partner = options.isNew === false ? made : { ...made, ...(await service.partner(made.program)) };
  const account = await partnerAccount(service, partner.partnerId);
  if (kind) await setMethod(service, account.userId, kind, options);
  return { ...partner, account };
}

/** Sends a request about the runs of the program as its owner. */
export const runCall = (
  service: TestService,
  made: OwnedProgram,
  method: string,
  rest = '',
  body?: object,
): Promise<Answer> => asOwner(service, made, method, `/payout-runs${rest}`, body);

/** A draft of everything that can be paid. */
export async function draft(service: TestService, made: OwnedProgram, body: object = {}) {
  const { status, body: reply } = await runCall(service, made, 'POST', '', body);
  if (status !== 201) throw new Error(`The run was answered with ${status}: ${JSON.stringify(reply)}`);
  return reply.data;
}

/** A run that was made, approved and, unless told otherwise, marked as sent. */
export async function sentRun(service: TestService, made: OwnedProgram, upTo: 'approved' | 'sent' = 'sent') {
  const run = await draft(service, made);
  for (const step of upTo === 'sent' ? ['approve', 'mark-sent'] : ['approve']) {
    const { status, body } = await runCall(service, made, 'POST', `/${run.id}/${step}`);
    if (status !== 200) throw new Error(`${step} was answered with ${status}: ${JSON.stringify(body)}`);
  }
  return (await runCall(service, made, 'GET', `/${run.id}`)).body.data;
}

/** Another person of the team. */
export const colleague = (service: TestService, { workspaceId }: OwnedProgram) =>
  memberOf(service, workspaceId, 'finance');

/** Approves a run as somebody else than the owner. */
export const approveAs = (service: TestService, made: OwnedProgram, runId: number, token: string) =>
  service.call('POST', manage(made, `/payout-runs/${runId}/approve`), { key: token });
