import { describe, expect, it } from 'vitest';
import { newId, sold } from '../../../server/test/sold.ts';
import { deliver, SECRET, StripeEvents } from '../../../server/test/stripe.ts';
import { openBrand, partnerPerson } from '../../test/brand.ts';
import { describeInBrowser, startStage } from '../../test/stage.ts';

const stage = startStage();

describeInBrowser('the brand’s daily work', () => {
  it('blocks a partner, whose links then answer 410, and brings them back', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const follow = () => stage.service.click({ affiliate_url: `https://acme.test/?aff=${brand.link}` });
    await owner.visit(brand.path('partners'), 'Partners');
    await owner.choose('Actions for Jane', 'Block');
    await owner.press('Block', owner.dialog('Block Jane?'));
    await owner.row('Jane').getByText('Blocked').waitFor();
    expect((await follow()).status).toBe(410);
    await owner.choose('Actions for Jane', 'Unblock');
    await owner.sees('Jane is active again');
    expect((await follow()).status).toBe(200);
    expect(owner.problems).toEqual([]);
  });

  it('finds partners by name, and the address remembers what was searched', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(brand.path('partners'), 'Partners');
    await owner.fill('Search partners', 'nobody');
    await owner.press('Search');
    await owner.page.getByRole('heading', { name: 'No partner fits' }).waitFor();
    expect(new URL(owner.page.url()).search).toBe('?q=nobody');
    await owner.page.reload();
    await owner.page.getByRole('heading', { name: 'No partner fits' }).waitFor();
    await owner.page.goBack();
    await owner.row('Jane').waitFor();
    expect(owner.problems).toEqual([]);
  });

  it('makes a link, switches it off and on, and shows it as a code', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(brand.path('links'), 'Links');
    await owner.press('New link');
    const dialog = owner.dialog('New link');
    await dialog.getByLabel('Partner').selectOption({ label: 'Jane' });
    await dialog.getByLabel('Name in the link').fill('spring');
    await owner.press('Make the link', dialog);
    await owner.row('spring').waitFor();
    const follow = () => stage.service.click({ affiliate_url: 'https://acme.test/?aff=spring' });
    await owner.press('Switch off spring');
    await owner.row('spring').getByText('Off', { exact: true }).waitFor();
    expect((await follow()).status).toBe(410);
    await owner.press('Switch on spring');
    await owner.sees('spring is on');
    expect((await follow()).status).toBe(200);
    await owner.press('QR code of spring');
    await owner.page.getByRole('img', { name: 'QR code that leads to https://acme.test/?aff=spring' }).waitFor();
    await owner.page.keyboard.press('Escape');
    await owner.dialog('QR code of spring').waitFor({ state: 'hidden' });
    expect(owner.problems).toEqual([]);
  });

  it('pages through a long list with the address holding the place', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    for (let count = 0; count < 27; count += 1) await stage.service.clickId(brand.link);
    await owner.visit(brand.path('customers'), 'Customers');
    await owner.press('Older');
    await owner.page.waitForURL('**/customers?cursor=*');
    await owner.page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 2);
    await owner.page.goBack();
    await owner.page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 25);
    expect(owner.problems).toEqual([]);
  });

  it('rejects commissions after being asked, and exports what is left', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { transactionId } = await sold(stage.service, brand);
    await owner.visit(brand.path('commissions'), 'Commissions');
    await owner.page.getByLabel(`Choose ${transactionId}`).check();
    await owner.press('Reject');
    await owner.press('Reject', owner.dialog('Reject 1 commission?'));
    await owner.row(transactionId).getByText('Rejected').waitFor();
    const download = owner.page.waitForEvent('download');
    await owner.page.getByRole('link', { name: 'CSV' }).click();
    const path = await (await download).path();
    const { readFile } = await import('node:fs/promises');
    expect(await readFile(path, 'utf8')).toContain(transactionId);
    expect(owner.problems).toEqual([]);
  });

  it('is told what became of a sale, in sentences', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { transactionId } = await sold(stage.service, brand);
    await owner.visit(brand.path('explain'), 'Where is my commission?');
    await owner.fill('Its value', transactionId);
    await owner.press('Explain');
    await owner.sees('The sale was recorded and the partner earned a commission.');
    await owner.page.getByText('Facts').click();
    await owner.sees('sale attributed'.replace(' ', '_'));
    expect(owner.problems).toEqual([]);
  });

  it('watches events come in', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(brand.path('events'), 'Event log');
    await owner.page.getByRole('heading', { name: 'Nothing has come in yet' }).waitFor();
    await stage.service.clickId(brand.link);
    await owner.row('Jane').getByText('Click').waitFor();
    expect(owner.problems).toEqual([]);
  });

  it('changes its settings, and is told what is wrong with a value', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(`${brand.path('settings')}?tab=commission`, 'Settings');
    await owner.page.getByLabel('Partners earn').selectOption('recurring_percent');
    await owner.fill('Percent', '30.5');
    await owner.fill('Months that renewals earn', '12');
    await owner.fill('Hold, in days', '14');
    await owner.press('Save');
    await owner.sees('Saved');
    const [stored] = await stage.service.sql(
      'select commission_type, commission_rate::float as rate, recurring_months, hold_days from programs where id = $1',
      [brand.program.id],
    );
    expect(stored).toEqual({ commission_type: 'recurring_percent', rate: 30.5, recurring_months: 12, hold_days: 14 });
    await owner.fill('Currency', 'XXX');
    await owner.press('Save');
    await owner.page.getByRole('alert').getByText('currency must be an ISO 4217 code').waitFor();
    expect(owner.faults).toEqual([]);
  });

  it('invites a member, who sees the same program without the owner’s powers', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(brand.path('team'), 'Team');
    await owner.press('Invite somebody');
    await owner.fill('E-mail', 'mia@brand.test');
    await owner.press('Make the invitation');
    const url = await owner.dialog('Send this link to mia@brand.test').locator('pre').innerText();
    const mia = await stage.person();
    await mia.visit(url, /^Join /);
    await mia.press('Accept the invitation');
    await mia.page.waitForURL(`**${brand.path('overview')}`);
    await mia.visit(`${brand.path('settings')}?tab=key`, 'Settings');
    await mia.sees('Only an owner of the workspace can make the key anew.');
    expect(await mia.page.getByRole('button', { name: 'Make the key anew' }).count()).toBe(0);
    await mia.visit(`${brand.path('settings')}?tab=payments`, 'Settings');
    await mia.sees('Only an owner of the workspace can connect the payment processor.');
    expect([...owner.problems, ...mia.problems]).toEqual([]);
  });

  it('connects Stripe with the address to paste there, sees its events come in, and never the secret again', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(`${brand.path('settings')}?tab=payments`, 'Settings');
    await owner.sees(`${stage.url}/api/v1/webhooks/stripe/${brand.program.id}`);
    await owner.fill('Signing secret', SECRET);
    await owner.press('Connect Stripe');
    await owner.sees('Stripe is connected');
    const clickId = await stage.service.customer(brand, newId('user'));
    const stripe = new StripeEvents('2026', stage.service.time);
    const paid = stripe.session({ cents: 5_000, metadata: { svc_click_id: clickId } });
    await deliver(stage.service, brand.program.id, stripe.event('checkout.session.completed', paid));
    await owner.row('checkout.session.completed').waitFor();
    await owner.page.getByRole('status').getByText('checkout.session.completed').waitFor();
    await owner.press('Disconnect');
    expect(await owner.page.content()).not.toContain(SECRET);
    await owner.press('Disconnect', owner.dialog('Disconnect Stripe?'));
    await owner.sees('Not connected');
    await owner.visit(brand.path('commissions'), 'Commissions');
    await owner.row('Jane').getByText('$10.00').waitFor();
    expect(owner.problems).toEqual([]);
  });
});

