import { memberOf, PASSWORD } from '@svc/testkit/service/accounts.ts';
import { codeOf } from '@svc/testkit/service/authenticator.ts';
import type { CDPSession } from 'playwright-core';
import { expect, it } from 'vitest';
import { accessibilityProblems } from '../../../../test/accessibility.ts';
import { openBrand } from '../../../../test/brand.ts';
import type { Person } from '../../../../test/person.ts';
import { describeInBrowser, startStage } from '../../../../test/stage.ts';

const stage = startStage();

/** Fills a field of the dialog in front. */
const fillIn = (person: Person, label: string, value: string) =>
  person.page.getByRole('dialog').last().getByLabel(label, { exact: true }).fill(value);

/** The key that the page shows for apps that cannot scan, as the URI in the QR code. */
async function shownUri(person: Person): Promise<string> {
  const key = await person.dialog('Scan this code with your app').locator('pre').innerText();
  return `otpauth://totp/svc?secret=${key}`;
}

/** Sets up an authenticator app; returns its URI and the recovery codes. */
async function setUpApp(person: Person): Promise<{ uri: string; codes: string[] }> {
  await person.press('Set up authenticator app');
  await fillIn(person, 'Password', PASSWORD);
  await person.press('Continue');
  const uri = await shownUri(person);
  await fillIn(person, 'Code that the app shows', '000000');
  await person.press('Turn on');
  await person.sees('This code is wrong or was already used.');
  await fillIn(person, 'Code that the app shows', codeOf(uri));
  await person.press('Turn on');
  const shown = person.dialog('Save your recovery codes').getByRole('listitem');
  await shown.first().waitFor();
  const codes = await shown.allInnerTexts();
  return { uri, codes };
}

async function signInWithPassword(person: Person, email: string): Promise<void> {
  await person.visit('/app/sign-in', 'Sign in');
  await person.fill('Email', email);
  await person.fill('Password', PASSWORD);
  await person.press('Sign in');
}

