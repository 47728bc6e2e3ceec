import { useService } from '@svc/testkit/service/service.ts';
import { expect, it, onTestFinished } from 'vitest';

const service = useService();

it('a chain is attributed before the notification about its new link arrives, even if the link was followed earlier', async () => {
  const { program, apiKey } = await service.program();
  const early = await service.click({ affiliate_url: `https://acme.test/?aff=svc-test-${program.id}` });
  expect(early.body.error.message).toBe('Referral link not found');

  const [listener] = await service.sql<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'svc listen'`,
  );
  const { pid } = listener as { pid: number };
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => void process.kill(pid, 'SIGCONT'));

  const { body } = await service.call('POST', '/api/v1/cli/test-event', { key: apiKey, body: { type: 'chain' } });
  expect(body).toMatchObject({ data: { attributed: true } });
});
