import { newOwner } from '@svc/testkit/service/accounts.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();
const small = useService({ SVC_MAX_PROGRAMS: '3' });

const BODY = { name: 'Acme', domain: 'acme.test', commission_type: 'percent', commission_rate: 20 };
const full = (max: number) =>
  platformError(
    409,
    'ConflictError',
    `This workspace has ${max} programs, which is the most it can have. The operator can raise SVC_MAX_PROGRAMS.`,
  );
const countOf = async (on: typeof service, workspaceId: number) =>
  (await on.sql('select 1 from programs where advertiser_id = $1', [workspaceId])).length;

describe('programs of a workspace', () => {
  it('are at most 100 by default', async () => {
    const { token: key, workspaceId } = await newOwner(service);
    await service.sql(
      `insert into programs (advertiser_id, name, domain, commission_type, commission_rate, slug)
       select $1::bigint, 'Acme', 'acme.test', 'percent', 20, 'many-' || $1::bigint || '-' || n from generate_series(1, 99) n`,
      [workspaceId],
    );
    expect((await service.call('POST', '/api/v1/cli/init', { key, body: BODY })).status).toBe(200);
    for (const path of ['/api/v1/cli/init', '/api/v1/manage/programs']) {
      expect(await service.call('POST', path, { key, body: BODY })).toMatchObject({ status: 409, body: full(100) });
    }
    expect(await countOf(service, workspaceId)).toBe(100);
    const other = await newOwner(service);
    expect((await service.call('POST', '/api/v1/cli/init', { key: other.token, body: BODY })).status).toBe(200);
  });

  it('are as many as the operator allows, even when they are created concurrently', async () => {
    const { token: key, workspaceId } = await newOwner(small);
    const create = () => small.call('POST', '/api/v1/manage/programs', { key, body: BODY });
    const answers = await Promise.all(Array.from({ length: 8 }, create));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
    expect(await countOf(small, workspaceId)).toBe(3);
  });
});