/** Gives the person's browser a device that keeps passkeys and checks who holds it. */
async function addDevice(person: Person): Promise<CDPSession> {
  person.isProfileChanged = true;
  const devtools = await person.context.newCDPSession(person.page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return devtools;
}

describeInBrowser('second factors', () => {
  it('an authenticator app is set up, asked for at the sign-in, replaced by a recovery code, and turned off', async () => {
    const ann = await stage.person();
    await ann.visit('/app/account', 'Account settings');
    await ann.sees('This installation doesn’t send email. You’ll find links and news on these pages only.');
    const { uri, codes } = await setUpApp(ann);
    expect(codes).toHaveLength(10);
    expect(await accessibilityProblems(ann.page)).toEqual([]);
    const [file] = await Promise.all([
      ann.page.waitForEvent('download'),
      ann.page.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('svc-recovery-codes.txt');
    await ann.press('I’ve saved them');
    await ann.sees('10 recovery codes left.');

    const phone = await stage.stranger();
    await phone.visit('/app/forgot-password', 'Forgot your password?');
    await phone.sees('This installation doesn’t send email.');
    await signInWithPassword(phone, ann.email);
    await phone.sees('Six digits that change every 30 seconds.');
    expect(await accessibilityProblems(phone.page)).toEqual([]);
    await phone.fill('Code from your authenticator app', '111111');
    await phone.press('Continue');
    await phone.sees('This code is wrong or was already used.');
    await phone.fill('Code from your authenticator app', codeOf(uri, 1));
    await phone.press('Continue');
    await phone.page.waitForURL('**/app/start');

    const laptop = await stage.stranger();
    await signInWithPassword(laptop, ann.email);
    await laptop.press('Use a recovery code');
    await laptop.fill('Recovery code', codes[0] ?? '');
    await laptop.press('Continue');
    await laptop.page.waitForURL('**/app/start');

    await ann.visit('/app/account', 'Account settings');
    await ann.sees('9 recovery codes left.');
    const browsers = ann.page.getByRole('region', { name: 'Signed-in browsers' });
    await browsers.getByText('Chrome on Linux').first().waitFor();
    await ann.press('Sign out all others', browsers);
    await ann.press('Sign out', ann.dialog('Sign out all other browsers?'));
    // Its button is out of reach as soon as the dialog is open, so that it is gone says nothing.
    await ann.sees('2 browsers signed out');
    await browsers.getByRole('button', { name: 'Sign out all others' }).waitFor({ state: 'hidden' });
    await phone.page.goto('/app/account');
    await phone.page.waitForURL('**/app/sign-in?*');

    // More than ten minutes after the last code, the password is not enough to remove the last factor.
    stage.service.advance({ seconds: 601 });
    await ann.press('Turn off');
    await fillIn(ann, 'Password', PASSWORD);
    await ann.press('Turn off', ann.dialog('Turn off the authenticator app?'));
    const proof = ann.dialog('Confirm it’s you');
    await proof.getByText('This changes your second factors, so your password isn’t enough.').waitFor();
    expect(await accessibilityProblems(ann.page)).toEqual([]);
    await proof.getByLabel('Code from your authenticator app, or a recovery code').fill(codes[1] ?? '');
    await ann.press('Confirm', proof);
    await ann.sees('Authenticator app turned off');
    await ann.page.getByRole('button', { name: 'Set up authenticator app' }).waitFor();
    expect([...ann.faults, ...phone.faults, ...laptop.faults]).toEqual([]);
  });

  it('a passkey is added, renamed, used to sign in and to confirm, and removed', async () => {
    const { owner: bob, path } = await openBrand(stage);
    await addDevice(bob);
    await bob.visit('/app/account', 'Account settings');
    const card = bob.page.getByRole('region', { name: 'Passkeys' });
    await bob.press('Add a passkey', card);
    await fillIn(bob, 'Name', 'Laptop');
    await bob.press('Continue', bob.dialog('Add a passkey'));
    await card.getByText('never used').waitFor();
    await bob.press('Rename Laptop', card);
    await fillIn(bob, 'Name', 'Work laptop');
    await bob.press('Save');
    await card.getByText('Work laptop').waitFor();

    await bob.page.context().clearCookies();
    await bob.visit('/app/sign-in', 'Sign in');
    await bob.press('Use a passkey');
    await bob.page.waitForURL(`**${path('overview')}`);
    await bob.page.context().clearCookies();
    await signInWithPassword(bob, bob.email);
    await bob.sees('Your password is right. Now use the passkey that you added to your account.');
    await bob.press('Use a passkey');
    await bob.page.waitForURL(`**${path('overview')}`);

    // More than ten minutes later, a new key needs a new proof.
    stage.service.advance({ seconds: 601 });
    await bob.visit(path('settings?tab=key'), 'Settings');
    await bob.press(/^Regenerate/);
    await bob.press(/^Regenerate/, bob.page.getByRole('dialog'));
    await bob.dialog('Confirm it’s you').waitFor();
    expect(await accessibilityProblems(bob.page)).toEqual([]);
    await bob.press('Use a passkey', bob.dialog('Confirm it’s you'));
    await bob.dialog('Your new API key').waitFor();
    await bob.press('Done', bob.dialog('Your new API key'));

    await bob.visit('/app/account', 'Account settings');
    await card.getByText(/last used/).waitFor();
    await bob.press('Remove Work laptop', card);
    await bob.press('Remove', bob.dialog(/^Remove the passkey/));
    await card.getByText('No passkeys yet.').waitFor();
    expect(bob.faults).toEqual([]);
  });

  it('a workspace that requires one leads its members to set it up, and nowhere else', async () => {
    const { owner, path, workspaceId } = await openBrand(stage);
    const carl = await stage.person();
    await stage.service.sql('update workspace_members set advertiser_id = $2, role = $3 where user_id = $1', [
      carl.userId,
      workspaceId,
      'member',
    ]);
    await memberOf(stage.service, workspaceId, 'member');
    await carl.visit(path('overview'), 'Overview');
    await owner.visit(path('team'), 'Team');
    await owner.press('Require it');
    await owner.press('Require it', owner.dialog('Require a second factor?'));
    await owner.sees('Set up a second factor for your own account before you require it from others.');
    await owner.press('Cancel');
    await owner.visit('/app/account', 'Account settings');
    await setUpApp(owner);
    await owner.press('I’ve saved them');
    stage.service.advance({ seconds: 601 });
    await owner.visit(path('team'), 'Team');
    await owner.press('Require it');
    await owner.press('Require it', owner.dialog('Require a second factor?'));
    await fillIn(owner, 'Password', 'a wrong password');
    await owner.press('Confirm', owner.dialog('Confirm it’s you'));
    await owner.sees('Invalid password');
    await fillIn(owner, 'Password', PASSWORD);
    await owner.press('Confirm', owner.dialog('Confirm it’s you'));
    await owner.sees('Everyone in this workspace needs one.');

    for (const page of ['overview', 'partners', 'settings']) {
      await carl.page.goto(path(page));
      await carl.page.waitForURL('**/app/account');
    }
    await carl.sees('requires a second factor. Set up an authenticator app or add a passkey below to continue.');
    await setUpApp(carl);
    await carl.press('I’ve saved them');
    await carl.page.getByRole('link', { name: 'Back to dashboard' }).click();
    await carl.page.waitForURL(`**${path('overview')}`);
    expect([...owner.faults, ...carl.faults]).toEqual([]);
  });
});
