import { callback, idTokenOf, newOwner, poll, startedLogin } from '@svc/testkit/service/accounts.ts';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { atOnce, statusCounts, useTwoNodes } from '@svc/testkit/service/processes/two-nodes.ts';
import { describe, expect, it } from 'vitest';
import { revokeTokens } from '../revoke-access.ts';

const nodes = useTwoNodes();
const [service] = nodes;

describe('a CLI login under concurrent requests, on two nodes', () => {
  it('one of ten polls gets the token, and one token is created', async () => {
    const owner = await newOwner(service);
    const state = await startedLogin(service);
    await callback(service, { state, id_token: await idTokenOf(service, owner.userId) });
    const tokens = () => service.sql('select 1 from account_tokens where user_id = $1', [owner.userId]);
    const before = (await tokens()).length;
    const answers = await atOnce(nodes, 10, (node) => poll(node, state));
    expect(statusCounts(answers)).toEqual({ 200: 1, 400: 9 });
    for (const { status, body } of answers) {
      if (status === 200) expect(body.data).toMatchObject({ status: 'complete', email: owner.email });
      else expect(body.error.message).toBe('Session already consumed');
    }
    expect(await tokens()).toHaveLength(before + 1);
  });

  it('one of ten accounts’ callbacks completes the login', async () => {
    const state = await startedLogin(service);
    const owners = await Promise.all(Array.from({ length: 10 }, () => newOwner(service)));
    const idTokens = await Promise.all(owners.map(({ userId }) => idTokenOf(service, userId)));
    const answers = await atOnce(nodes, 10, (node, index) => callback(node, { state, id_token: idTokens[index] }));
    expect(statusCounts(answers)).toEqual({ 200: 1, 404: 9 });
    const winner = owners[answers.findIndex(({ status }) => status === 200)];
    expect((await poll(service, state)).body.data.email).toBe(winner?.email);
  });

  it('a login that is completed while access is being revoked gets no token', async () => {
    const { userId } = await newOwner(service);
    const state = await startedLogin(service);
    const id_token = await idTokenOf(service, userId);
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const answer = await service.ctx.db.transaction(async (tx) => {
      await revokeTokens(tx, userId, service.ctx.now());
      const completed = callback(service, { state, id_token });
      expect(
        await eventually(
          () => service.sql(waiting),
          (rows) => rows.length > 0,
        ),
      ).toHaveLength(1);
      return { completed };
    });
    expect((await answer.completed).status).toBe(401);
    expect((await poll(service, state)).body.data).toEqual({ status: 'pending' });
  });

  it('a revocation that waits for a login to be completed ends it', async () => {
    const { userId } = await newOwner(service);
    for (let round = 0; round < 20; round += 1) {
      const state = await startedLogin(service);
      const id_token = await idTokenOf(service, userId);
      const revoke = () => service.ctx.db.transaction((tx) => revokeTokens(tx, userId, service.ctx.now()));
      await Promise.all([callback(service, { state, id_token }), revoke()]);
      expect((await poll(service, state)).body.data?.token).toBeUndefined();
    }
  });
});
