import { runHostile } from '@svc/testkit/service/hostile/run.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { beforeAll, expect, it } from 'vitest';

// `npm run test:hostile` sets these; a run of the suite sends the same few requests every time.
const seed = Number(process.env.SVC_HOSTILE_SEED || 20_260_310);
const requests = Number(process.env.SVC_HOSTILE_REQUESTS || (process.env.SVC_TEST_LONG ? 500 : 120));

const service = useService({ SVC_TRUSTED_PROXIES: '127.0.0.1' });
beforeAll(async () => {
  await service.service.http.listen({ port: 0, host: '127.0.0.1' });
});

it(`no generated request makes the service fail, reveal internals, or store what it refused (seed ${seed})`, async () => {
  const { statuses, findings } = await runHostile(service, seed, requests);
  expect(findings).toEqual([]);
  // If all requests were refused for the same reason, the run would prove nothing.
  const met = Object.keys(statuses).map(Number);
  expect(met).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 415]));
  const failed = await service.sql(`select type, last_error from processor_events where outcome = 'failed'`);
  expect(failed).toEqual([]);
}, 300_000);
