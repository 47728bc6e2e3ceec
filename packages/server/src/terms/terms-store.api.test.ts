import { manage, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';
import { listTerms } from './terms-store.ts';

const service = useService();

const change = (made: OwnedProgram, body: object) =>
  service.call('PATCH', manage(made), { key: made.owner.token, body });

const versionsOf = ({ program }: OwnedProgram) => listTerms(service.ctx.db, program.id, { before: null, limit: 100 });

describe('the history of terms', () => {
  it('begins with what the program was created with', async () => {
    const made = await ownedProgram(service, { commissionType: 'recurring_fixed', recurringMonths: 6, holdDays: 7 });
    expect(await versionsOf(made)).toEqual([
      {
        version: 1,
        attribution: 'first',
        since: made.program.createdAt,
        until: null,
        type: 'recurring_fixed',
        rate: '20.0000',
        currency: 'USD',
        recurringMonths: 6,
        holdDays: 7,
        base: 'net',
        rules: [],
        note: null,
        madeBy: null,
      },
    ]);
  });

  it.each<[string, object, object]>([
    ['the rate', { commission_rate: 25 }, { rate: '25.0000' }],
    ['the type', { commission_type: 'fixed' }, { type: 'fixed' }],
    ['the currency', { currency: 'EUR' }, { currency: 'EUR' }],
    ['the recurring months', { recurring_months: 3 }, { recurringMonths: 3 }],
    ['the hold', { hold_days: 1 }, { holdDays: 1 }],
    ['the base', { commission_base: 'gross' }, { base: 'gross' }],
  ])('gets a version when a person changes %s', async (_what, body, expected) => {
    const made = await ownedProgram(service);
    const [first] = await versionsOf(made);
    service.advance({ seconds: 60 });
    expect((await change(made, body)).status).toBe(200);
    expect(await versionsOf(made)).toEqual([
      { ...first, ...expected, version: 2, since: service.time, madeBy: 'Robin' },
      { ...first, until: service.time },
    ]);
  });

  it('gets no version when the same terms are saved again, or other settings', async () => {
    const made = await ownedProgram(service);
    const same = { commission_type: 'percent', commission_rate: 20, currency: 'usd', recurring_months: null };
    for (const body of [same, { hold_days: 30, commission_base: 'net' }, { name: 'Acme 2', cookie_window_days: 5 }]) {
      expect((await change(made, body)).status).toBe(200);
    }
    expect(await versionsOf(made)).toHaveLength(1);
  });

  it('gets a version when a node of the previous release changes the settings', async () => {
    const made = await ownedProgram(service);
    await change(made, { commission_rate: 25 });
    // The statement of that release, which knows nothing of versions.
    await service.sql('update programs set commission_rate = 30, name = $2 where id = $1', [made.program.id, 'Acme 3']);
    await service.sql('update programs set name = $2 where id = $1', [made.program.id, 'Acme 4']);
    expect((await versionsOf(made)).map(({ version, rate, madeBy }) => [version, rate, madeBy])).toEqual([
      [3, '30.0000', null],
      [2, '25.0000', 'Robin'],
      [1, '20.0000', null],
    ]);
    await change(made, { commission_rate: 35 });
    expect((await versionsOf(made))[0]).toMatchObject({ version: 4, rate: '35.0000', madeBy: 'Robin' });
  });

  it('gets a version for each of several changes at once', async () => {
    const made = await ownedProgram(service);
    const rates = [21, 22, 23, 24, 25];
    const replies = await Promise.all(rates.map((commission_rate) => change(made, { commission_rate })));
    expect(replies.map(({ status }) => status)).toEqual(rates.map(() => 200));
    const versions = await versionsOf(made);
    expect(versions.map(({ version }) => version)).toEqual([6, 5, 4, 3, 2, 1]);
    const [current] = await service.sql<{ rate: string }>(
      'select commission_rate as rate from programs where id = $1',
      [made.program.id],
    );
    expect(versions[0]?.rate).toBe(current?.rate);
  });

  it('never changes', async () => {
    const made = await ownedProgram(service);
    const rewrite = service.sql('update terms_versions set commission_rate = 1 where program_id = $1', [
      made.program.id,
    ]);
    await expect(rewrite).rejects.toThrow('A version of the terms never changes');
  });
});
