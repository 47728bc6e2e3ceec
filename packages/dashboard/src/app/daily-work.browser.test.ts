import { readFile } from 'node:fs/promises';
import { checkoutGuides, type ProcessorName } from '@svc/contract';
import { CUSTOM_SECRET } from '@svc/testkit/service/payments/custom.ts';
import { LEMON_SECRET } from '@svc/testkit/service/payments/lemonsqueezy.ts';
import { deliverPaddle, PADDLE_SECRET, PaddleEvents } from '@svc/testkit/service/payments/paddle.ts';
import { POLAR_SECRET } from '@svc/testkit/service/payments/polar.ts';
import { SHOPS } from '@svc/testkit/service/payments/shops.ts';
import { connectStripe, deliver, SECRET, StripeEvents, settle, signed } from '@svc/testkit/service/payments/stripe.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { soldByMany } from '@svc/testkit/service/sold-by-many.ts';
import { expect, it } from 'vitest';
import { updateExternalId } from '../../../server/src/partners/partner-store.ts';
import { processors } from '../../../server/src/payments/processors/processors.ts';
import { accessibilityProblems } from '../../test/accessibility.ts';
import { type Brand, openBrand, partnerPerson } from '../../test/brand.ts';
import type { Person } from '../../test/person.ts';
import { describeInBrowser, startStage } from '../../test/stage.ts';

const stage = startStage();

const PARTNERS = 220;

/** Selects all rows of the filter, not only those of the page. */
async function selectAll(person: Person, noun: string): Promise<void> {
  await person.page.getByLabel('Select all rows on this page').check();
  await person.press(`Select all ${PARTNERS} ${noun}`);
  await person.sees(`All ${PARTNERS} ${noun} selected`);
}

const stagesOf = (brand: Brand) =>
  stage.service.sql('select stage, count(*) from commissions where program_id = $1 group by 1', [brand.program.id]);

