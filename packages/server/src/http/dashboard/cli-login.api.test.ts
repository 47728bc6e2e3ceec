import { callback, idTokenOf, newOwner, poll, startedLogin } from '@svc/testkit/service/accounts.ts';
import { pageSettings } from '@svc/testkit/service/page-settings.ts';
import { type Answer, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const pageOf = (state: string) => service.call('GET', `/cli/login?state=${encodeURIComponent(state)}`);

async function usedLogin(): Promise<string> {
  const { userId } = await newOwner(service);
  const state = await startedLogin(service);
  await callback(service, { state, id_token: await idTokenOf(service, userId) });
  return state;
}

/** The settings of the page about the login. */
const loginOf = (answer: Answer) => pageSettings(answer).cli_login;

function expectSafePage({ headers, text }: Answer) {
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-request-id': expect.stringMatching(/./),
  });
  const policy = headers['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*|https?:/);
  expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|javascript:/i);
}

describe('the page at auth_url', () => {
  it('is where auth_url leads, and names the terminal, but does not tell its code', async () => {
    const body = { device_name: 'robins-laptop' };
    const { auth_url, user_code } = (await service.call('POST', '/api/v1/cli/auth/start', { body })).body.data;
    const { pathname, search } = new URL(auth_url);
    const answer = await service.call('GET', pathname + search);
    expect(answer.status).toBe(200);
    expect(loginOf(answer)).toEqual({ status: 'open', device_name: 'robins-laptop' });
    expect(answer.text).not.toContain(user_code);
    expectSafePage(answer);
  });

  it.each([
    ['expired', 'expired'],
    ['used', 'used'],
    ['completed', 'used'],
    ['unknown', 'unknown'],
  ])('says that the login is %s, with 410 and without its name', async (login, status) => {
    const state =
      login === 'unknown' ? 'nobody' : login === 'expired' ? await startedLogin(service) : await usedLogin();
    if (login === 'expired') service.advance({ seconds: 300 });
    if (login === 'completed') await poll(service, state);
    const answer = await pageOf(state);
    expect(answer.status).toBe(410);
    expect(loginOf(answer)).toEqual({ status, device_name: null });
    expectSafePage(answer);
  });

  it.each(['', '?state=', '?state=a&state=b', '?state=%00', `?state=${'x'.repeat(300)}`])(
    'treats %j as an unknown login',
    async (query) => {
      const answer = await service.call('GET', `/cli/login${query}`);
      expect(answer.status).toBe(410);
      expect(loginOf(answer)).toEqual({ status: 'unknown', device_name: null });
    },
  );

  it('does not repeat the state from its URL', async () => {
    const answer = await pageOf('"><script>alert(1)</script>');
    expect(answer.text).not.toContain('alert(1)');
  });

  it('does not change anything when it is opened', async () => {
    const state = await startedLogin(service);
    await pageOf(state);
    await pageOf(state);
    expect((await poll(service, state)).body.data.status).toBe('pending');
  });
});
