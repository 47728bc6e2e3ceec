import { describe, expect, it } from 'vitest';
import { callback, idTokenOf, newOwner, poll, startedLogin } from '../../../test/accounts.ts';
import { type Answer, useService } from '../../../test/service.ts';

const service = useService();
const closed = useService({ SVC_SIGNUP: 'closed' });

const pageOf = (state: string) => service.call('GET', `/cli/login?state=${encodeURIComponent(state)}`);

async function usedLogin(): Promise<string> {
  const { userId } = await newOwner(service);
  const state = await startedLogin(service);
  await callback(service, { state, id_token: await idTokenOf(service, userId) });
  return state;
}

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
  expect(policy).toContain("base-uri 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*|https?:|data:/);
  expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|javascript:/i);
}

describe('the page behind auth_url', () => {
  it('is where auth_url leads: it shows the user code of the terminal and a sign-in form', async () => {
    const { auth_url, user_code } = (await service.call('POST', '/api/v1/cli/auth/start')).body.data;
    const { pathname, search } = new URL(auth_url);
    const answer = await service.call('GET', pathname + search);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(`<div class="code">${user_code}</div>`);
    expect(answer.text).toMatch(/<input name="email" type="email"[^>]*required>/);
    expect(answer.text).toMatch(/<input name="password" type="password"[^>]*required>/);
    expect(answer.text).toContain('Go back to your terminal');
    expectSafePage(answer);
  });

  it.each([
    ['expired', 'This sign-in has expired', 'Run the command in your terminal again.'],
    ['used', 'This sign-in was used already', 'You can go back to your terminal.'],
    ['handed out', 'This sign-in was used already', 'You can go back to your terminal.'],
    ['unknown', 'This sign-in is not known', 'Run the command in your terminal again.'],
  ])('says clearly when the login is %s, with 410 and without a form', async (what, title, words) => {
    const state = what === 'unknown' ? 'nobody' : what === 'expired' ? await startedLogin(service) : await usedLogin();
    if (what === 'expired') service.advance({ seconds: 300 });
    if (what === 'handed out') await poll(service, state);
    const answer = await pageOf(state);
    expect(answer.status).toBe(410);
    expect(answer.text).toContain(`<h1>${title}</h1>`);
    expect(answer.text).toContain(words);
    expect(answer.text).not.toMatch(/<form|class="code"/);
    expectSafePage(answer);
  });

  it.each(['', '?state=', '?state=a&state=b', '?state=%00', `?state=${'x'.repeat(300)}`])(
    'takes the address %j for an unknown login',
    async (query) => {
      const answer = await service.call('GET', `/cli/login${query}`);
      expect(answer.status).toBe(410);
      expect(answer.text).toContain('This sign-in is not known');
    },
  );

  it('does not repeat the state it was asked for', async () => {
    const answer = await pageOf('"><script>alert(1)</script>');
    expect(answer.text).not.toContain('alert(1)');
  });

  it('offers to create an account where sign-up is open, and only there', async () => {
    expect((await pageOf(await startedLogin(service))).text).toContain('Create an account');
    const { text } = await closed.call('GET', `/cli/login?state=${await startedLogin(closed)}`);
    expect(text).toContain('Sign in and continue');
    expect(text).not.toContain('Create an account');
  });

  it('changes nothing by being opened', async () => {
    const state = await startedLogin(service);
    await pageOf(state);
    await pageOf(state);
    expect((await poll(service, state)).body.data.status).toBe('pending');
  });

  it('loads its script and style from this service only', async () => {
    const { text } = await pageOf(await startedLogin(service));
    const loaded = [...text.matchAll(/<(?:script|link)[^>]*\s(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
    expect(loaded).toEqual(['/cli/login.css', '/cli/login.js']);
    const [css, js] = await Promise.all(loaded.map((path) => service.call('GET', path)));
    expect(css).toMatchObject({ status: 200, headers: { 'content-type': 'text/css; charset=utf-8' } });
    expect(js).toMatchObject({ status: 200, headers: { 'content-type': 'text/javascript; charset=utf-8' } });
    expect(js?.text).not.toMatch(/\beval\(|new Function|innerHTML|https?:\/\//);
  });
});