describeInBrowser('a brand in its daily work', () => {
  it('blocks a partner, whose links then return 410, and unblocks them', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const follow = () => stage.service.click({ affiliate_url: `https://acme.test/?aff=${brand.link}` });
    await owner.visit(brand.path('partners'), 'Partners');
    await owner.choose('Actions for Jane', 'Block');
    await owner.press('Block', owner.dialog('Block Jane?'));
    await owner.row('Jane').getByText('Blocked').waitFor();
    expect((await follow()).status).toBe(410);
    await owner.visit(`${brand.path('sales')}?partner_id=${brand.partnerId}`, 'Sales');
    await owner.page.getByLabel('Partner', { exact: true }).filter({ hasText: 'Jane' }).waitFor();
    await owner.visit(brand.path('partners'), 'Partners');
    await owner.choose('Actions for Jane', 'Unblock');
    await owner.sees('Jane is active again');
    expect((await follow()).status).toBe(200);
    expect(owner.problems).toEqual([]);
  });

  it('gives a partner another name and its own id of them, unless another partner has that', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { partnerId } = await stage.service.partner(brand.program);
    await updateExternalId(stage.service.ctx.db, brand.program.id, partnerId, 'user_7');
    await owner.visit(brand.path(`partners/${brand.partnerId}`), 'Jane');
    const change = async (name: string, externalId: string) => {
      await owner.choose('Actions for Jane', 'Edit');
      await owner.fill('Name', name);
      await owner.fill('External ID', externalId);
      await owner.press('Save changes');
    };
    await change('Jane', 'user_7');
    await owner.dialog('Edit Jane').getByText('The external ID belongs to another partner of this program').waitFor();
    await owner.press('Cancel');
    await change('Jane Doe', 'user_42');
    await owner.page.getByRole('heading', { name: 'Jane Doe' }).waitFor();
    await owner.sees('user_42');
    expect(
      await stage.service.sql('select external_id from memberships where partner_id = $1', [brand.partnerId]),
    ).toEqual([{ external_id: 'user_42' }]);
  });

  it('finds partners by name, and the URL keeps the search', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(brand.path('partners'), 'Partners');
    await owner.fill('Search partners', 'nobody');
    await owner.press('Search');
    await owner.page.getByRole('heading', { name: 'No matches' }).waitFor();
    expect(new URL(owner.page.url()).search).toBe('?q=nobody');
    await owner.page.reload();
    await owner.page.getByRole('heading', { name: 'No matches' }).waitFor();
    await owner.page.goBack();
    await owner.row('Jane').waitFor();
    expect(owner.problems).toEqual([]);
  });

  it('creates a link, disables and enables it, and shows its QR code', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(brand.path('links'), 'Links');
    await owner.press('New link');
    const dialog = owner.dialog('New link');
    await owner.find('Partner', 'jan', 'Jane', dialog);
    await dialog.getByLabel('Link name').fill('spring');
    await owner.press('Create link', dialog);
    await owner.row('spring').waitFor();
    await owner.press('New link');
    await owner.find('Partner', 'jan', 'Jane', dialog);
    await dialog.getByLabel('Link name').fill('spring');
    await owner.press('Create link', dialog);
    await dialog.getByText('The link name "spring" is taken. Choose another.').waitFor();
    await dialog.getByLabel('Link name').and(owner.page.locator(':focus[aria-invalid]')).waitFor();
    await owner.press('Cancel', dialog);
    const follow = () => stage.service.click({ affiliate_url: 'https://acme.test/?aff=spring' });
    await owner.choose('Actions for spring', 'Disable');
    await owner.row('spring').getByText('Disabled', { exact: true }).waitFor();
    expect((await follow()).status).toBe(410);
    await owner.choose('Actions for spring', 'Enable');
    await owner.sees('Link spring enabled');
    expect((await follow()).status).toBe(200);
    await owner.press('QR code for spring');
    await owner.page.getByRole('img', { name: `QR code for ${stage.service.ctx.baseUrl}/r/spring` }).waitFor();
    await owner.page.keyboard.press('Escape');
    await owner.dialog('QR code for spring').waitFor({ state: 'hidden' });
    expect(owner.faults).toEqual([]);
  });

  it('ignores unknown and invalid filters in the URL', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { transactionId } = await sold(stage.service, brand);
    await owner.load(`${brand.path('commissions')}?status=bogus&color=red&q=${transactionId}`, 'Commissions');
    await owner.row(transactionId).waitFor();
    expect(new URL(owner.page.url()).search).toBe(`?q=${transactionId}`);
    expect(owner.problems).toEqual([]);
  });

  it('pages through a long list, with the cursor in the URL', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    for (let count = 0; count < 27; count += 1) await stage.service.clickId(brand.link);
    await owner.visit(brand.path('customers'), 'Customers');
    await owner.press('Next page');
    await owner.page.waitForURL('**/customers?cursor=*');
    await owner.page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 2);
    await owner.page.goBack();
    await owner.page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 25);
    expect(owner.problems).toEqual([]);
  });

  it('reviews a month with 220 partners: exports it, rejects and undoes, and approves all of it', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { page } = owner;
    const month = `${stage.service.time.getUTCFullYear() - 1}-10`;
    await soldByMany(stage.service, brand, PARTNERS, month);

    // The month has 31 days, and the file contains all of them, with amounts that a spreadsheet can add.
    await owner.visit(`${brand.path('commissions')}?from=${month}-01&to=${month}-31`, 'Commissions');
    await owner.sees(`${PARTNERS} commissions`);
    await page.getByRole('rowheader', { name: 'Total' }).locator('xpath=..').getByText('$4,400.00').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(PARTNERS + 1);
    expect(lines.filter((line) => line.includes(`,20.00,2000,`) && line.includes(`${month}-31T`))).toHaveLength(7);
    await page.getByRole('button', { name: 'Sale', exact: true }).click();
    await owner.row('Partner 220').getByText('$102.20').waitFor();
    await owner.choose('Views', 'Save current view');
    await owner.fill('Name', 'Month end');
    await owner.press('Save view', owner.dialog('Save view'));
    await owner.press('Month end');
    await page.keyboard.press('Escape');

    // A partner who was added first and is blocked now is found by name.
    await stage.service.sql(
      `update memberships m set status = 'blocked' from partners p
       where p.id = m.partner_id and m.program_id = $1 and p.name = 'Partner 001'`,
      [brand.program.id],
    );
    await owner.find('Partner', 'partner 001', 'Partner 001');
    await owner.sees('1 commission');
    await owner.choose(/^Actions for order-/, 'Reject');
    await page.getByLabel('Reason').fill('Bought by the partner.');
    await owner.press('Reject', owner.dialog('Reject $20.00 to Partner 001?'));
    await owner.row('Partner 001').getByText('Bought by the partner.').waitFor();
    await owner.choose(/^Actions for order-/, 'Undo rejection');
    await owner.row('Partner 001').getByText('Pending').waitFor();

    await owner.choose('Views', 'Month end');
    await owner.sees(`${PARTNERS} commissions`);
    await selectAll(owner, 'commissions');
    await owner.press('Approve');
    const approval = owner.dialog(`Approve ${PARTNERS} commissions?`);
    await approval.getByText('$4,400.00 in total.').waitFor();
    await owner.press('Approve', approval);
    await owner.sees(`${PARTNERS} commissions approved`);
    expect(await stagesOf(brand)).toEqual([{ stage: 'approved', count: PARTNERS }]);
    expect(owner.problems).toEqual([]);
  }, 120_000);

  it('pays 220 partners: creates their payouts after a preview, and marks them all as paid', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { page } = owner;
    await soldByMany(stage.service, brand, PARTNERS, '2025-10');
    await stage.service.sql(`update commissions set stage = 'approved', hold_reason = null where program_id = $1`, [
      brand.program.id,
    ]);
    await owner.visit(brand.path('payouts'), 'Payouts');
    await owner.sees(`${PARTNERS} balances`);
    await owner.press('Pay by hand…');
    const run = owner.dialog('Pay by hand');
    await run.getByText(`${PARTNERS} payouts, $4,400.00`).waitFor();
    await run.getByText(`Leave out ${PARTNERS} balances of partners without a payout method`).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await owner.press(`Create ${PARTNERS} payouts`, run);
    await page.waitForURL('**/payouts?tab=payouts&status=open');
    await owner.sees(`${PARTNERS} payouts created`);
    await selectAll(owner, 'payouts');
    expect(await accessibilityProblems(page)).toEqual([]);
    await owner.press('Mark as paid', page.getByRole('region', { name: 'Selected payouts' }));
    const paying = owner.dialog(`Mark ${PARTNERS} payouts as paid?`);
    await paying.getByText('$4,400.00 in total.').waitFor();
    await paying.getByLabel('Reference').fill('SEPA 2');
    await owner.press('Mark as paid', paying);
    await owner.sees(`${PARTNERS} payouts marked as paid`);
    expect(await stagesOf(brand)).toEqual([{ stage: 'paid', count: PARTNERS }]);
    expect(owner.problems).toEqual([]);
  }, 120_000);

  it('filters and selects with the keyboard and with Shift, without moving a row', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { page } = owner;
    const sales: { transactionId: string }[] = [];
    for (let count = 0; count < 4; count += 1) sales.push(await sold(stage.service, brand));
    await owner.visit(brand.path('commissions'), 'Commissions');
    const boxOf = (index: number) => page.getByLabel(`Select ${sales[index]?.transactionId}`);
    await boxOf(3).waitFor();
    const top = (await boxOf(0).boundingBox())?.y;
    await boxOf(3).click();
    await boxOf(1).click({ modifiers: ['Shift'] });
    await page.getByRole('region', { name: 'Selected commissions' }).getByText('3 selected').waitFor();
    expect([await boxOf(2).isChecked(), await boxOf(0).isChecked()]).toEqual([true, false]);
    expect((await boxOf(0).boundingBox())?.y).toBe(top);
    await owner.press('Clear selection');
    const list = page.getByRole('region', { name: 'Commissions', exact: true }).and(page.locator(':focus'));
    await list.waitFor();

    // Rows that leave the list leave the focus in it.
    await owner.visit(`${brand.path('commissions')}?status=pending`, 'Commissions');
    await boxOf(3).click();
    await page.getByRole('button', { name: 'Approve', exact: true }).press('Enter');
    await owner.dialog('Approve 1 commission?').getByRole('button', { name: 'Approve' }).press('Enter');
    await boxOf(3).waitFor({ state: 'detached' });
    await list.waitFor();
    await page.getByLabel(`Actions for ${sales[2]?.transactionId}`).press('Enter');
    await page.getByRole('menuitem', { name: 'Reject' }).press('Enter');
    await page.getByRole('button', { name: 'Reject', exact: true }).press('Enter');
    await boxOf(2).waitFor({ state: 'detached' });
    await list.waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByLabel(`Actions for ${sales[1]?.transactionId}`).press('Enter');
    await page.getByRole('menuitem', { name: 'Approve' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).press('Enter');
    await boxOf(1).waitFor({ state: 'detached' });
    await list.waitFor();
    await owner.visit(brand.path('commissions'), 'Commissions');

    const statuses = page.getByLabel('All statuses');
    await statuses.press('ArrowDown');
    expect(await accessibilityProblems(page)).toEqual([]);
    const rejected = page.getByRole('option', { name: 'Rejected' }).and(page.locator('[data-active=true]'));
    // Letters that a busy machine sends too far apart are not one word, and are typed again.
    await expect
      .poll(async () => {
        await page.keyboard.type('rej');
        return rejected.count();
      })
      .toBe(1);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/commissions?status=rejected');
    await statuses.and(page.locator(':focus')).press('ArrowDown');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/commissions');

    await page.getByLabel('Partner', { exact: true }).press('Enter');
    await page.getByRole('combobox', { name: 'Search partners' }).pressSequentially('ane');
    await page.getByRole('option', { name: 'Jane' }).and(page.locator('[data-active=true]')).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/commissions?partner_id=${brand.partnerId}`);

    await owner.press('Dates: All time');
    await owner.fill('First day', '2026-03-01');
    await page.getByRole('button', { name: /March 1, 2026$/ }).press('PageDown');
    const april = page.getByRole('button', { name: /April 1, 2026$/ });
    await april.and(page.locator(':focus')).press('Enter');
    expect(await page.getByLabel('Last day').inputValue()).toBe('2026-04-01');
    expect(await accessibilityProblems(page)).toEqual([]);
    await owner.press('Apply');
    await page.waitForURL('**from=2026-03-01&to=2026-04-01');
    await page.getByRole('heading', { name: 'No matches' }).waitFor();
    expect(owner.problems).toEqual([]);
  });

  it('finds its way with the keyboard, is warned of unsaved changes, and can retry a page that did not load', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { page } = owner;
    await owner.visit(brand.path('partners'), 'Partners');
    await owner.row('Jane').waitFor();
    await page.keyboard.press('/');
    const search = page.getByLabel('Search partners').and(page.locator(':focus'));
    await search.fill('jan');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/partners?q=jan');
    await search.waitFor();

    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: /^Go to/ }).fill('jan');
    await page.getByRole('option', { name: /^Jane .*Partner$/ }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Jane' }).waitFor();

    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('settings');
    await page.keyboard.press('Enter');
    await owner.fill('Name', 'Acme and friends');
    await page.getByRole('tab', { name: 'Tracking' }).click();
    await owner.press('Keep editing', owner.dialog('Leave without saving?'));
    await owner.press('Save changes');
    await owner.sees('Changes saved');
    await page.getByRole('tab', { name: 'Tracking' }).click();
    await page.waitForURL('**/settings?tab=tracking');

    expect(owner.problems).toEqual([]);
    await owner.context.setOffline(true);
    await page.getByRole('link', { name: 'Team' }).click();
    await page.getByRole('heading', { name: 'This page didn’t load' }).waitFor();
    expect(await page.getByRole('link', { name: 'Overview' }).isVisible()).toBe(true);
    await owner.press('Try again');
    await owner.context.setOffline(false);
    await owner.press('Try again');
    await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
  });

  it('reads in full sentences what happened to a sale', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { transactionId } = await sold(stage.service, brand, { tax_cents: 1_500, shipping_cents: 500 });
    await owner.visit(brand.path('sales'), 'Sales');
    const row = owner.row(transactionId);
    await row.getByText('incl. $15.00 tax, $5.00 shipping').waitFor();
    await row.getByText('commission on $80.00').waitFor();
    await owner.visit(brand.path('explain'), 'Explain');
    await owner.fill('Value', transactionId);
    await owner.press('Explain');
    await owner.sees('The sale was recorded and the partner earned a commission.');
    await owner.page
      .getByText(/^Version 1 of the commission rules: 20% of each sale, not of renewals, in force since /)
      .waitFor();
    await owner.page.getByText('Details').click();
    await owner.sees('sale attributed'.replace(' ', '_'));
    expect(owner.problems).toEqual([]);
  });

  it('sees new events without a reload', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(brand.path('events'), 'Event log');
    await owner.page.getByRole('heading', { name: 'No events yet' }).waitFor();
    await stage.service.clickId(brand.link);
    await owner.row('Jane').getByText('Click').waitFor();
    expect(owner.problems).toEqual([]);
  });

  it('changes its settings, and gets a message about an invalid value', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(`${brand.path('settings')}?tab=commission`, 'Settings');
    await owner.select('Commission type', 'Percentage of each sale and renewal');
    await owner.fill('Percent', '30.5');
    await owner.fill('Renewals earn for (months)', '12');
    await owner.fill('Hold period (days)', '14');
    await owner.select('Commission on', 'What the customer paid');
    await owner.press('Save changes');
    await owner.sees('Changes saved');
    const history = owner.page.getByRole('region', { name: 'History of commission rules' }).getByRole('listitem');
    await history.nth(1).waitFor();
    expect(await history.nth(0).innerText()).toMatch(
      /30\.5% of each sale, and of each renewal in the first 12 months after the customer’s first sale\nWhat the customer paid, 14-day hold\nVersion 2, since/,
    );
    expect(await history.nth(1).innerText()).toMatch(
      /20% of each sale, not of renewals\nNet of tax and shipping, 30-day hold\nVersion 1, since/,
    );
    const [stored] = await stage.service.sql(
      `select commission_type, commission_rate::float as rate, commission_base as base, recurring_months, hold_days
       from programs where id = $1`,
      [brand.program.id],
    );
    const percent = { commission_type: 'recurring_percent', rate: 30.5, base: 'gross' };
    expect(stored).toEqual({ ...percent, recurring_months: 12, hold_days: 14 });
    const currency = owner.page.getByLabel('Currency', { exact: true });
    await currency.click();
    const search = owner.page.getByRole('combobox', { name: 'Search currencies' });
    await search.fill('yen');
    // Unless the browser is slow, the list still shows all currencies.
    await search.press('Enter');
    await owner.page.getByRole('option', { name: 'AED' }).waitFor({ state: 'detached' });
    if (await search.isVisible()) await search.press('Enter');
    expect(await currency.innerText()).toBe('JPY');
    await owner.find('Currency', 'british', 'GBP, British Pound');
    await owner.press('Save changes');
    await history.nth(2).waitFor();
    await owner.visit(brand.path('settings'), 'Settings');
    await owner.fill('Website', 'not a site');
    await owner.press('Save changes');
    await owner.sees('Enter the address of a website, like example.com');
    await owner.page.getByLabel('Website').and(owner.page.locator('[aria-invalid]')).waitFor();
    expect(owner.faults).toEqual([]);
  });

  it('invites a team member, who sees the program without the owner’s permissions', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(brand.path('team'), 'Team');
    await owner.press('Invite member');
    await owner.fill('Email', 'mia@brand.test');
    await owner.press('Create invite link');
    const url = await owner.dialog('Send this link to mia@brand.test').locator('pre').innerText();
    const eve = await stage.person();
    await eve.visit(url, /^Join /);
    await eve.sees('This invitation is for mia@brand.test');
    expect(await eve.page.getByRole('button', { name: 'Accept invitation' }).count()).toBe(0);
    const mia = await stage.person('mia@brand.test');
    await mia.visit(url, /^Join /);
    await mia.press('Accept invitation');
    await mia.page.waitForURL(`**${brand.path('overview')}`);
    await mia.visit(`${brand.path('settings')}?tab=key`, 'Settings');
    await mia.sees('Only workspace owners can regenerate the API key.');
    expect(await mia.page.getByRole('button', { name: 'Regenerate API key' }).count()).toBe(0);
    await mia.visit(`${brand.path('settings')}?tab=payments`, 'Settings');
    await mia.sees('Only workspace owners can connect a payment processor.');
    await owner.page.reload();
    await owner.press(/^Actions for/, owner.row('mia@brand.test'));
    await owner.page.getByRole('menuitem', { name: 'Change role' }).click();
    await owner.select('Role', 'Viewer: sees everything. Changes and exports nothing');
    await owner.press('Change role');
    await owner.sees('is now a viewer');
    await owner.visit(brand.path('audit'), 'Audit log');
    const change = owner.row('changed Robin’s role from admin to viewer');
    await change.getByText('Details').click();
    expect(await change.locator('tbody td').allInnerTexts()).toEqual(['member', 'viewer']);
    await owner.select('All actions', 'Team member joined');
    await owner.row('Robin joined the team as admin').waitFor();
    await expect.poll(() => change.count()).toBe(0);
    expect(await owner.page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')).toContain(
      'action=member.joined',
    );
    await mia.visit(brand.path('partners'), 'Partners');
    expect(await mia.page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    await mia.sees('Only owners and admins can invite and manage partners.');
    expect(await mia.page.getByRole('button', { name: /Invite|Join link|Actions for Jane/ }).count()).toBe(0);
    await mia.visit(`${brand.path('settings')}?tab=profile`, 'Settings');
    await mia.sees('Only owners and admins can change these settings.');
    expect(await mia.page.getByRole('button', { name: 'Save changes' }).isEnabled()).toBe(false);
    await mia.visit(brand.path('commissions'), 'Commissions');
    await mia.sees('Only owners, admins and finance can approve or reject commissions.');
    expect(await mia.page.getByRole('button', { name: 'Export CSV' }).isEnabled()).toBe(false);
    expect([...owner.problems, ...mia.problems]).toEqual([]);
  });

  it('connects Stripe by the steps of the page, which shows what arrives, but never the secret again', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { service } = stage;
    const heading = (name: string) => owner.page.getByRole('heading', { name, exact: true });
    const code = (label: string) =>
      owner.page.getByRole('button', { name: label }).locator('xpath=..').locator('pre').innerText();
    await owner.visit(`${brand.path('settings')}?tab=payments`, 'Settings');
    await heading('Nothing has arrived yet').waitFor();
    await owner.sees('choose Snapshot');
    expect(await owner.page.locator('dt').allInnerTexts()).toEqual(Object.keys(processors.stripe.events));
    const url = await code('Copy webhook URL');
    expect(await code('Copy command')).toBe(`stripe listen --forward-to ${url}`);
    // What is pasted first is often something else.
    await owner.fill('Signing secret', 'sk_live_51Habc');
    await owner.press('Connect Stripe');
    await owner.sees('This is a secret API key (sk_…), not a signing secret.');
    await owner.fill('Signing secret', SECRET);
    await owner.press('Connect Stripe');
    await owner.sees('Stripe connected');
    await heading('Enter the signing secret (done)').waitFor();
    expect(await heading('Add a webhook endpoint in Stripe').count()).toBe(1);
    // The code is filled in for this program, and the framework stays selected.
    const [, subscription] = checkoutGuides.stripe(brand.program.id, stage.url).ways;
    await owner.page.getByRole('tab', { name: 'Express' }).click();
    await owner.page.getByRole('tab', { name: 'Subscription' }).click();
    expect(await code('Copy svc-metadata.js')).toContain(`program_id: '${brand.program.id}'`);
    expect(`${await code('Copy code')}\n`).toBe(subscription?.snippets[1]?.code);

    // A payment whose metadata is misspelt, and an event of an endpoint whose secret is not known.
    const stripe = new StripeEvents('2026', service.time);
    const other = 'whsec_of_the_test_endpoint';
    const post = (type: string, object: object, secret = SECRET) => {
      const body = JSON.stringify(stripe.event(type, object));
      return fetch(url, { method: 'POST', body, headers: signed(body, service.time, secret) });
    };
    const clickId = await service.customer(brand, newId('user'));
    const pay = (metadata: object) => post('checkout.session.completed', stripe.session({ cents: 5_000, metadata }));
    await post('customer.created', {}, other);
    await pay({ svc_clickid: clickId });
    await owner.row('checkout.session.completed').waitFor();
    await heading('Add a webhook endpoint in Stripe (done)').waitFor();
    await owner.sees('The last payment was matched to nobody.');
    await owner.sees('1 request had a signature that matches none of your signing secrets');
    await pay({ svc_click_id: clickId });
    await settle(service);
    await owner.press('Add secret');
    const dialog = owner.dialog('Add a signing secret');
    await owner.fill('Signing secret', other);
    await owner.fill('Label', 'test endpoint');
    await owner.press('Add', dialog);
    await owner.sees('Signing secret added');
    await owner.sees('test endpoint');
    await owner.sees('The last payment was matched to a customer.');
    expect(await owner.page.getByText('matches none of your signing secrets').count()).toBe(0);

    // Later, the steps are folded and still there.
    await owner.page.reload();
    await heading('What arrived (done)').waitFor();
    const address = owner.page.getByText(url, { exact: true });
    expect(await address.isVisible()).toBe(false);
    await heading('Add a webhook endpoint in Stripe (done)').click();
    await address.waitFor();
    await owner.press(`Remove …${SECRET.slice(-4)}`);
    await owner.press('Remove', owner.dialog(`Remove the secret …${SECRET.slice(-4)}?`));
    await owner.sees('Signing secret removed');
    await owner.press('Disconnect');
    expect(await owner.page.content()).not.toContain(SECRET);
    await owner.press('Disconnect', owner.dialog('Disconnect Stripe?'));
    await owner.sees('Not connected');
    await owner.visit(brand.path('commissions'), 'Commissions');
    await owner.row('Jane').getByText('$10.00').waitFor();
    expect(owner.problems).toEqual([expect.stringContaining('400 (Bad Request)')]);
  });

  it('connects Paddle, and says whether its secret is the one of a sandbox', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(`${brand.path('settings')}?tab=payments`, 'Settings');
    await owner.select('Payment processor', 'Paddle');
    await owner.sees(`${stage.url}/api/v1/webhooks/paddle/${brand.program.id}`);
    await owner.fill('Signing secret', PADDLE_SECRET);
    await owner.select('Environment', 'Live');
    await owner.press('Connect Paddle');
    await owner.sees('Paddle connected');
    const clickId = await stage.service.customer(brand, newId('user'));
    const paddle = new PaddleEvents(stage.service.time);
    const paid = paddle.transaction({ customData: { svc_click_id: clickId } });
    await deliverPaddle(stage.service, brand.program.id, paddle.event('transaction.completed', paid));
    await owner.row('transaction.completed').waitFor();
    await owner.visit(`${brand.path('settings')}?tab=payments`, 'Settings');
    await owner.page.getByRole('status').getByText('transaction.completed').waitFor();
    await owner.visit(brand.path('commissions'), 'Commissions');
    await owner.row('Jane').getByText('$10.00').waitFor();
    expect(owner.problems).toEqual([]);
  });

  it.each<[ProcessorName, option: string, title: string, secret: string, environment: string | null]>([
    ['polar', 'Polar', 'Polar', POLAR_SECRET, 'Live'],
    ['lemonsqueezy', 'Lemon Squeezy', 'Lemon Squeezy', LEMON_SECRET, null],
    ['custom', 'Any other (custom)', 'Custom', CUSTOM_SECRET, null],
  ])('connects %s, and sees its first payment', async (name, option, title, secret, environment) => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const key = newId('user');
    await stage.service.customer(brand, key);
    await owner.visit(`${brand.path('settings')}?tab=payments`, 'Settings');
    await owner.select('Payment processor', option);
    await owner.sees(`${stage.url}/api/v1/webhooks/${name}/${brand.program.id}`);
    await owner.fill('Signing secret', secret);
    if (environment) await owner.select('Environment', environment);
    await owner.press(`Connect ${title}`);
    await owner.sees(`${title} connected`);
    for (const event of SHOPS[name](stage.service).pay({ key }).events) await event.send(brand.program.id);
    await settle(stage.service);
    await owner.sees('The last payment was matched to a customer.');
    await owner.visit(brand.path('commissions'), 'Commissions');
    await owner.row('Jane').getByText('$10.00').waitFor();
    expect(owner.problems).toEqual([]);
  });

  it('sees what is wrong with its Stripe events, whom test payments would credit, and what is disputed', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { service } = stage;
    await connectStripe(service, brand);
    const clickId = await service.customer(brand, newId('user'));
    const stripe = new StripeEvents('2026', service.time);
    const metadata = { svc_click_id: clickId };
    const disputed = stripe.session({ metadata, cents: 4_900 });
    const dispute = { charge: newId('ch'), paymentIntent: disputed.payment_intent as string, cents: 4_900 };
    await deliver(
      service,
      brand.program.id,
      stripe.event('checkout.session.completed', disputed),
      stripe.event('charge.dispute.created', stripe.dispute(dispute)),
      stripe.event('checkout.session.completed', stripe.session({ metadata }), false),
      stripe.event('checkout.session.completed', stripe.session({ metadata: { svc_clickid: clickId } }), false),
      stripe.event('invoice.paid', stripe.invoice({ metadata })),
    );
    service.advance({ seconds: 601 });
    await owner.visit(`${brand.path('settings')}?tab=payments`, 'Settings');
    await owner.sees('A recent subscription payment arrived without the event that links it');
    await owner.sees('partner Jane');
    await owner.sees('The metadata has a field “svc_clickid”. Did you mean “svc_click_id”?');
    await owner.visit(brand.path('sales'), 'Sales');
    await owner.row(disputed.payment_intent).getByText('disputed').waitFor();
    expect(owner.problems).toEqual([]);
  });
});

describeInBrowser('the card of a processor', () => {
  it('says that all events are tests, and which ones are missing, until others arrive', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { service } = stage;
    const shop = SHOPS.paddle(service);
    await shop.connect(brand);
    const arrive = async (events: { send: (programId: number) => Promise<{ status: number }> }[]) => {
      for (const { send } of events) expect((await send(brand.program.id)).status).toBe(200);
      await settle(service);
    };
    const onlyTests = owner.page.getByText('All events so far are tests, which count nowhere.');
    const missing = owner.page.getByText('transaction.paid has arrived, but never transaction.completed');
    const shown = async () => {
      await owner.visit(brand.path('overview'), 'Overview');
      await owner.visit(`${brand.path('settings')}?tab=payments`, 'Settings');
      await owner.page.getByRole('button', { name: 'Disconnect' }).waitFor();
      return { onlyTests: await onlyTests.isVisible(), missing: await missing.isVisible() };
    };
    expect(await shown()).toEqual({ onlyTests: false, missing: false });
    await arrive(shop.pay({ isTest: true }).events.slice(0, 1));
    expect(await shown()).toEqual({ onlyTests: true, missing: false });
    const payments = [1, 2, 3].map(() => shop.pay({}).events);
    await arrive(payments.flatMap((events) => events.slice(0, 1)));
    expect(await shown()).toEqual({ onlyTests: false, missing: true });
    await arrive(payments.flatMap((events) => events.slice(1)));
    expect(await shown()).toEqual({ onlyTests: false, missing: false });
    expect(owner.problems).toEqual([]);
  });
});

describeInBrowser('any user', () => {
  it('selects a theme, which is kept after a reload', async () => {
    const { owner, path } = await openBrand(stage);
    const background = () => owner.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await owner.visit(path('overview'), 'Overview');
    const light = await background();
    await owner.choose(/Account menu/, 'Dark');
    const dark = await background();
    expect(dark).not.toBe(light);
    await owner.page.reload();
    await owner.page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await background()).toBe(dark);
    expect(owner.problems).toEqual([]);
  });

  it('signs out, and returns to the requested page after signing in again', async () => {
    const { owner, path } = await openBrand(stage);
    await owner.visit(path('overview'), 'Overview');
    await owner.choose(/Account menu/, 'Sign out');
    await owner.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await owner.page.goto(path('sales?q=order'));
    await owner.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(new URL(owner.page.url()).searchParams.get('next')).toBe(path('sales?q=order'));
    await owner.fill('Email', owner.email);
    await owner.fill('Password', 'a long enough password');
    await owner.press('Sign in');
    await owner.page.getByRole('heading', { name: 'Sales' }).waitFor();
    expect(owner.faults).toEqual([]);
  });

  it('leaves nothing in the browser after signing out, and going back shows nothing', async () => {
    const brand = await openBrand(stage);
    const { owner, path } = brand;
    const { transactionId } = await sold(stage.service, brand);
    await owner.load(path('overview'), 'Overview');
    await owner.visit(path('sales'), 'Sales');
    await owner.row(transactionId).waitFor();
    const sessions = async () => (await owner.context.cookies()).filter(({ name }) => name.includes('session'));
    expect(await sessions()).not.toEqual([]);
    await owner.choose(/Account menu/, 'Sign out');
    await owner.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await sessions()).toEqual([]);
    const kept = await owner.page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    for (const text of [owner.email, owner.userId, transactionId, 'svc_at_']) expect(kept).not.toContain(text);
    await owner.page.goBack();
    await owner.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await owner.page.content()).not.toContain(transactionId);
    expect(owner.faults).toEqual([]);
  });

  it('sets their payout method, which the brand sees masked on payouts', async () => {
    const brand = await openBrand(stage);
    await sold(stage.service, brand);
    const jane = await partnerPerson(stage, brand.partnerId);
    await jane.visit('/app/account', 'Account settings');
    await jane.page.getByRole('link', { name: 'Add a payout method' }).click();
    await jane.page.getByRole('radio', { name: /^PayPal/ }).check();
    await jane.fill('PayPal email', 'jane@partner.test');
    await jane.fill('Account holder', 'Jane Doe');
    await jane.find('Country', 'fra', 'France');
    await jane.press('Save payout method');
    await jane.sees('Payout method saved');
    await brand.owner.visit(`${brand.path('payouts')}?balances=all`, 'Payouts');
    await brand.owner.row('PayPal j***@partner.test').waitFor();
    expect(jane.problems).toEqual([]);
  });
});

describeInBrowser('an invitation', () => {
  it('is an open link where the owner chooses so, and the list says so', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(brand.path('team'), 'Team');
    await owner.press('Invite member');
    await owner.fill('Email', 'somebody@brand.test');
    await owner.select('Who can accept it', 'Anyone with the link');
    await owner.press('Create invite link');
    const dialog = owner.dialog('Send this link to somebody@brand.test');
    await dialog.getByText('Anyone who has the link can accept it.').waitFor();
    const url = await dialog.locator('pre').innerText();
    await owner.press('Done');
    await owner.page.getByText('Anyone with the link').waitFor();
    const guest = await stage.person();
    await guest.visit(url, /^Join /);
    await guest.press('Accept invitation');
    await guest.page.waitForURL(`**${brand.path('overview')}`);
    expect([...owner.problems, ...guest.problems]).toEqual([]);
  });
});

describeInBrowser('an invitation that is not open', () => {
  it('is explained on its page', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(brand.path('partners'), 'Partners');
    await owner.choose('Actions for Jane', 'New invite link');
    await owner.press('Create link', owner.dialog('Create a new invite link for Jane?'));
    const url = await owner.dialog('Send this link to Jane').locator('pre').innerText();
    stage.service.advance({ days: 8 });
    const jane = await stage.stranger();
    await jane.visit(url, 'This invitation has expired');
    await jane.visit('/invite#svc_inv_nothing', 'Invitation not found');
    expect(jane.faults).toEqual([]);
  });
});
