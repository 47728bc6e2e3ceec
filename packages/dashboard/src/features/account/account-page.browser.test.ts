import { readFile } from 'node:fs/promises';
import { manage, newToken, PASSWORD, signIn } from '@svc/testkit/service/accounts.ts';
import { linkIn, Mailbox } from '@svc/testkit/service/mailbox.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { afterAll, expect, it } from 'vitest';
import { queueMail } from '../../../../server/src/mail/queue-mail.ts';
import { accessibilityProblems } from '../../../test/accessibility.ts';
import { openBrand, partnerPerson } from '../../../test/brand.ts';
import type { Person } from '../../../test/person.ts';
import { describeInBrowser, startStage } from '../../../test/stage.ts';

const mailbox = new Mailbox();
const stage = startStage(async () => {
  await mailbox.open();
  return { SVC_SMTP_URL: mailbox.url, SVC_MAIL_FROM: 'partners@mail.test' };
});
afterAll(() => mailbox.close());

describeInBrowser('the account’s tokens', () => {
  it('are listed, and revoked after a confirmation', async () => {
    const ann = await stage.person();
    await newToken(stage.service, ann.userId);
    const key = await newToken(stage.service, ann.userId);
    const status = async () => (await stage.service.call('GET', '/api/v1/manage/me', { key })).status;
    expect(await status()).toBe(200);
    await ann.visit('/app/account', 'Account settings');
    const card = ann.page.getByRole('region', { name: 'Account tokens' });
    await card.getByText(/^Created .*, last used .*, expires /).waitFor();
    await card.getByText(/never used/).waitFor();
    expect(await accessibilityProblems(ann.page)).toEqual([]);
    const revoke = card.getByRole('button', { name: 'Revoke svc login' }).first();
    await revoke.click();
    await ann.press('Cancel', ann.dialog(/^Revoke the token/));
    expect(await status()).toBe(200);
    await revoke.click();
    await ann.press('Revoke', ann.dialog(/^Revoke the token/));
    await ann.sees('Token revoked');
    expect(await status()).toBe(401);
    await card.getByText(/last used/).waitFor({ state: 'hidden' });
    expect(await card.getByRole('button', { name: /^Revoke/ }).count()).toBe(1);
    expect(ann.problems).toEqual([]);
  });

  it('are created with a name, scopes, a program and an expiry, and shown once', async () => {
    const { owner, program } = await openBrand(stage);
    await owner.visit('/app/account', 'Account settings');
    const card = owner.page.getByRole('region', { name: 'Account tokens' });
    await owner.press('Create token');
    const dialog = owner.dialog('Create an account token');
    await dialog.getByLabel('Name').fill('Zapier');
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await owner.select('What it may do', 'Read and report events');
    await owner.select('Expires after', 'No expiry');
    await owner.press('Create token', dialog);
    const token = await owner.dialog('Your new token').locator('pre').innerText();
    await owner.press('Done');
    await card.getByText(`reads only, reports events in program ${program.id} only`).waitFor();
    await card.getByText(/never used, does not expire$/).waitFor();
    expect(await owner.page.content()).not.toContain(token);
    expect((await stage.service.readiness(token)).status).toBe(200);
    const regenerate = `/api/v1/manage/programs/${program.id}/api-key/regenerate`;
    expect((await stage.service.call('POST', regenerate, { key: token })).status).toBe(403);
    expect(owner.problems).toEqual([]);
  });
});

