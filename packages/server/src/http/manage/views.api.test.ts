import { MAX_VIEWS } from '@svc/contract';
import { manage, memberOf, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';

const service = useService();

it('a person saves, replaces and deletes their own views; colleagues and other programs do not see them', async () => {
  const made = await ownedProgram(service);
  const member = await memberOf(service, made.workspaceId, 'member');
  const as = (key: string) => ({
    save: (body: object) => service.call('POST', manage(made, '/views'), { key, body }),
    list: async () => (await service.call('GET', manage(made, '/views'), { key })).body.data,
    remove: (id: number) => service.call('DELETE', manage(made, `/views/${id}`), { key }),
  });
  const [owner, colleague] = [as(made.owner.token), as(member.token)];
  const view = { list: 'commissions', name: 'To approve', query: 'status=pending&sort=-commission_cents' };
  const { status, body } = await owner.save({ ...view, name: ' To approve ' });
  expect({ status, body }).toEqual({
    status: 201,
    body: { data: { id: expect.any(Number), ...view, created_at: service.time.toISOString() } },
  });
  await owner.save({ ...view, query: 'status=approved' });
  await owner.save({ ...view, list: 'sales' });
  expect((await owner.list()).map(({ list, query }: typeof view) => [list, query])).toEqual([
    ['commissions', 'status=approved'],
    ['sales', view.query],
  ]);
  expect(await colleague.list()).toEqual([]);
  expect((await colleague.remove(body.data.id)).status).toBe(200);
  expect(await owner.list()).toHaveLength(2);
  expect((await owner.remove(body.data.id)).body).toEqual({ data: {} });
  expect(await owner.list()).toHaveLength(1);
});

it('409 beyond the highest number of views, also at the same time; replacing one is still possible', async () => {
  const made = await ownedProgram(service);
  const save = (name: string) =>
    service.call('POST', manage(made, '/views'), { key: made.owner.token, body: { list: 'sales', name, query: '' } });
  await service.sql(
    `insert into saved_views (program_id, user_id, list, name, query, created_at)
     select $1, $2, 'sales', 'view ' || n, '', $3 from generate_series(1, $4) n`,
    [made.program.id, made.owner.userId, service.time, MAX_VIEWS - 1],
  );
  const answers = await Promise.all([save('one'), save('two'), save('three')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  const message = `You have ${MAX_VIEWS} saved views in this program, which is the most. Delete one first.`;
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.body).toEqual(platformError(409, 'ConflictError', message));
  expect((await save('view 1')).status).toBe(201);
});
