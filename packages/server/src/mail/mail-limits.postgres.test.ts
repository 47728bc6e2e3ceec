import { newOwner, type OwnerAccount } from '@svc/testkit/service/accounts.ts';
import { TestService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { newPostgres } from '@svc/testkit/service/stores/store.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

// Nothing listens there, so that everything that is queued stays in the queue, with its address.
const MAIL = { SVC_SMTP_URL: 'smtp://127.0.0.1:9', SVC_MAIL_FROM: 'Partners <partners@mail.test>' };

const nodes = [new TestService(), new TestService()] as const;
const [node] = nodes;

beforeAll(async () => {
  const DATABASE_URL = await newPostgres();
  for (const each of nodes) await each.open({ ...MAIL, DATABASE_URL });
});
afterAll(async () => {
  for (const each of nodes) await each.service?.close();
});

/** Sends all invitations at once, every other one to the other node, and returns how many were mailed. */
async function inviteAtOnce(invitations: { owner: OwnerAccount; email: string }[]): Promise<number> {
  const answers = await Promise.all(
    invitations.map(({ owner, email }, index) =>
      (nodes[index % 2] ?? node).call('POST', '/api/v1/manage/invitations', { key: owner.token, body: { email } }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  return answers.filter(({ body }) => body.data.mailed).length;
}

const queued = async (addresses: string[]) =>
  (await node.sql('select 1 from mails where address = any ($1::text[])', [addresses])).length;

it('two nodes together mail an address no more than one node would', async () => {
  const victim = `${newId('victim')}@people.test`;
  const owners = await Promise.all(Array.from({ length: 10 }, () => newOwner(node)));
  expect(await inviteAtOnce(owners.map((owner) => ({ owner, email: victim })))).toBe(5);
  expect(await queued([victim])).toBe(5);
});

it('two nodes together mail no more for a workspace than one node would', async () => {
  const owner = await newOwner(node);
  await node.sql(
    `insert into mail_counts (counted, kind, since, count)
     values ('workspace ' || $1::bigint, 'team_invitation', date_trunc('day', $2::timestamptz, 'UTC'), 96)`,
    [owner.workspaceId, node.time],
  );
  const addresses = Array.from({ length: 10 }, () => `${newId('colleague')}@people.test`);
  expect(await inviteAtOnce(addresses.map((email) => ({ owner, email })))).toBe(4);
  expect(await queued(addresses)).toBe(4);
});