describeInBrowser('mail', () => {
  it('makes confirming the address the first step of a new partner', async () => {
    const brand = await openBrand(stage);
    const jane = await partnerPerson(stage, brand.partnerId);
    const overview = `/app/portal/${brand.program.id}/overview`;
    await jane.visit(overview, 'Overview');
    await jane.sees('1 of 5 done');
    await jane.sees('Confirm your email address');
    await jane.page.getByRole('link', { name: 'Open account settings' }).waitFor();
    await jane.visit(linkIn(await mailbox.next(jane.email)), 'Confirm your email address');
    await jane.press('Confirm');
    await jane.sees('Your email address is confirmed');
    await jane.visit(overview, 'Overview');
    await jane.sees('2 of 5 done');
    expect(jane.problems).toEqual([]);
  });

  it('confirms the address, replaces a forgotten password, and is switched off', async () => {
    const ann = await stage.person();
    await ann.visit('/app/account', 'Account settings');
    await ann.sees('Not confirmed');
    expect(await accessibilityProblems(ann.page)).toEqual([]);
    await ann.visit(linkIn(await mailbox.next(ann.email)), 'Confirm your email address');
    await ann.press('Confirm');
    await ann.sees('Your email address is confirmed');

    const lost = await stage.stranger();
    await lost.visit('/app/sign-in', 'Sign in');
    await lost.page.getByRole('link', { name: 'Forgot password?' }).click();
    // Both pages have a field for the address.
    await lost.page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
    await lost.fill('Email', ann.email);
    await lost.press('Send link');
    await lost.sees('It works once, for one hour.');
    const link = linkIn(await mailbox.next(ann.email));
    await lost.visit(link, 'Choose a new password');
    await lost.fill('New password', 'an entirely new password');
    await lost.press('Set new password');
    await lost.page.getByRole('link', { name: 'Sign in' }).click();
    await lost.fill('Email', ann.email);
    await lost.fill('Password', 'an entirely new password');
    await lost.press('Sign in');
    await lost.page.waitForURL(/\/app\/start$/);
    await lost.visit('/app/account', 'Account settings');
    await lost.sees('Confirmed');

    const late = await stage.stranger();
    await late.visit(link, 'Choose a new password');
    await late.fill('New password', 'yet another password');
    await late.press('Set new password');
    await late.sees('This link has expired');
    await late.page.getByRole('link', { name: 'Get a new link' }).click();
    await late.page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();

    const digest = lost.page.getByLabel('Sales of the week, every Monday');
    const fields = { isOwn: true, from: '2026-03-02', to: '2026-03-08', sales: 1, amounts: [] };
    const mail = { kind: 'weekly_digest', cause: 'digest', to: { userId: ann.userId }, fields } as const;
    await queueMail(stage.service.ctx.db, stage.service.ctx, mail);
    const { text } = await mailbox.next(ann.email, ({ subject }) => subject.startsWith('1 sale'));
    const [, unsubscribe = ''] = /Unsubscribe: (\S+)/.exec(text) ?? [];
    expect(await digest.isChecked()).toBe(true);
    await late.visit(unsubscribe, 'Unsubscribe');
    await late.press('Unsubscribe');
    await late.sees('You’re unsubscribed');
    await lost.visit('/app/account', 'Account settings');
    await expect.poll(() => digest.isChecked()).toBe(false);
    await digest.check();
    await lost.untilLoaded();
    expect(await digest.isChecked()).toBe(true);
    expect([...ann.problems, ...lost.problems]).toEqual([]);
  });
});

describeInBrowser('a new password', () => {
  it.each([
    ['confirmed', 'Join Acme'],
    ['never confirmed', 'Invitation not found'],
  ])('ends what the pages say, for an address that was %s: partners’ links still open', async (which, title) => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { service } = stage;
    const verification = linkIn(await mailbox.next(owner.email));
    if (which === 'confirmed') {
      await owner.visit(verification, 'Confirm your email address');
      await owner.press('Confirm');
      await owner.sees('Your email address is confirmed');
    }
    const key = await newToken(service, owner.userId);
    const invite = async (path: string, body: object): Promise<string> => {
      const answer = await service.call('POST', path, { key, body });
      expect(answer.status, answer.text).toBe(201);
      return answer.body.data.invite_url;
    };
    await service.sql(`update advertisers set name = 'Acme' where id = $1`, [brand.workspaceId]);
    const partner = { name: 'Bea', email: `${newId('bea')}@partner.test`, open_link: true };
    const ofPartner = await invite(manage(brand, '/partners'), partner);
    const colleague = { email: `${newId('carl')}@people.test`, open_link: true };
    const ofColleague = await invite('/api/v1/manage/invitations', colleague);

    const lost = await stage.stranger();
    await lost.visit('/app/forgot-password', 'Forgot your password?');
    await lost.sees('A new password signs you out everywhere and ends account tokens of the CLI and of scripts.');
    await lost.sees(/^If you have never confirmed your email address, it also ends your invitations to the team/);
    await lost.fill('Email', owner.email);
    await lost.press('Send link');
    await lost.sees('It works once, for one hour.');
    const link = linkIn(await mailbox.next(owner.email, ({ html }) => html.includes('/app/reset-password')));
    await lost.visit(link, 'Choose a new password');
    await lost.sees('You’ll be signed out everywhere, and account tokens of the CLI and of scripts end.');
    await lost.sees(/^Invitations that you sent to partners keep working. If you had never confirmed/);
    await lost.fill('New password', 'an entirely new password');
    await lost.press('Set new password');
    await lost.page.getByRole('heading', { name: 'Your new password is set' }).waitFor();
    expect((await service.call('GET', '/api/v1/manage/me', { key })).status).toBe(401);

    const invited = await stage.stranger();
    await invited.visit(ofPartner, 'Become a partner of Acme');
    await invited.visit(ofColleague, title);
    const wayOut = 'Ask the person who invited you for a new one.';
    expect(await invited.page.getByText(wayOut).count()).toBe(which === 'confirmed' ? 0 : 1);
    expect([...owner.faults, ...lost.faults, ...invited.faults]).toEqual([]);
  });
});

