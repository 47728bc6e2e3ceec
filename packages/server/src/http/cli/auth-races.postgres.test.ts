import { describe, expect, it } from 'vitest';
import { callback, idTokenOf, newOwner, poll, startedLogin } from '../../../test/accounts.ts';
import { atOnce, statusCounts, useTwoNodes } from '../../../test/processes/two-nodes.ts';

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
});
