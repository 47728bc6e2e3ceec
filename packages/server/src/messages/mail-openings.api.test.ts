import type { MailKind } from '@svc/contract';
import { manage, memberOf, type OwnedProgram, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { queuedMails } from '@svc/testkit/service/queued-mails.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';

// Nothing listens there, so that everything that is queued stays in the queue.
const service = useService({ SVC_SMTP_URL: 'smtp://127.0.0.1:9', SVC_MAIL_FROM: 'Partners <partners@mail.test>' });

const callsOf = (made: OwnedProgram, key = made.owner.token) => {
  const path = manage(made, '/mail-openings');
  return {
    read: () => service.call('GET', path, { key }),
    change: (body: object) => service.call('PATCH', path, { key, body }),
    preview: (body: object) => service.call('POST', `${path}/preview`, { key, body }),
    test: (body: object) => service.call('POST', `${path}/test`, { key, body }),
  };
};

/** What the newest mail of the kind says. */
const newest = async (kind: MailKind) => (await queuedMails(service, kind)).at(-1);

it('invitations and approvals begin with the paragraph of the brand, until it is removed', async () => {
  const made = await ownedProgram(service);
  const { read, change } = callsOf(made);
  expect((await read()).body).toEqual({ data: { invitation: null, welcome: null } });
  const openings = { invitation: 'We loved your review.', welcome: 'Good to have you.' };
  const { status, body } = await change({ ...openings, invitation: ` ${openings.invitation} ` });
  expect({ status, body }).toEqual({ status: 200, body: { data: openings } });
  expect((await read()).body).toEqual({ data: openings });

  const invite = () =>
    service.call('POST', manage(made, '/partners'), {
      key: made.owner.token,
      body: { name: 'Joan', email: `${newId('joan')}@partner.test` },
    });
  expect((await invite()).status).toBe(201);
  expect(await newest('partner_invitation')).toMatchObject({ partnerName: 'Joan', opening: openings.invitation });
  await partnerAccount(service, made.partnerId);
  await service.sql(`update memberships set status = 'applied' where partner_id = $1`, [made.partnerId]);
  const approved = await service.call('PATCH', manage(made, `/partners/${made.partnerId}`), {
    key: made.owner.token,
    body: { status: 'active' },
  });
  expect(approved.status).toBe(200);
  expect(await newest('application_approved')).toMatchObject({ opening: openings.welcome });

  expect((await change({ invitation: '' })).body.data).toEqual({ ...openings, invitation: null });
  await invite();
  expect(await newest('partner_invitation')).not.toHaveProperty('opening');
});

it('shows the whole mail, and sends it to the person who writes it, whose address has to be proven', async () => {
  const made = await ownedProgram(service);
  const { preview, test } = callsOf(made);
  const draft = { mail: 'invitation', opening: 'We loved your review.\nWrite us any time.' };
  const { subject, paragraphs, action } = (await preview(draft)).body.data;
  expect(subject).toMatch(/^Become a partner of “.+”$/);
  expect(paragraphs.slice(0, 3)).toEqual(['Hello Jane Partner,', 'We loved your review.', 'Write us any time.']);
  expect(action).toBe('Accept the invitation');
  const welcome = (await preview({ mail: 'welcome' })).body.data;
  expect(welcome.paragraphs[0]).toContain('has approved your application');
  expect((await test(draft)).body).toEqual({ data: { sent_to: made.owner.email } });
  expect(await newest('partner_invitation')).toMatchObject({ url: 'https://track.test/app', opening: draft.opening });
  expect((await test({ ...draft, mail: 'welcome' })).status).toBe(200);
  await service.sql('update users set email_verified = false where id = $1', [made.owner.userId]);
  expect((await test(draft)).status).toBe(403);
  const viewer = await memberOf(service, made.workspaceId, 'viewer');
  expect((await callsOf(made, viewer.token).change({ welcome: 'Hi' })).status).toBe(403);
});
