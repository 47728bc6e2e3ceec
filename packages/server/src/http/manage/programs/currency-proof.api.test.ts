import { manage, newCookie, OWN_ORIGIN, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';

const service = useService();

it('another currency, which a fixed commission is paid in, needs a recent proof like its rate', async () => {
  const made = await ownedProgram(service, { commissionType: 'fixed', commissionRate: '10' });
  const cookie = await newCookie(service, made.owner.userId);
  service.advance({ seconds: 601 });
  const change = (body: object) =>
    service.call('PATCH', manage(made), { body, headers: { cookie, origin: OWN_ORIGIN } });
  expect((await change({ commission_rate: 20 })).status).toBe(403);
  expect((await change({ currency: 'KWD' })).status).toBe(403);
});
