import { createHash } from 'node:crypto';
import { callback, idTokenOf, newOwner, PASSWORD, poll, signUp, startedLogin } from '@svc/testkit/service/accounts.ts';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems } from '../../../test/accessibility.ts';
import type { Person } from '../../../test/person.ts';
import { describeInBrowser, startStage } from '../../../test/stage.ts';

const stage = startStage();

const start = async (body: object = {}) =>
  (await stage.service.call('POST', '/api/v1/cli/auth/start', { body })).body.data;

/** Waits until the page says that the session has become that of another account, and shows which. */
async function isToldOf(person: Person, email: string): Promise<void> {
  const problem = person.page.getByRole('alert');
  await problem.getByText(/You have signed in with another account in the meantime/).waitFor();
  await person.sees(email);
}

/** Signs in to another account in the same browser, as in another tab. */
async function signInElsewhere(person: Person, email: string): Promise<void> {
  const url = new URL('/api/auth/sign-in/email', person.page.url());
  const reply = await person.page.request.post(url.href, {
    data: { email, password: PASSWORD },
    headers: { origin: url.origin },
  });
  expect(reply.status()).toBe(200);
}

describeInBrowser('the page at auth_url', () => {
  it('creates an account, asks for the terminal’s code and signs the terminal in', async () => {
    const { auth_url: url, user_code: code, state } = await start();
    const ann = await stage.stranger();
    await ann.visit(url, 'Sign in to the CLI');
    await ann.press('Create an account');
    await ann.fill('Name', 'Ann');
    await ann.fill('Email', 'ann@terminal.test');
    await ann.fill('Password', 'a long enough password');
    await ann.press('Create account and continue');
    await ann.page.getByRole('heading', { name: 'Connect your terminal?' }).waitFor();
    expect((await poll(stage.service, state)).body.data).toEqual({ status: 'pending' });
    await ann.fill('Code shown in your terminal', code);
    await ann.press('Connect');
    await ann.page.getByRole('heading', { name: 'Your terminal is connected' }).waitFor();
    await ann.sees(/Return to your terminal\. You can close this page\./);
    expect((await poll(stage.service, state)).body.data).toMatchObject({
      status: 'complete',
      email: 'ann@terminal.test',
    });
    expect(ann.problems).toEqual([]);
  });

  it('shows a wrong password in the form and leaves the terminal waiting', async () => {
    const { auth_url: url, state } = await start();
    const eve = await stage.stranger();
    await eve.visit(url);
    await eve.fill('Email', 'nobody@terminal.test');
    await eve.fill('Password', 'not the password');
    await eve.press('Sign in and continue');
    await eve.page.getByRole('alert').getByText('Invalid email or password').waitFor();
    expect((await poll(stage.service, state)).body.data).toEqual({ status: 'pending' });
    expect(eve.faults).toEqual([]);
  });

  it('asks signed-in users for the code only, which the page does not know, and says what the terminal gets', async () => {
    const { auth_url: url, user_code: code, state } = await start({ device_name: 'bobs-laptop' });
    const bob = await stage.person();
    await bob.visit(url, 'Connect your terminal?');
    await bob.sees('bobs-laptop');
    await bob.sees(bob.email);
    await bob.sees(/as an owner of the workspace Robin, for 90 days or until you revoke it/);
    expect(await bob.page.content()).not.toContain(code);
    await bob.press('Connect');
    expect((await poll(stage.service, state)).body.data).toEqual({ status: 'pending' });
    await bob.fill('Code shown in your terminal', code.toLowerCase().replace('-', ''));
    await bob.press('Connect');
    await bob.page.getByRole('heading', { name: 'Your terminal is connected' }).waitFor();
    expect((await poll(stage.service, state)).body.data).toMatchObject({ status: 'complete', email: bob.email });
    expect(bob.problems).toEqual([]);
  });

  it('connects no other account than the one on the page', async () => {
    const { auth_url: url, user_code: code, state } = await start();
    const [ann, bob] = [await signUp(stage.service), await stage.person()];
    await bob.visit(url, 'Connect your terminal?');
    await signInElsewhere(bob, ann.email);
    await bob.fill('Code shown in your terminal', code);
    await bob.press('Connect');
    await isToldOf(bob, ann.email);
    expect((await poll(stage.service, state)).body.data).toEqual({ status: 'pending' });
    await bob.press('Connect');
    await bob.page.getByRole('heading', { name: 'Your terminal is connected' }).waitFor();
    expect((await poll(stage.service, state)).body.data).toMatchObject({ status: 'complete', email: ann.email });
    expect(bob.faults).toEqual([]);
  });

  it('shows a wrong code in the form and leaves the terminal waiting', async () => {
    const { auth_url: url, state } = await start();
    const eve = await stage.person();
    await eve.visit(url, 'Connect your terminal?');
    await eve.fill('Code shown in your terminal', 'BBBB-BBBB');
    await eve.press('Connect');
    await eve.page.getByRole('alert').getByText('This is not the code in your terminal.').waitFor();
    expect((await poll(stage.service, state)).body.data).toEqual({ status: 'pending' });
    expect(eve.faults).toEqual([]);
  });

  it.each([
    ['expired', 'This sign-in link has expired', 'Run the command in your terminal again.'],
    ['used', 'This sign-in link was already used', 'Return to your terminal.'],
    ['unknown', 'This sign-in link is not valid', 'Run the command in your terminal again.'],
  ])('explains that the login is %s, without a form', async (status, title, description) => {
    const state = status === 'unknown' ? 'nobody' : await startedLogin(stage.service);
    if (status === 'expired') stage.service.advance({ seconds: 300 });
    if (status === 'used') {
      const { userId } = await newOwner(stage.service);
      await callback(stage.service, { state, id_token: await idTokenOf(stage.service, userId) });
    }
    const ann = await stage.stranger();
    await ann.visit(`/cli/login?state=${state}`, title);
    await ann.sees(new RegExp(description));
    expect(await ann.page.getByRole('textbox').count()).toBe(0);
    expect(ann.faults).toEqual([]);
  });
});