/** The file behind *Export data*. */
async function exported(person: Person): Promise<Record<string, Record<string, unknown>>> {
  const [file] = await Promise.all([
    person.page.waitForEvent('download'),
    person.page.getByRole('link', { name: 'Export data' }).click(),
  ]);
  return JSON.parse(await readFile(await file.path(), 'utf8')).data;
}

describeInBrowser('a person’s data', () => {
  it('files say why they do not come, and have their names', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { page } = owner;
    await sold(stage.service, brand);
    const [customer] = await stage.service.sql<{ id: number }>('select id from customers where program_id = $1', [
      brand.program.id,
    ]);
    owner.isProfileChanged = true;
    const files = [
      ['/app/account', 'Account settings', 'Export data', /^account\.json$/],
      [brand.path(`customers/${customer?.id}`), '', 'Export data', /^customer-\d+\.json$/],
      [brand.path('payouts?tab=books'), 'Payouts', 'For Beancount', /\.beancount$/],
      [brand.path('payouts?tab=books'), 'Payouts', 'For hledger', /\.journal$/],
    ] as const;
    for (const [path, heading, name, fileName] of files) {
      await owner.visit(path, heading || undefined);
      await owner.untilLoaded();
      const link = page.getByRole('link', { name, exact: true });
      await owner.context.setOffline(true);
      await link.click();
      await owner.sees('You’re offline. Check your connection and try again.');
      await owner.context.setOffline(false);
      await page.getByText('What you see may be out of date').waitFor({ state: 'detached' });
      const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
      expect(file.suggestedFilename()).toMatch(fileName);
    }
    expect(owner.faults).toEqual([]);
  });

  it('a brand exports and erases a customer, and the page says so', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const customerKey = newId('jane');
    await stage.service.customer(brand, customerKey);
    const [row] = await stage.service.sql<{ id: number }>('select id from customers where customer_key = $1', [
      customerKey,
    ]);
    await owner.visit(brand.path(`customers/${row?.id}`), customerKey);
    expect(await exported(owner)).toMatchObject({ customer: { customer_key: customerKey }, clicks: [{}] });
    await owner.press('Erase…');
    const dialog = owner.dialog('Erase this customer?');
    const erase = dialog.getByRole('button', { name: 'Erase customer' });
    expect(await erase.isDisabled()).toBe(true);
    await owner.fill('Reason (optional)', `${customerKey} asked for it`);
    await owner.fill('Type “erase” to confirm', 'Erase');
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await erase.click();
    await owner.sees('Customer erased');
    await owner.page.getByRole('heading', { level: 1, name: `Erased customer ${row?.id}` }).waitFor();
    expect(await owner.page.getByRole('link', { name: 'Export data' }).count()).toBe(0);
    expect(await owner.page.getByText(customerKey).count()).toBe(0);
    await owner.visit(brand.path('audit'), 'Audit log');
    await owner.sees('erased customer');
    expect(owner.problems).toEqual([]);
  });

  it('is exported and deleted with the account, unless others depend on it', async () => {
    const { owner } = await openBrand(stage);
    await owner.visit('/app/account', 'Account settings');
    await owner.press('Delete account…');
    const dialog = owner.dialog('Delete your account?');
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await owner.press('Delete account', dialog);
    await dialog.getByText('Make someone else an owner first').waitFor();

    const ann = await stage.person();
    await ann.visit('/app/account', 'Account settings');
    expect(await exported(ann)).toMatchObject({ account: { email: ann.email }, sessions: [{}] });
    await ann.press('Delete account…');
    await ann.dialog('Delete your account?').getByLabel('Password', { exact: true }).fill(PASSWORD);
    expect(await accessibilityProblems(ann.page)).toEqual([]);
    await ann.press('Delete account', ann.dialog('Delete your account?'));
    await ann.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect((await signIn(stage.service, ann.email)).status).toBe(401);
    expect(ann.problems).toEqual([]);
  });
});
