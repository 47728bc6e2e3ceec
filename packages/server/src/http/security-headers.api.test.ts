import { routes } from '@svc/contract';
import { cookiesOf, newAccount, requestSignUp } from '@svc/testkit/service/accounts.ts';
import { useSharedRequests } from '@svc/testkit/service/routes/shared-requests.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();
const requestOf = useSharedRequests(service);

const PRIVATE = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};
const isPrivate = (path: string) => !/^\/api\/v1\/(track|webhooks)\//.test(path);

describe('answers that depend on the caller are not cached, sniffed or framed', () => {
  it.each(routes.filter(({ path }) => isPrivate(path)))('$method $path', async (route) => {
    const valid = await requestOf(route);
    const answer = await valid.send();
    expect(answer.status).toBe(valid.status);
    expect(answer.headers).toMatchObject(PRIVATE);
    const refused = await valid.send({ key: 'svc_at_nobody' });
    expect(refused.headers).toMatchObject(PRIVATE);
  });

  it('/api/auth, including refusals and unknown paths', async () => {
    const answer = await requestSignUp(service);
    expect(answer.headers).toMatchObject(PRIVATE);
    const headers = { cookie: cookiesOf(answer) };
    const session = await service.call('GET', '/api/auth/get-session', { headers });
    expect(session.headers).toMatchObject(PRIVATE);
    const { token } = await newAccount(service);
    for (const path of ['/api/v1/manage/nowhere', '/api/v1/cli/nowhere', '/api/auth/nowhere']) {
      expect((await service.call('GET', path, { key: token })).headers).toMatchObject(PRIVATE);
    }
  });

  it.each(['/healthz', '/readyz', '/openapi.json', '/js/svc-tracker.json', '/nowhere', '/docs', '/', '/metrics'])(
    'everything has nosniff: %s',
    async (path) => {
      expect((await service.call('GET', path)).headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
    },
  );
});

describe('Strict-Transport-Security', () => {
  const plain = useService({ SVC_BASE_URL: 'http://track.test' });
  const PATHS = ['/', '/docs', '/api/v1/manage/me', '/api/auth/get-session', '/nowhere', '/js/svc-tracker.js'];

  it.each(PATHS)('is on every answer when the base URL is https: %s', async (path) => {
    const { headers } = await service.call('GET', path);
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });

  it.each(PATHS)('is on none when it is not: %s', async (path) => {
    expect((await plain.call('GET', path)).headers).not.toHaveProperty('strict-transport-security');
  });
});
