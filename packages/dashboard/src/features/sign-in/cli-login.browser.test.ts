import { describe, expect, it } from 'vitest';
import { callback, idTokenOf, newOwner, poll, startedLogin } from '../../../../server/test/accounts.ts';
import { describeInBrowser, startStage } from '../../../test/stage.ts';

const stage = startStage();

const start = async (body: object = {}) =>
  (await stage.service.call('POST', '/api/v1/cli/auth/start', { body })).body.data;

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