describeInBrowser('anybody', () => {
  it('chooses a theme that is still there after a reload', async () => {
    const { owner, path } = await openBrand(stage);
    const background = () => owner.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await owner.visit(path('overview'), 'Overview');
    const light = await background();
    await owner.choose(/Your account/, 'Dark');
    const dark = await background();
    expect(dark).not.toBe(light);
    await owner.page.reload();
    await owner.page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await background()).toBe(dark);
    expect(owner.problems).toEqual([]);
  });

  it('signs out, and is asked to sign in where they wanted to go', async () => {
    const { owner, path } = await openBrand(stage);
    await owner.visit(path('overview'), 'Overview');
    await owner.choose(/Your account/, 'Sign out');
    await owner.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await owner.page.goto(path('sales?q=order'));
    await owner.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(new URL(owner.page.url()).searchParams.get('next')).toBe(path('sales?q=order'));
    await owner.fill('E-mail', owner.email);
    await owner.fill('Password', 'a long enough password');
    await owner.press('Sign in');
    await owner.page.getByRole('heading', { name: 'Sales' }).waitFor();
    expect(owner.faults).toEqual([]);
  });

  it('changes their own profile, which the brand sees on payouts', async () => {
    const brand = await openBrand(stage);
    await sold(stage.service, brand);
    const jane = await partnerPerson(stage, brand.partnerId);
    await jane.visit('/app/account', 'Your profile');
    await jane.fill('Where you want to be paid', 'PayPal: jane@partner.test');
    await jane.press('Save');
    await jane.sees('Saved');
    await brand.owner.visit(brand.path('payouts'), 'Payouts');
    await brand.owner.row('PayPal: jane@partner.test').waitFor();
    expect(jane.problems).toEqual([]);
  });
});

describe('an invitation', () => {
  describeInBrowser('that is not open', () => {
    it('says so, and what to do', async () => {
      const brand = await openBrand(stage);
      const { owner } = brand;
      await owner.visit(brand.path('partners'), 'Partners');
      await owner.choose('Actions for Jane', 'New invitation link');
      const url = await owner.dialog('Send this link to Jane').locator('pre').innerText();
      stage.service.advance({ days: 8 });
      const jane = await stage.stranger();
      await jane.visit(url, 'This invitation has expired');
      await jane.visit('/invite#svc_inv_nothing', 'This invitation is not known');
      expect(jane.faults).toEqual([]);
    });
  });
});
