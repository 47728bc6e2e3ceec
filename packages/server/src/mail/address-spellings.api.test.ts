import { newOwner } from '@svc/testkit/service/accounts.ts';
import { useMailingService } from '@svc/testkit/service/mailbox.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';

const { service, mailbox } = useMailingService();

/** All of them are `people.test` to a mail server: full stops and letters of other widths, soft hyphens, capitals. */
const DOMAINS = [
  'people.test',
  'people\u3002test',
  'people\uff0etest',
  'people\uff61test',
  '\uff50eople.test',
  'p\uff45ople.test',
  'p\u00adeople.test',
  'PEOPLE\u3002test',
];

it('a mailbox gets five invitations a day, however its domain is written', async () => {
  const victim = newId('victim');
  const { token: key } = await newOwner(service);
  const mailed = [];
  for (const domain of DOMAINS) {
    const body = { email: `${victim}@${domain}` };
    mailed.push((await service.call('POST', '/api/v1/manage/invitations', { key, body })).body.data.mailed);
  }
  const received = [];
  for (const _each of mailed.filter(Boolean)) received.push((await mailbox.next(`${victim}@people.test`)).to);
  expect(received).toHaveLength(5);
});
