import { idTokenOf, newOwner, startedLogin } from '@svc/testkit/service/accounts.ts';
import { type CallOptions, platformError, useService } from '@svc/testkit/service/service.ts';
import { whileMissing, whileRefused } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

type Request = CallOptions & { method?: string; path: string };

const program = { name: 'Acme', domain: 'acme.test', commission_type: 'percent', commission_rate: 20 };

/** The 500 rows of the specification: the message, a table that is missing, and the request. */
const rows: [message: string, table: string, request: () => Promise<Request>][] = [
  ['Failed to start auth session', 'cli_sessions', async () => ({ path: '/auth/start' })],
  [
    'Auth callback failed',
    'cli_sessions',
    async () => ({ path: '/auth/callback', body: { state: 'a', id_token: 'b' } }),
  ],
  [
    'Auth callback failed',
    'users',
    async () => {
      const { userId } = await newOwner(service);
      const body = { state: await startedLogin(service), id_token: await idTokenOf(service, userId) };
      return { path: '/auth/callback', body };
    },
  ],
  [
    'Auth callback failed',
    'signing_keys',
    async () => {
      const { userId } = await newOwner(service);
      const body = { state: await startedLogin(service), id_token: await idTokenOf(service, userId) };
      return { path: '/auth/callback', body };
    },
  ],
  ['Failed to poll auth session', 'cli_sessions', async () => ({ method: 'GET', path: '/auth/poll?state=a' })],
  [
    'Failed to create program',
    'program_keys',
    async () => ({ path: '/init', body: program, key: (await newOwner(service)).token }),
  ],
  [
    'Failed to create program',
    'account_tokens',
    async () => ({ path: '/init', body: program, key: (await newOwner(service)).token }),
  ],
  [
    'Failed to list programs',
    'programs',
    async () => ({ method: 'GET', path: '/programs', key: (await newOwner(service)).token }),
  ],
  [
    'Failed to get status',
    'commissions',
    async () => ({ method: 'GET', path: '/status', key: (await service.program()).apiKey }),
  ],
  [
    'Failed to get status',
    'program_keys',
    async () => ({ method: 'GET', path: '/status', key: (await service.program()).apiKey }),
  ],
  [
    'Failed to run synthetic chain',
    'chain_runs',
    async () => ({ path: '/test-event', body: { type: 'chain' }, key: (await service.program()).apiKey }),
  ],
  [
    'Failed to run synthetic chain',
    'clicks',
    async () => ({ path: '/test-event', body: { type: 'chain' }, key: (await service.program()).apiKey }),
  ],
  ...(['click', 'lead', 'sale'] as const).map((event_type): (typeof rows)[number] => [
    'Failed to process test event',
    event_type === 'click' ? 'clicks' : 'decisions',
    async () => ({ path: '/test-event', body: { event_type }, key: (await service.program()).apiKey }),
  ]),
];

describe('a 500 on a CLI route has the request id at the end of its message, in details and in a header', () => {
  it.each(rows)('%s (request_id: <id>): %s missing', async (message, table, request) => {
    const { method = 'POST', path, ...options } = await request();
    const call = (headers: Record<string, string>) =>
      service.call(method, `/api/v1/cli${path}`, { ...options, headers: { ...headers } });
    const answers = await whileMissing(service, table, async () => [
      await call({}),
      await call({ 'x-request-id': 'mine' }),
    ]);
    for (const [index, answer] of answers.entries()) {
      const id = index === 1 ? 'mine' : String(answer.headers['x-request-id']);
      expect(answer.headers['x-request-id']).toBe(id);
      expect(answer.status).toBe(500);
      expect(answer.body).toEqual(
        platformError(500, 'InternalServerError', `${message} (request_id: ${id})`, { request_id: id }),
      );
    }
    expect(answers[0]?.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

it('Failed to create program leaves no program behind', async () => {
  const { token, workspaceId } = await newOwner(service);
  const answer = await whileRefused(service, 'program_keys', () =>
    service.call('POST', '/api/v1/cli/init', { key: token, body: program }),
  );
  expect(answer.status).toBe(500);
  expect(await service.sql('select id from programs where advertiser_id = $1', [workspaceId])).toEqual([]);
});

it('a poll that fails hands out nothing and consumes nothing', async () => {
  const { userId } = await newOwner(service);
  const state = await startedLogin(service);
  const body = { state, id_token: await idTokenOf(service, userId) };
  await service.call('POST', '/api/v1/cli/auth/callback', { body });
  const poll = () => service.call('GET', `/api/v1/cli/auth/poll?state=${state}`);
  expect((await whileRefused(service, 'account_tokens', poll)).status).toBe(500);
  expect(await poll()).toMatchObject({ status: 200, body: { data: { status: 'complete' } } });
});

describe('POST /api/v1/cli/stripe-connect', () => {
  it.each([
    ['nothing', {}],
    ['a program key', { key: 'svc_key_unknown', body: { account: 'acct_1' } }],
  ])('is retired: 410 that points to the dashboard, sent with %s', async (_what, options) => {
    const answer = await service.call('POST', '/api/v1/cli/stripe-connect', options);
    expect(answer.status).toBe(410);
    expect(answer.body).toEqual(platformError(410, 'GoneError', expect.stringMatching(/retired.*dashboard/)));
    expect(answer.headers['x-request-id']).toBeTruthy();
  });
});
