import { routes } from '@svc/contract';
import { cookiesOf, newAccount, requestSignUp } from '@svc/testkit/service/accounts.ts';
import { isPrivate, PRIVATE } from '@svc/testkit/service/routes/private-answers.ts';
import { pathOf } from '@svc/testkit/service/routes/shared-requests.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

describe('answers that depend on the caller are not cached, sniffed or framed', () => {
  // The tests of every route look at the headers of answers to valid requests.
  it.each(routes.filter(isPrivate))('$method $path with an unknown token', async (route) => {
    const refused = await service.call(route.method, pathOf(route), { key: 'svc_at_nobody' });
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
