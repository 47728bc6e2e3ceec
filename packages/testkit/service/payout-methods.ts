import { setPayoutMethod } from '../../server/src/accounts/payout-method/change-payout-method.ts';
import type { PayoutDetails } from '../../server/src/payout-methods/payout-method.ts';
import { partnerAccount, type TestAccount } from './accounts.ts';
import type { Answer, TestProgram, TestService } from './service.ts';

/** A bank account that banks use in examples. */
export const IBAN = 'DE89370400440532013000';

/** A method as a partner sends it. */
export const IBAN_METHOD = {
  kind: 'iban',
  iban: IBAN,
  holder_name: 'Jane Doe',
  holder_kind: 'person',
  country: 'DE',
};

/** Sets the payout method of an account over HTTP. */
export const setMethod = (service: TestService, { token }: Pick<TestAccount, 'token'>, body: object): Promise<Answer> =>
  service.call('PUT', '/api/v1/manage/me/payout-method', { key: token, body });

/** Gives an account a payout method; its second one waits. */
export async function giveMethod(
  service: TestService,
  userId: string,
  details: PayoutDetails = { kind: 'iban', iban: IBAN, bic: null },
): Promise<void> {
  const holder = { holderName: 'Jane Doe', holderKind: 'person', country: 'DE' } as const;
  await setPayoutMethod(service.ctx, userId, { details, ...holder }, { userId, requestId: null });
}

/** Gives the partner of the program an account whose changed payout method still waits. */
export async function giveHeldMethod(
  service: TestService,
  { partnerId }: Pick<TestProgram, 'partnerId'>,
): Promise<TestAccount> {
  const account = await partnerAccount(service, partnerId);
  await giveMethod(service, account.userId, { kind: 'paypal', email: 'jane@paypal.test' });
  await giveMethod(service, account.userId);
  return account;
}
