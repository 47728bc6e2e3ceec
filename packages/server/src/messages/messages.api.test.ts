import { MESSAGES_PER_DAY } from '@svc/contract';
import { manage, memberOf, type OwnedProgram, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { queuedMails } from '@svc/testkit/service/queued-mails.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';

// Nothing listens there, so that everything that is queued stays in the queue.
const service = useService({ SVC_SMTP_URL: 'smtp://127.0.0.1:9', SVC_MAIL_FROM: 'Partners <partners@mail.test>' });

const TEXTS = { subject: 'News for {name}', text: 'Hello {name},\n\nour new page is here: {link}' };

const callsOf = (made: OwnedProgram, key = made.owner.token) => ({
  send: (body: object, headers = {}) =>
    service.call('POST', manage(made, '/bulk-actions/message-partners'), { key, body, headers }),
  test: (body: object) => service.call('POST', manage(made, '/messages/test'), { key, body }),
  list: () => service.call('GET', manage(made, '/messages'), { key }),
  rows: (id: number) => service.call('GET', manage(made, `/messages/${id}/recipients?limit=3`), { key }),
});

const setProven = (userId: string, isProven: boolean) =>
  service.sql('update users set email_verified = $2 where id = $1', [userId, isProven]);

/** The owner of a program with a proven address. */
async function provenOwner() {
  const made = await ownedProgram(service);
  await setProven(made.owner.userId, true);
  return made;
}

/** A partner of the program who has joined and has proven their address. */
async function joinedPartner(made: OwnedProgram) {
  const { partnerId, link } = await service.partner(made.program);
  const account = await partnerAccount(service, partnerId);
  await setProven(account.userId, true);
  return { ...account, partnerId, link };
}

const queuedFor = (userId: string) => queuedMails(service, 'partner_message', userId);

it('sends a message to partners who joined, once each, and says row by row what became of it', async () => {
  const made = await provenOwner();
  const jane = await joinedPartner(made);
  const quiet = await joinedPartner(made);
  await service.sql(`insert into mail_preferences (user_id, kind, changed_at) values ($1, 'partner_message', $2)`, [
    quiet.userId,
    service.time,
  ]);
  const linkless = await joinedPartner(made);
  await service.sql('update links set active = false where partner_id = $1', [linkless.partnerId]);
  const unproven = await joinedPartner(made);
  await setProven(unproven.userId, false);
  const blocked = await joinedPartner(made);
  await service.sql(`update memberships set status = 'blocked' where partner_id = $1`, [blocked.partnerId]);
  const elsewhere = await provenOwner();
  const stranger = await joinedPartner(elsewhere);

  const calls = callsOf(made);
  // The first partner has no account.
  const people = [jane, quiet, linkless, unproven, blocked, stranger];
  const ids = [made.partnerId, ...people.map(({ partnerId }) => partnerId)];
  const started = await calls.send({ ...TEXTS, ids });
  expect(started.status).toBe(201);
  expect(started.body.data).toMatchObject({ kind: 'message_partners', total: 7, change: { subject: TEXTS.subject } });
  await service.ctx.bulkWorker.idle();

  const { data } = (await calls.list()).body;
  const one = (outcome: string) => ({ outcome, count: 1 });
  expect(data).toEqual([
    {
      id: expect.any(Number),
      ...TEXTS,
      sent_by: 'Robin',
      total: 7,
      outcomes: [...['blocked', 'no_account', 'no_link', 'queued', 'unconfirmed', 'unsubscribed'].map(one)],
      created_at: service.time.toISOString(),
    },
  ]);
  const first = await calls.rows(data[0].id);
  expect(first.body.data.map((row: { outcome: string }) => row.outcome)).toEqual([
    'no_account',
    'queued',
    'unsubscribed',
  ]);
  expect(first.body.meta.next_cursor).toEqual(expect.any(String));

  const url = `https://${made.program.domain}/?aff=${jane.link}`;
  expect(await queuedFor(jane.userId)).toEqual([{ ...TEXTS, partnerName: expect.any(String), url }]);
  for (const { userId } of [quiet, linkless, unproven, blocked, stranger]) expect(await queuedFor(userId)).toEqual([]);
  const [found] = await service.sql<{ skipped: object }>('select skipped from bulk_actions where program_id = $1', [
    made.program.id,
  ]);
  expect(found?.skipped).toMatchObject({ not_found: 1 });
  const all = await service.call('GET', manage(made, `/messages/${data[0].id}/recipients`), { key: made.owner.token });
  expect(all.body.data.map((row: { partner_id: number }) => row.partner_id)).not.toContain(stranger.partnerId);
  expect((await callsOf(elsewhere).rows(data[0].id)).status).toBe(404);
  expect((await callsOf(elsewhere).list()).body.data).toEqual([]);
});

it('is only for people whose own address is proven, and whose role allows it', async () => {
  const made = await ownedProgram(service);
  await setProven(made.owner.userId, false);
  const { send, test } = callsOf(made);
  const body = { ...TEXTS, ids: [made.partnerId] };
  for (const answer of [await send(body), await test(TEXTS)]) {
    expect([answer.status, answer.body.error.message]).toEqual([403, expect.stringContaining('Confirm your email')]);
  }
  for (const role of ['viewer', 'finance'] as const) {
    const { token, userId } = await memberOf(service, made.workspaceId, role);
    await setProven(userId, true);
    expect((await callsOf(made, token).send(body)).status).toBe(403);
    expect((await callsOf(made, token).test(TEXTS)).status).toBe(403);
  }
  expect((await callsOf(made).list()).body.data).toEqual([]);
});

it('refuses web addresses and further lines in the subject, by their fields', async () => {
  const { send } = callsOf(await provenOwner());
  const refusals = [
    [{ subject: 'See www.evil.test' }, 'subject must not contain a web address', 'subject'],
    [{ subject: 'Hi\r\nBcc: a@b.test' }, 'subject must be one line without control characters', 'subject'],
    [{ text: 'Go to https://evil.test' }, 'text must not contain a web address', 'text'],
    [{ text: 'Go to evil.test/login' }, 'text must not contain a web address', 'text'],
  ] as const;
  for (const [wrong, message, field] of refusals) {
    const { status, body } = await send({ ...TEXTS, ids: [1], ...wrong });
    expect({ status, body }).toEqual({ status: 400, body: platformError(400, 'BadRequestError', message, { field }) });
  }
});

it('a program sends three messages a day, and an address gets five from all brands together', async () => {
  const partner = await joinedPartner(await provenOwner());
  const outcomes: string[] = [];
  for (const _program of [1, 2]) {
    const made = await provenOwner();
    const calls = callsOf(made);
    const { partnerId } = await service.partner(made.program);
    await service.sql('update partners set user_id = $2 where id = $1', [partnerId, partner.userId]);
    for (let n = 0; n < MESSAGES_PER_DAY; n += 1) {
      expect((await calls.send({ ...TEXTS, ids: [partnerId] })).status).toBe(201);
      await service.ctx.bulkWorker.idle();
    }
    const { data } = (await calls.list()).body;
    outcomes.push(...data.toReversed().map((each: { outcomes: [{ outcome: string }] }) => each.outcomes[0].outcome));
    const { status, body } = await calls.send({ ...TEXTS, ids: [partnerId] });
    const message =
      'This program has sent 3 messages today (UTC), which is the most in a day. Send the next one tomorrow.';
    expect({ status, body }).toEqual({ status: 409, body: platformError(409, 'ConflictError', message) });
  }
  expect(outcomes).toEqual(['queued', 'queued', 'queued', 'queued', 'queued', 'recipient_limit']);
  expect(await queuedFor(partner.userId)).toHaveLength(5);
});

it('programs send no more when several ask at once, and a request that is repeated sends nothing again', async () => {
  const made = await provenOwner();
  const { partnerId, userId } = await joinedPartner(made);
  const { send, list } = callsOf(made);
  const body = { ...TEXTS, ids: [partnerId] };
  const once = { 'idempotency-key': newId('send') };
  const [first, again] = [await send(body, once), await send(body, once)];
  expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
  await service.ctx.bulkWorker.idle();
  expect(await queuedFor(userId)).toHaveLength(1);
  const answers = await Promise.all(Array.from({ length: 6 }, () => send(body)));
  const accepted = answers.filter(({ status }) => status === 201).length;
  expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
  expect(accepted).toBeLessThan(MESSAGES_PER_DAY);
  // The worker may have looked for what is due just before the last one was stored.
  await service.ctx.bulkWorker.idle();
  service.ctx.bulkWorker.wake();
  await service.ctx.bulkWorker.idle();
  expect((await list()).body.data).toHaveLength(1 + accepted);
  expect(await queuedFor(userId)).toHaveLength(1 + accepted);
});

/** A message of the account that is stored and has not been worked on, as after a node was killed. */
async function left(made: OwnedProgram, userId: string, partnerIds: number[]) {
  const [{ messageId }] = (await service.sql(
    `insert into partner_messages (program_id, subject, text, total, sent_by, created_at)
     values ($1, 'News', 'Hello', 1, $2, $3) returning id as "messageId"`,
    [made.program.id, userId, service.time],
  )) as [{ messageId: number }];
  const items = partnerIds.map((partnerId) => ({ messageId, partnerId }));
  return async () => {
    const actor = JSON.stringify({ requestId: null, kind: 'person', name: 'Robin' });
    const [{ id }] = (await service.sql(
      `insert into bulk_actions (program_id, kind, change, total, created_by, actor, due_at, created_at)
       values ($1, 'message_partners', '{"subject":"News"}', $2, $3, $4, $5, $5) returning id`,
      [made.program.id, items.length, userId, actor, service.time],
    )) as [{ id: number }];
    await service.sql('insert into bulk_action_slices values ($1, 1, $2)', [id, JSON.stringify(items)]);
    service.ctx.bulkWorker.wake();
    await service.ctx.bulkWorker.idle();
    const outcomes = await service.sql(
      'select outcome, count(*)::int from partner_message_rows where message_id = $1 group by outcome',
      [messageId],
    );
    const [done] = await service.sql<{ status: string }>('select status from bulk_actions where id = $1', [id]);
    return [done?.status, outcomes];
  };
}

it('rows that are worked on again send nothing again', async () => {
  const made = await provenOwner();
  const { partnerId, userId } = await joinedPartner(made);
  const work = await left(made, made.owner.userId, [partnerId]);
  const done = ['done', [{ outcome: 'queued', count: 1 }]];
  expect([await work(), await work()]).toEqual([done, done]);
  expect(await queuedFor(userId)).toHaveLength(1);
});

it('sends nothing for whoever has lost the role or a proven address, nor for a program that is gone', async () => {
  const made = await provenOwner();
  const { partnerId, userId } = await joinedPartner(made);
  const member = await memberOf(service, made.workspaceId, 'member');
  await setProven(member.userId, false);
  const unproven = await left(made, member.userId, [partnerId]);
  expect(await unproven()).toEqual(['done', [{ outcome: 'sender_unconfirmed', count: 1 }]]);
  await setProven(member.userId, true);
  await service.sql(`update workspace_members set role = 'viewer' where user_id = $1`, [member.userId]);
  const demoted = await left(made, member.userId, [partnerId]);
  expect(await demoted()).toEqual(['stopped', []]);
  const late = await left(made, made.owner.userId, [partnerId]);
  await service.sql('update programs set deleted_at = $2 where id = $1', [made.program.id, service.time]);
  expect(await late()).toEqual(['done', [{ outcome: 'not_found', count: 1 }]]);
  expect(await queuedFor(userId)).toEqual([]);
});

it('a test goes to the person who writes, at most 20 times a day', async () => {
  const made = await provenOwner();
  const { test } = callsOf(made);
  const { status, body } = await test(TEXTS);
  expect({ status, body }).toEqual({ status: 200, body: { data: { sent_to: made.owner.email } } });
  const url = `https://${made.program.domain}/?aff=your-link`;
  expect(await queuedFor(made.owner.userId)).toEqual([{ ...TEXTS, partnerName: 'Jane Partner', url }]);
  for (let n = 1; n < 20; n += 1) expect((await test({ ...TEXTS, subject: newId('Test') })).status).toBe(200);
  const refused = await test(TEXTS);
  expect([refused.status, refused.body.error.message]).toEqual([
    429,
    'You have sent yourself 20 tests today (UTC), which is the most in a day. Try again tomorrow.',
  ]);
  // Tests take nothing from what others write to the same person.
  const elsewhere = await provenOwner();
  const { partnerId } = await service.partner(elsewhere.program);
  await service.sql('update partners set user_id = $2 where id = $1', [partnerId, made.owner.userId]);
  await callsOf(elsewhere).send({ ...TEXTS, ids: [partnerId] });
  await service.ctx.bulkWorker.idle();
  const [{ outcomes }] = (await callsOf(elsewhere).list()).body.data;
  expect(outcomes).toEqual([{ outcome: 'queued', count: 1 }]);
});
