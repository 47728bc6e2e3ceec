import { manage, newScopedToken, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { asOwner } from '@svc/testkit/service/payments/paid.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

// Without mail, so that every link is in a reply.
const service = useService();

const REFUSED =
  'This partner is in other programs too, which share the invitation, and this token is for one program. Use the dashboard, or a token for all programs.';
const person = () => ({ name: 'Joan', email: `${newId('joan')}@partner.test` });

/** A program whose token may write, and another one of the workspace with invited partners. */
async function twoPrograms() {
  const made = await ownedProgram(service);
  const sibling: OwnedProgram = { ...(await service.program({ workspaceId: made.workspaceId })), owner: made.owner };
  const key = await newScopedToken(service, made.owner.userId, { scopes: ['write'], programId: made.program.id });
  const send = (method: string, path: string, body?: object) =>
    service.call(method, manage(made, path), { key, ...(body && { body }) });
  const invitedBySibling = async () => {
    const invited = person();
    return { ...invited, id: (await asOwner(service, sibling, 'POST', '/partners', invited)).body.data.id as number };
  };
  const invitations = () =>
    service.sql<{ id: number }>('select id, email, open_link from invitations where advertiser_id = $1 order by id', [
      made.workspaceId,
    ]);
  return { made, sibling, send, invitedBySibling, invitations };
}

type Send = Awaited<ReturnType<typeof twoPrograms>>['send'];

async function finishedRows(send: Send, what: string, body: object) {
  const started = await send('POST', `/bulk-actions/${what}`, body);
  expect(started.status).toBe(201);
  await service.ctx.bulkWorker.idle();
  return (await send('GET', `/bulk-actions/${started.body.data.id}/rows`)).body.data;
}

describe('a token for one program', () => {
  it('gets no invitation of a partner who is in another program too, and ends none', async () => {
    const { made, send, invitedBySibling, invitations } = await twoPrograms();
    const shared = await invitedBySibling();
    await asOwner(service, made, 'POST', '/partners', shared);
    const before = await invitations();
    const asked = [
      await send('POST', `/partners/${shared.id}/invitation`, { email: 'eve@partner.test', open_link: true }),
      await send('DELETE', `/partners/${shared.id}/invitation`),
    ];
    for (const { status, body } of asked) {
      expect({ status, message: body.error.message }).toEqual({ status: 403, message: REFUSED });
    }
    const { name, email } = shared;
    expect((await send('POST', '/partners', { name, email, open_link: true })).body.data.invite_url).toBeNull();
    expect(await finishedRows(send, 'resend-invitations', { ids: [shared.id] })).toMatchObject([
      { outcome: 'refused', message: REFUSED, invite_url: null, mail_refusal: null },
    ]);
    expect(await invitations()).toEqual(before);
    expect((await asOwner(service, made, 'POST', `/partners/${shared.id}/invitation`)).body.data.invite_url).toMatch(
      /#/,
    );
  });

  it('adds such a partner to its program without an invitation, by every route', async () => {
    const { made, send, invitedBySibling, invitations } = await twoPrograms();
    const [added, upserted, listed, queued] = [
      await invitedBySibling(),
      await invitedBySibling(),
      await invitedBySibling(),
      await invitedBySibling(),
    ];
    const before = await invitations();
    const of = ({ name, email }: { name: string; email: string }) => ({ name, email, open_link: true });
    const uninvited = { invite_url: null, mailed: false };
    expect((await send('POST', '/partners', of(added))).body.data).toMatchObject({ id: added.id, ...uninvited });
    const put = await send('PUT', `/partners/by-external-id/${newId('user')}`, of(upserted));
    expect(put.body.data).toMatchObject({ id: upserted.id, is_new: true, ...uninvited });
    const rows = [{ name: listed.name, email: listed.email }];
    for (const dry_run of [true, false]) {
      const { body } = await send('POST', '/bulk/partners/invite', { partners: rows, dry_run });
      expect(body.data).toMatchObject([{ outcome: 'added', partner_id: listed.id, ...uninvited }]);
    }
    const people = [{ name: queued.name, email: queued.email }];
    expect(await finishedRows(send, 'invite-partners', { partners: people })).toMatchObject([
      { outcome: 'added', partner_id: queued.id, ...uninvited },
    ]);
    expect(await invitations()).toEqual(before);
    const { data } = (await asOwner(service, made, 'GET', '/partners?limit=100')).body;
    expect(data.map(({ id }: { id: number }) => id)).toEqual(
      expect.arrayContaining([added.id, upserted.id, listed.id, queued.id]),
    );
  });

  it('invites those who are in no other, and reads only their links among the rows of a bulk action', async () => {
    const { made, send, invitedBySibling } = await twoPrograms();
    const [own, shared] = [person(), await invitedBySibling()];
    expect((await send('POST', '/partners', person())).body.data.invite_url).toMatch(/#svc_inv_/);
    const partners = [own, { name: shared.name, email: shared.email }];
    const started = await asOwner(service, made, 'POST', '/bulk-actions/invite-partners', { partners });
    await service.ctx.bulkWorker.idle();
    const path = `/bulk-actions/${started.body.data.id}/rows`;
    const all = (await asOwner(service, made, 'GET', path)).body.data;
    const link = expect.stringMatching(/#svc_inv_/);
    expect(all).toMatchObject([{ invite_url: link }, { partner_id: shared.id, invite_url: link }]);
    expect((await send('GET', path)).body.data).toEqual([all[0], { ...all[1], invite_url: null }]);
    const file = (await send('GET', `${path}.csv`)).text;
    expect([file.includes(all[0].invite_url), file.includes(all[1].invite_url)]).toEqual([true, false]);
  });
});
