import { newAccount } from '@svc/testkit/service/accounts.ts';
import { IBAN_METHOD, setMethod } from '@svc/testkit/service/payout-methods.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';
import { sealPayoutTexts } from '../../jobs/seal-payout-texts.ts';

const service = useService();

const methodsOf = (userId: string) =>
  service.sql<{ kind: string; masked: string; inUse: boolean; waits: boolean }>(
    `select kind, masked, replaced_at is null as "inUse", usable_from > created_at as waits
     from payout_methods where user_id = $1 order by id`,
    [userId],
  );

describe('changes at the same moment', () => {
  it('are made one after the other: one is the first, the others wait, and one is left', async () => {
    const account = await newAccount(service);
    const emails = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}@paypal.test`);
    const { iban: _, ...holder } = IBAN_METHOD;
    const answers = await Promise.all(
      emails.map((email) => setMethod(service, account, { ...holder, kind: 'paypal', email })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const methods = await methodsOf(account.userId);
    expect(methods.map(({ waits }) => waits)).toEqual([false, true, true, true, true, true]);
    expect(methods.map(({ inUse }) => inUse)).toEqual([false, false, false, false, false, true]);
    expect(new Set(methods.map(({ masked }) => masked)).size).toBe(6);
  });

  it('with the same method store it once', async () => {
    const account = await newAccount(service);
    const answers = await Promise.all([1, 2, 3, 4].map(() => setMethod(service, account, IBAN_METHOD)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await methodsOf(account.userId)).toEqual([
      { kind: 'iban', masked: 'DE****3000', inUse: true, waits: false },
    ]);
  });

  it('with the job that seals the text from before leave the method, which waits', async () => {
    const account = await newAccount(service);
    await service.sql(`update users set payout_details = 'Bank A, account 12345678' where id = $1`, [account.userId]);
    const seal = () => sealPayoutTexts(service.ctx.encryption).run(service.ctx);
    await Promise.all([seal(), setMethod(service, account, IBAN_METHOD), seal()]);
    expect(await methodsOf(account.userId)).toEqual([
      { kind: 'other', masked: '****5678', inUse: false, waits: false },
      { kind: 'iban', masked: 'DE****3000', inUse: true, waits: true },
    ]);
  });
});
