import {
  manage,
  newAccount,
  newOwner,
  OWN_ORIGIN,
  ownedProgram,
  PASSWORD,
  signUp,
} from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { codeOf } from '@svc/testkit/service/authenticator.ts';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { atOnce, statusCounts, useTwoNodes } from '@svc/testkit/service/processes/two-nodes.ts';
import type { Answer, TestService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { proveAccount } from '../../payments/connections/connect-processor.ts';
import { findProcessor, listProgramsOfAccount } from '../../payments/connections/connection-store.ts';

const nodes = useTwoNodes();
const [service] = nodes;

describe('under concurrent requests, on two nodes', () => {
  it('an invitation is accepted by one of ten accounts', async () => {
    const owner = await newOwner(service);
    const body = { email: 'colleague@people.test', open_link: true };
    const invitation = await service.call('POST', '/api/v1/manage/invitations', { key: owner.token, body });
    const token = new URL(invitation.body.data.invite_url).hash.slice(1);
    const guests = await Promise.all(Array.from({ length: 10 }, () => newAccount(service)));
    const answers = await atOnce(nodes, 10, (node, index) =>
      node.call('POST', '/api/v1/manage/invitations/accept', { key: guests[index]?.token, body: { token } }),
    );
    expect(statusCounts(answers)).toEqual({ 200: 1, 404: 9 });
    const members = await service.call('GET', '/api/v1/manage/members', { key: owner.token });
    expect(members.body.data).toHaveLength(2);
  });

  it('a commission is approved once', async () => {
    const made = await ownedProgram(service);
    const { commissionId } = await sold(service, made);
    const path = manage(made, `/commissions/${commissionId}/approve`);
    const answers = await atOnce(nodes, 6, (node) => node.call('POST', path, { key: made.owner.token }));
    expect(statusCounts(answers)).toEqual({ 200: 1, 400: 5 });
  });

  it('a short_link is given to one of ten', async () => {
    const made = await ownedProgram(service);
    const body = { partner_id: made.partnerId, short_link: `race-${made.program.id}` };
    const answers = await atOnce(nodes, 10, (node) =>
      node.call('POST', manage(made, '/links'), { key: made.owner.token, body }),
    );
    expect(statusCounts(answers)).toEqual({ 201: 1, 409: 9 });
  });

  it('twelve concurrent regenerations each return a key, and one of them works', async () => {
    const made = await ownedProgram(service);
    const answers = await atOnce(nodes, 12, (node) =>
      node.call('POST', manage(made, '/api-key/regenerate'), { key: made.owner.token }),
    );
    expect(statusCounts(answers)).toEqual({ 200: 12 });
    const keys = [made.apiKey, ...answers.map(({ body }) => body.data.api_key as string)];
    const usable = await eventually(
      async () => statusCounts(await Promise.all(keys.map((key) => service.readiness(key)))),
      (counts) => counts[200] === 1,
    );
    expect(usable).toEqual({ 200: 1, 401: 12 });
  });

  it('an authenticator app can be set up several times at the same moment, and one of them counts', async () => {
    const { answers, post } = await setUpAtOnce();
    expect(statusCounts(answers)).toEqual({ 200: 3 });
    const verified: Answer[] = [];
    for (const { body } of answers) {
      verified.push(await post(service, '/verify-totp', { code: codeOf(body.totpURI) }));
    }
    // The one that counts replaces the session.
    expect(statusCounts(verified)[200]).toBe(1);
  });

  it('a payment account is proven for one of ten workspaces', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => ownedProgram(service)));
    const accountId = `acct_race_${all[0]?.program.id}`;
    const body = { provider: 'stripe', webhook_secret: 'whsec_a', account_id: accountId };
    await atOnce(nodes, 10, (node, index) => {
      const made = all[index] as (typeof all)[number];
      return node.call('PUT', manage(made, '/processor'), { key: made.owner.token, body });
    });
    await Promise.all(all.map(({ program }) => proveAccount(service.ctx, accountId, program.id)));
    const proven = await Promise.all(all.map(({ program }) => findProcessor(service.ctx.db, program.id, 'stripe')));
    expect(proven.filter((connection) => connection?.isAccountProven)).toHaveLength(1);
    expect(await listProgramsOfAccount(service.ctx.db, accountId)).toHaveLength(1);
  });
});

/**
 * Lets an account set up an app three times, each of which has seen that there is none when the first one is stored. On a busy
 * machine, one may be refused for having waited too long before the last one has come that far; then another account tries.
 */
async function setUpAtOnce() {
  for (;;) {
    const { cookie } = await signUp(service);
    const post = (node: TestService, path: string, body: object) =>
      node.call('POST', `/api/auth/two-factor${path}`, {
        body,
        ip: newAddress(),
        headers: { cookie, origin: OWN_ORIGIN },
      });
    let isOneRefused = false;
    const { setUps, isReached } = await service.ctx.db.transaction(async (tx) => {
      await tx.query('lock table second_factors in share mode');
      const setUps = atOnce(nodes, 3, async (node) => {
        const answer = await post(node, '/enable', { password: PASSWORD });
        isOneRefused ||= answer.status !== 200;
        return answer;
      });
      const waiting = `select 1 from pg_locks where relation = 'second_factors'::regclass and not granted`;
      const rows = await eventually(
        () => service.sql(waiting),
        (rows) => rows.length === 3 || isOneRefused,
        Infinity,
      );
      return { setUps, isReached: rows.length === 3 && !isOneRefused };
    });
    const answers = await setUps;
    if (isReached) return { answers, post };
  }
}
