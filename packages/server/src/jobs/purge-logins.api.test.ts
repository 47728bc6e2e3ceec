import { newOwner, signIn, signUp, startedLogin } from '@svc/testkit/service/accounts.ts';
import { approve, askedForAccess, pageAt } from '@svc/testkit/service/applications.ts';
import { openInvitation } from '@svc/testkit/service/routes/requests/team.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';
import { purgeLogins } from './purge-logins.ts';
import { runJob } from './run-jobs.ts';

const service = useService();

const DAY_MS = 86_400_000;
const counts = async () => {
  const tables = [
    'sessions',
    'account_tokens',
    'invitations',
    'cli_sessions',
    'oauth_codes',
    'sign_in_attempts',
    'verifications',
  ];
  const [row] = await service.sql(
    `select ${tables.map((table) => `(select count(*) from ${table}) as ${table}`).join(', ')}`,
  );
  return row;
};

it('deletes what no longer gives access, and nothing that does', async () => {
  // The sign-in library has its own clock.
  service.time = new Date();
  const owner = await newOwner(service);
  const { email } = await signUp(service);
  await signIn(service, email, 'wrong');
  await openInvitation(service, owner.workspaceId);
  await startedLogin(service);
  await approve(service, await pageAt(service, (await askedForAccess(service)).path), owner);
  await service.sql(`insert into verifications (id, identifier, value, expires_at) values ('v', 'i', 'x', $1)`, [
    new Date(service.time.getTime() + DAY_MS),
  ]);
  const all = {
    sessions: 2,
    account_tokens: 1,
    invitations: 1,
    cli_sessions: 1,
    oauth_codes: 1,
    sign_in_attempts: 1,
    verifications: 1,
  };
  await runJob(service.ctx, purgeLogins);
  expect(await counts()).toEqual(all);

  service.advance({ days: 2 });
  await runJob(service.ctx, purgeLogins);
  const short = { cli_sessions: 0, oauth_codes: 0, sign_in_attempts: 0, verifications: 0 };
  expect(await counts()).toEqual({ ...all, ...short });

  service.advance({ days: 29 });
  await runJob(service.ctx, purgeLogins);
  expect(await counts()).toEqual({ ...all, ...short, sessions: 0 });

  service.advance({ days: 7 });
  await runJob(service.ctx, purgeLogins);
  expect(await counts()).toEqual({ ...all, ...short, sessions: 0, invitations: 0 });

  service.advance({ days: 60 });
  await runJob(service.ctx, purgeLogins);
  expect(await counts()).toEqual({ ...short, sessions: 0, invitations: 0, account_tokens: 0 });
});