describeInBrowser('the page on which an assistant asks for access', () => {
  const BACK = 'http://127.0.0.1:33418/callback';
  const VERIFIER = 'v'.repeat(43);

  async function ask(back = BACK, name = 'Robot'): Promise<{ path: string; clientId: string }> {
    const body = { client_name: name, redirect_uris: [back] };
    const { client_id: clientId } = (await stage.service.call('POST', '/oauth/register', { body })).body;
    const query = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: back,
      code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
      code_challenge_method: 'S256',
    };
    return { path: `/oauth/authorize?${new URLSearchParams(query)}`, clientId };
  }

  it('gives people as long as they need, and asks who they are again after ten minutes', async () => {
    const { email } = await signUp(stage.service);
    const ann = await stage.stranger();
    await ann.page.route(`${BACK}**`, (route) => route.fulfill({ body: 'back' }));
    await ann.visit((await ask()).path, 'Sign in');
    await ann.fill('Email', email);
    await ann.fill('Password', PASSWORD);
    await ann.press('Sign in and continue');
    await ann.page.getByRole('heading', { name: 'Allow Robot to access your account?' }).waitFor();
    stage.service.advance({ seconds: 601 });
    await ann.press('Allow access');
    await ann.fill('Password', PASSWORD);
    await ann.press('Confirm');
    await ann.page.waitForURL(`${BACK}?code=**`);
    expect(ann.faults).toEqual([]);
  });

  it('asks strangers to sign in first, says who asks for what, and lets them choose another account', async () => {
    const { email } = await signUp(stage.service);
    const ann = await stage.stranger();
    await ann.visit((await ask()).path, 'Sign in');
    await ann.sees('Robot asks for access to your account. You decide after you have signed in.');
    await ann.fill('Email', email);
    await ann.fill('Password', PASSWORD);
    await ann.press('Sign in and continue');
    await ann.page.getByRole('heading', { name: 'Allow Robot to access your account?' }).waitFor();
    await ann.sees(email);
    await ann.sees(/, an owner of the workspace Robin, for 90 days or until you revoke it in Account settings\./);
    expect(await accessibilityProblems(ann.page)).toEqual([]);
    await ann.press('Use a different account');
    await ann.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(ann.faults).toEqual([]);
  });

  it.each([
    ['Allow access', 'You allowed this request'],
    ['Deny', 'You denied this request'],
  ])('says after “%s” what was decided, where an application opens beside the page', async (button, heading) => {
    const bob = await stage.person();
    await bob.visit((await ask('robot://callback')).path, 'Allow Robot to access your account?');
    await bob.press(button);
    const title = bob.page.getByRole('heading', { name: heading });
    await title.waitFor();
    expect(await title.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await bob.page.getByRole('button').count()).toBe(0);
    expect(await accessibilityProblems(bob.page)).toEqual([]);
  });

  it('says which mistake an application made, and leads to it only if people want that', async () => {
    const ann = await stage.stranger();
    await ann.visit((await ask()).path.replace('S256', 'plain'), 'This request for access is not valid');
    await ann.sees(/calls itself Robot made a mistake: code_challenge_method must be S256 \(invalid_request\)\./);
    const link = ann.page.getByRole('link', { name: 'return to http://127.0.0.1:33418' });
    expect(await link.getAttribute('href')).toContain(`${BACK}?error=invalid_request&`);
    await ann.visit('/oauth/authorize?client_id=nobody', 'This request for access is not valid');
    await ann.sees(/is not registered here\. Remove the connection in the application and add it again\./);
    expect(await ann.page.getByRole('link', { name: /return to/ }).count()).toBe(0);
    expect(ann.faults).toEqual([]);
  });

  it('offers nothing else while an approval is on its way', async () => {
    const bob = await stage.person();
    let answer = (): void => {};
    const isAsked = new Promise<void>((resolve) => {
      void bob.page.route('**/oauth/approve', async (route) => {
        const held = new Promise<void>((release) => (answer = release));
        resolve();
        await held;
        await route.continue();
      });
    });
    await bob.visit((await ask('robot://callback')).path, 'Allow Robot to access your account?');
    await bob.press('Allow access');
    await isAsked;
    for (const name of ['Deny', 'Use a different account']) {
      const button = bob.page.getByRole('button', { name, disabled: true });
      await button.waitFor();
      await button.click({ force: true });
    }
    await bob.page.getByRole('heading', { name: 'Allow Robot to access your account?' }).waitFor();
    answer();
    await bob.page.getByRole('heading', { name: 'You allowed this request' }).waitFor();
    expect(bob.faults).toEqual([]);
  });

  it('shows the account that has signed in last, also if that happened a moment ago', async () => {
    const [ann, bob] = [await signUp(stage.service), await stage.person()];
    await bob.visit((await ask()).path, 'Allow Robot to access your account?');
    await bob.sees(bob.email);
    await bob.press('Use a different account');
    await bob.fill('Email', ann.email);
    await bob.fill('Password', PASSWORD);
    await bob.press('Sign in and continue');
    await bob.page.getByRole('heading', { name: 'Allow Robot to access your account?' }).waitFor();
    expect(await bob.page.getByRole('main').innerText()).toContain(ann.email);
    expect(await bob.page.getByRole('main').innerText()).not.toContain(bob.email);
    expect(bob.faults).toEqual([]);
  });

  it('gives nothing for another account than the one on the page', async () => {
    const [ann, bob] = [await signUp(stage.service), await stage.person()];
    const codes = () => stage.service.sql('select 1 from oauth_codes');
    await bob.visit((await ask()).path, 'Allow Robot to access your account?');
    const before = await codes();
    await signInElsewhere(bob, ann.email);
    await bob.press('Allow access');
    await isToldOf(bob, ann.email);
    expect(await codes()).toEqual(before);
  });

  it('shows all of a long name and a long address on a phone', async () => {
    const bob = await stage.person();
    const host = `claude.ai.${['a', 'b', 'c'].map((letter) => letter.repeat(60)).join('.')}.evil.example`;
    const path = (await ask(`https://${host}/callback`, 'W'.repeat(100))).path;
    await bob.page.setViewportSize({ width: 360, height: 740 });
    for (const [query, heading] of [
      ['', /^Allow W+ to access your account\?$/],
      ['plain', 'This request for access is not valid'],
    ] as const) {
      await bob.page.goto(query ? path.replace('S256', query) : path);
      await bob.page.getByRole('heading', { name: heading }).waitFor();
      await bob.sees(new RegExp(`${'c'.repeat(60)}\\.evil\\.example`));
      expect(await bob.page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    }
    expect(bob.faults).toEqual([]);
  });

  it('lets people allow changes', async () => {
    const bob = await stage.person();
    await bob.page.route(`${BACK}**`, (route) => route.fulfill({ body: 'back' }));
    const { path, clientId } = await ask();
    await bob.visit(path, 'Allow Robot to access your account?');
    await bob.select('What it may do', 'Read and make changes');
    await bob.press('Allow access');
    await bob.page.waitForURL(`${BACK}?code=**`);
    const code = new URL(bob.page.url()).searchParams.get('code');
    const sent = { grant_type: 'authorization_code', code, client_id: clientId, redirect_uri: BACK };
    const body = { ...sent, code_verifier: VERIFIER };
    expect((await stage.service.call('POST', '/oauth/token', { body })).body.scope).toBe('read write');
    await bob.visit('/app/account', 'Account settings');
    await bob.sees('Application at http://127.0.0.1:33418: reads and makes changes');
    expect(bob.faults).toEqual([]);
  });

  it.each([
    ['Allow access', 'code'],
    ['Deny', 'error'],
  ])('names the assistant and where it continues, and returns there after “%s”', async (button, answer) => {
    const bob = await stage.person();
    await bob.page.route(`${BACK}**`, (route) => route.fulfill({ body: 'back' }));
    const { path, clientId } = await ask();
    await bob.visit(path, 'Allow Robot to access your account?');
    await bob.sees('127.0.0.1:33418');
    await bob.sees(bob.email);
    await bob.press(button);
    await bob.page.waitForURL(`${BACK}**`);
    const given = new URL(bob.page.url()).searchParams.get(answer) ?? '';
    const exchange = {
      grant_type: 'authorization_code',
      code: given,
      client_id: clientId,
      redirect_uri: BACK,
      code_verifier: VERIFIER,
    };
    const { body } = await stage.service.call('POST', '/oauth/token', { body: exchange });
    // Reading is preselected.
    expect(body.scope ?? body.error).toBe(answer === 'code' ? 'read' : 'invalid_grant');
    expect(bob.faults).toEqual([]);
  });
});

describe('while sign-up is closed', () => {
  const closed = startStage({ SVC_SIGNUP: 'closed' });

  describeInBrowser('the pages', () => {
    it.each(['/app/sign-in', '/app/sign-up'])('at %s do not offer to create an account', async (path) => {
      const ann = await closed.stranger();
      await ann.visit(path);
      await ann.page.getByRole('button', { name: 'Sign in' }).waitFor();
      expect(await ann.page.getByText('Create an account').count()).toBe(0);
    });
  });
});
