import { insertAddressLink } from '../../../../server/src/accounts/recovery/address-link-store.ts';
import { newSecretToken } from '../../../../server/src/accounts/secret-token.ts';
import { signUnsubscription } from '../../../../server/src/mail/signed-link.ts';
import { invitePartner } from '../../../../server/src/partners/joining/invite-partner.ts';
import { newToken, type TestAccount } from '../../accounts.ts';
import { giveMethod, IBAN_METHOD } from '../../payout-methods.ts';
import type { TestService } from '../../service.ts';
import { newId } from '../../sold.ts';
import type { RequestParts } from './parts.ts';

export const ACCOUNT_REQUESTS: RequestParts = {
  bodies: {
    manageAccept: async (service) => ({ token: await partnerInvitation(service) }),
    manageUpdateMe: () => ({ name: newId('Robin') }),
    manageSetPayoutMethod: () => ({ ...IBAN_METHOD, holder_name: newId('Robin') }),
    manageUpdateMailSettings: () => ({ kind: 'statement_ready', on: false }),
    manageChangeEmail: () => ({ email: `${newId('new')}@people.test` }),
    manageConfirmEmail: async (service, { owner }) => ({ token: await addressLink(service, owner) }),
    manageAddToken: () => ({ name: 'Zapier', scopes: ['read'] }),
  },
  first: { manageDeletePayoutMethod: (service, { owner }) => giveMethod(service, owner.userId) },
  params: {
    token_id: (service, { owner }) => otherTokenOf(service, owner),
    session_id: (service, { owner }) => newSession(service, owner.userId),
  },
  queries: {
    manageUnsubscribe: (service, { owner }) =>
      `token=${signUnsubscription(service.ctx.linkSecret, { userId: owner.userId, kind: 'first_sale' })}`,
  },
};

/** A link that was mailed to the account. */
async function addressLink(service: TestService, { userId, email }: TestAccount): Promise<string> {
  const { token, hash: tokenHash } = newSecretToken('svc_mail_');
  const expiresAt = new Date(service.time.getTime() + 3_600_000);
  const link = { userId, purpose: 'verify', address: email, newAddress: null } as const;
  await insertAddressLink(service.ctx.db, { ...link, tokenHash, expiresAt }, service.time);
  return token;
}

/** An invitation that does not change the workspace of the user who accepts it. */
async function partnerInvitation(service: TestService): Promise<string> {
  const { workspaceId, partnerId } = await service.program();
  const invited = { workspaceId, partnerId, email: 'a@partner.test', openLink: true };
  return (await invitePartner(service.ctx, invited, { userId: null, requestId: null })).token;
}

/** The id of another token of the account. */
async function otherTokenOf(service: TestService, { userId }: TestAccount): Promise<number> {
  await newToken(service, userId);
  const [row] = await service.sql<{ id: number }>('select max(id) as id from account_tokens where user_id = $1', [
    userId,
  ]);
  return row?.id ?? 0;
}

/** The id of a session of the account. */
export async function newSession(service: TestService, userId: string): Promise<string> {
  const id = newId('session');
  await service.sql(
    `insert into sessions (id, token, user_id, expires_at) values ($1, $1, $2, now() + interval '1 day')`,
    [id, userId],
  );
  return id;
}

/** Gives the account a passkey, which nobody can use. */
export async function newPasskey(service: TestService, userId: string): Promise<void> {
  const id = newId('passkey');
  await service.sql(
    `insert into passkeys (id, user_id, name, public_key, credential_id, counter, device_type, backed_up, created_at)
     values ($1, $2, 'Laptop', 'none', $1, 0, 'singleDevice', false, now())`,
    [id, userId],
  );
}
