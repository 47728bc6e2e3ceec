import { OWN_ORIGIN } from '@svc/testkit/service/accounts.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { betterAuth } from 'better-auth';
import { expect, it } from 'vitest';
import { dialectOver } from '../db/kysely-dialect.ts';
import { createSignIn, kyselyOver } from './sign-in.ts';

const service = useService();

/** What the sign-in library answers when it compares the schema with what it writes before it does anything else. */
async function answerAfterCheck(): Promise<number> {
  const { options } = createSignIn(
    service.ctx,
    {
      baseUrl: OWN_ORIGIN,
      secret: 'a secret of this test that is long enough',
      signup: 'open',
      isInvited: async () => false,
      eraseAccount: async () => {},
    },
    kyselyOver(dialectOver(service.ctx.db)),
  );
  const checking = betterAuth({ ...options, advanced: { ...options.advanced, database: { validateSchema: true } } });
  return (await checking.handler(new Request(`${OWN_ORIGIN}/api/auth/get-session`))).status;
}

it('has every table and column that the sign-in library writes', async () => {
  expect(await answerAfterCheck()).toBe(200);
});

it.each(['sign_ins', 'sessions', 'verifications', 'signing_keys', 'passkeys'])(
  'would notice a column of %s that is missing',
  async (table) => {
    await service.sql(`alter table ${table} rename column created_at to created_away`);
    try {
      await expect(answerAfterCheck()).rejects.toThrow(new RegExp(`${table}.*created_at`, 's'));
    } finally {
      await service.sql(`alter table ${table} rename column created_away to created_at`);
    }
  },
);
