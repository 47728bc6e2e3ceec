import { newAccount, newOwner, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const PROGRAMS = '/api/v1/cli/programs';
const unauthorized = (message: string) => platformError(401, 'UnauthorizedError', message);
const list = (key: string) => service.call('GET', PROGRAMS, { key });

describe('GET /api/v1/cli/programs', () => {
  it('answers 200 with id, name, domain, status, commission, partners and created_at', async () => {
    const { owner, program } = await ownedProgram(service);
    await service.partner(program);
    const { status, body, headers } = await list(owner.token);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        {
          id: program.id,
          name: 'Acme',
          domain: 'acme.test',
          status: 'active',
          commission: '20% per sale',
          partners: 2,
          created_at: service.time.toISOString(),
        },
      ],
    });
    expect(headers['x-request-id']).toBeTruthy();
  });

  it.each([
    [{ commissionType: 'percent', commissionRate: '12.5' }, '12.5% per sale'],
    [{ commissionType: 'recurring_percent', commissionRate: '20', recurringMonths: 12 }, '20% recurring for 12 months'],
    [{ commissionType: 'recurring_percent', commissionRate: '20', recurringMonths: 1 }, '20% recurring for 1 month'],
    [{ commissionType: 'recurring_percent', commissionRate: '100' }, '100% recurring'],
    [{ commissionType: 'fixed', commissionRate: '50', currency: 'EUR' }, '50 EUR per sale'],
    [
      { commissionType: 'recurring_fixed', commissionRate: '10.5', recurringMonths: 3 },
      '10.5 USD recurring for 3 months',
    ],
  ] as const)('commission %j is described as %s', async (settings, words) => {
    const { owner } = await ownedProgram(service, settings);
    expect((await list(owner.token)).body.data[0].commission).toBe(words);
  });

  it('lists the newest first, and no programs of other workspaces', async () => {
    const { owner, program: first, workspaceId } = await ownedProgram(service);
    await service.program();
    const { program: second } = await service.program({ workspaceId });
    const { data } = (await list(owner.token)).body;
    expect(data.map(({ id }: { id: number }) => id)).toEqual([second.id, first.id]);
  });

  it('counts active partners, without the one that test chains use', async () => {
    const { owner, program, partnerId, apiKey } = await ownedProgram(service);
    await service.call('POST', '/api/v1/cli/test-event', { key: apiKey, body: { type: 'chain' } });
    expect((await list(owner.token)).body.data[0].partners).toBe(1);
    await service.sql(`update memberships set status = 'blocked' where program_id = $1 and partner_id = $2`, [
      program.id,
      partnerId,
    ]);
    expect((await list(owner.token)).body.data[0].partners).toBe(0);
  });

  it('answers 200 with an empty list for a workspace without programs', async () => {
    expect(await list((await newOwner(service)).token)).toMatchObject({ status: 200, body: { data: [] } });
  });
});

describe('401 on programs', () => {
  it.each([
    ['no header', {}],
    ['not Bearer', { authorization: 'Basic YTpi' }],
    ['empty token', { authorization: 'Bearer' }],
  ])('Missing Authorization header: %s', async (_what, headers) => {
    const answer = await service.call('GET', PROGRAMS, { headers });
    expect(answer).toMatchObject({ status: 401, body: unauthorized('Missing Authorization header') });
    expect(answer.headers['x-request-id']).toBeTruthy();
  });

  it('Invalid or expired token — run `login` again', async () => {
    const { apiKey } = await service.program();
    for (const key of ['svc_at_nobody', apiKey]) {
      const { status, body } = await list(key);
      expect({ status, body }).toEqual({
        status: 401,
        body: unauthorized('Invalid or expired token — run `login` again'),
      });
    }
  });

  it('User not found: the account is gone', async () => {
    const { token, userId } = await newOwner(service);
    await service.sql('delete from users where id = $1', [userId]);
    const { status, body } = await list(token);
    expect({ status, body }).toEqual({ status: 401, body: unauthorized('User not found') });
  });
});

it('403 No advertiser found for this account, on programs', async () => {
  const { status, body } = await list((await newAccount(service)).token);
  expect({ status, body }).toEqual({
    status: 403,
    body: platformError(403, 'ForbiddenError', 'No advertiser found for this account'),
  });
});
