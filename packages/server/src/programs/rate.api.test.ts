import { manage, newOwner, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { runOperator } from '@svc/testkit/service/processes/operator.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const PERCENT = ['percent', 'recurring_percent'] as const;
const tooHigh = (type: string) => badRequest(`commission_rate must be at most 100 for commission_type ${type}`);

const change = (made: OwnedProgram, body: object) =>
  service.call('PATCH', manage(made), { key: made.owner.token, body });

const termsOf = async ({ program }: OwnedProgram) => {
  const [row] = await service.sql(
    'select commission_type, commission_rate::float as rate from programs where id = $1',
    [program.id],
  );
  return row;
};

describe('a percentage is at most 100', () => {
  it.each(PERCENT)('POST /api/v1/manage/programs: %s', async (commission_type) => {
    const { token: key, workspaceId } = await newOwner(service);
    const create = (commission_rate: number) =>
      service.call('POST', '/api/v1/manage/programs', {
        key,
        body: { name: 'Acme', domain: 'acme.test', commission_type, commission_rate },
      });
    expect(await create(100.0001)).toMatchObject({ status: 400, body: tooHigh(commission_type) });
    expect(await service.sql('select 1 from programs where advertiser_id = $1', [workspaceId])).toEqual([]);
    expect((await create(100)).status).toBe(201);
  });

  it('POST /api/v1/manage/programs without a type, which defaults to percent', async () => {
    const { token: key } = await newOwner(service);
    const body = { name: 'Acme', domain: 'acme.test', commission_rate: 101 };
    const answer = await service.call('POST', '/api/v1/manage/programs', { key, body });
    expect(answer).toMatchObject({ status: 400, body: tooHigh('percent') });
  });

  it.each(PERCENT)('POST /api/v1/cli/init: %s', async (commission_type) => {
    const { token: key, workspaceId } = await newOwner(service);
    const init = (commission_rate: number) =>
      service.call('POST', '/api/v1/cli/init', {
        key,
        body: { name: 'Acme', domain: 'acme.test', commission_type, commission_rate },
      });
    expect(await init(999_999_999)).toMatchObject({ status: 400, body: tooHigh(commission_type) });
    expect(await service.sql('select 1 from programs where advertiser_id = $1', [workspaceId])).toEqual([]);
    expect((await init(100)).status).toBe(200);
  });

  it('PATCH of either the type or the rate', async () => {
    const made = await ownedProgram(service, { commissionType: 'fixed', commissionRate: '500' });
    expect(await change(made, { commission_type: 'percent' })).toMatchObject({ status: 400, body: tooHigh('percent') });
    expect(await termsOf(made)).toEqual({ commission_type: 'fixed', rate: 500 });
    expect((await change(made, { commission_type: 'percent', commission_rate: 100 })).status).toBe(200);
    expect(await change(made, { commission_rate: 100.5 })).toMatchObject({ status: 400, body: tooHigh('percent') });
    expect(await termsOf(made)).toEqual({ commission_type: 'percent', rate: 100 });
  });

  it('concurrent PATCHes of type and rate never leave a percentage above 100', async () => {
    for (let round = 0; round < 5; round += 1) {
      const made = await ownedProgram(service, { commissionType: 'fixed', commissionRate: '50' });
      const answers = await Promise.all([
        change(made, { commission_type: 'percent' }),
        change(made, { commission_rate: 500 }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  it('svc-server setup', async () => {
    const setup = (rate: string, type: string) =>
      runOperator(service, 'setup', '--commission-rate', rate, '--commission-type', type);
    await expect(setup('101', 'recurring_percent')).resolves.toEqual({
      ok: false,
      text: '--commission-rate must be at most 100 for --commission-type recurring_percent',
    });
    await expect(setup('101', 'fixed')).resolves.toMatchObject({ data: { program_id: expect.any(Number) } });
  });
});

describe('the limit of 100 does not apply to', () => {
  it('a fixed amount', async () => {
    const made = await ownedProgram(service);
    expect((await change(made, { commission_type: 'fixed', commission_rate: 999_999_999 })).status).toBe(200);
  });

  it('the existing rate of a program: its other settings can change', async () => {
    const made = await ownedProgram(service);
    await service.sql('update programs set commission_rate = 150 where id = $1', [made.program.id]);
    for (const body of [{ name: 'New' }, { hold_days: 7, commission_type: 'percent', commission_rate: 150 }]) {
      expect((await change(made, body)).status).toBe(200);
    }
    expect(await change(made, { commission_rate: 151 })).toMatchObject({ status: 400, body: tooHigh('percent') });
    expect(await termsOf(made)).toEqual({ commission_type: 'percent', rate: 150 });
  });
});
