import { readFile } from 'node:fs/promises';
import { manage, memberOf } from '@svc/testkit/service/accounts.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';
import { accessibilityProblems } from '../../test/accessibility.ts';
import { openBrand, partnerPerson } from '../../test/brand.ts';
import type { Person } from '../../test/person.ts';
import { openShop } from '../../test/shop.ts';
import { describeInBrowser, startStage } from '../../test/stage.ts';

const stage = startStage();

/** A person who followed the join link, answered its question, accepted the terms and created an account. */
async function applied(joinUrl: string, name: string, email: string): Promise<Person> {
  const person = await stage.stranger();
  await person.visit(joinUrl, 'Become a partner of Acme');
  await person.sees('20% of each sale, not of renewals.');
  await person.sees('No ads on our name.');
  await person.fill('Name', name);
  await person.fill('Email', email);
  await person.fill('Password', 'a long enough password');
  await person.select('Where will you recommend us?', 'Newsletter');
  await person.page.getByLabel('I accept the agreement with Acme').check();
  await person.press('Create account and apply');
  await person.page.waitForURL('**/app/applied');
  return person;
}

describeInBrowser('a partner', () => {
  it('is invited, creates a link, refers a customer, and sees the same commission and reversal as the brand', async () => {
    const brand = await openBrand(stage);
    const programId = brand.program.id;
    const shop = await openShop({ serviceUrl: stage.url, programId, apiKey: brand.apiKey });
    await stage.service.sql('update programs set allowed_origins = $2 where id = $1', [programId, [shop.url]]);
    const { owner } = brand;

    await owner.visit(brand.path('partners'), 'Partners');
    await owner.press('Invite a partner');
    await owner.fill('Name', 'Bob Reed');
    await owner.fill('Email', 'bob@blog.test');
    await owner.press('Create invite link');
    const inviteUrl = await owner.dialog('Send this link to Bob Reed').locator('pre').innerText();
    await owner.press('Done');
    await owner.row('Bob Reed').getByText('Invited', { exact: true }).waitFor();

    const bob = await stage.stranger();
    await bob.visit(inviteUrl, 'Become a partner of Acme');
    expect(await bob.page.getByLabel('Name', { exact: true }).inputValue()).toBe('Bob Reed');
    await bob.sees('20% of each sale, not of renewals.');
    await bob.fill('Password', 'a long enough password');
    await bob.press('Create account and accept');
    await bob.page.waitForURL(`**/app/portal/${programId}/overview`);
    await bob.sees(/^https:\/\/acme\.test\/\?aff=[0-9a-f]{12}$/);
    await bob.visit(`/app/portal/${programId}/links`, 'Links');
    await bob.page.getByRole('button', { name: 'New link' }).first().click();
    await bob.fill('Link name', 'bobs-blog');
    await bob.fill('Destination', `${shop.url}/`);
    await bob.press('Create link');
    await bob
      .row('bobs-blog')
      .getByText(`${new URL(shop.url).host}/?aff=bobs-blog`, { exact: true })
      .waitFor();

    const carol = await stage.stranger();
    await carol.page.goto(`${shop.url}/?aff=bobs-blog`);
    await carol.page.waitForFunction(() => document.cookie.includes('svc_click_id'));
    await carol.page.getByLabel('Email').fill('carol@mail.test');
    await carol.press('Sign up');
    await carol.page.waitForURL('**/account');
    await carol.page.getByRole('button', { name: 'Buy' }).last().click();
    await carol.page.getByRole('button', { name: 'Refund all' }).waitFor();

    await owner.visit(brand.path('commissions'), 'Commissions');
    await owner.row('Bob Reed').getByText('$17.80').waitFor();
    await owner.row('Bob Reed').getByText('Pending').waitFor();
    await bob.visit(`/app/portal/${programId}/earnings`, 'Earnings');
    await bob.row('Pending').getByText('$17.80').waitFor();
    await bob.visit(`/app/portal/${programId}/links`, 'Links');
    await bob.row('bobs-blog').getByText('$17.80').last().waitFor();
    await bob.visit(`/app/portal/${programId}/customers`, 'Customers');
    await bob.row('c***@mail.test').getByText('Customer', { exact: true }).waitFor();

    await carol.page.getByRole('button', { name: 'Refund all' }).click();
    await carol.sees('Refunded');
    await owner.visit(brand.path('commissions'), 'Commissions');
    await owner.row('Bob Reed').getByText('Reversed').waitFor();
    await owner.row('Bob Reed').getByText('$0.00').waitFor();
    await bob.visit(`/app/portal/${programId}/earnings`, 'Earnings');
    await bob.row('Reversed').getByText('$0.00').waitFor();

    await owner.choose(/^Actions for/, 'View customer');
    for (const step of ['Clicked a link', 'Signed up', 'Purchased', 'Commission', 'Refunded']) {
      await owner.page.getByRole('heading', { name: step, exact: true }).waitFor();
    }
    await owner.sees('The sale was refunded in full and the commission was reversed.');
    expect([...owner.problems, ...bob.problems]).toEqual([]);
    shop.close();
  });

  it('applies with answers and accepted terms, gets access and a first link once approved, and edits and deletes it', async () => {
    const brand = await openBrand(stage);
    const programId = brand.program.id;
    const { owner } = brand;
    await owner.visit(brand.path('settings?tab=join'), 'Settings');
    await owner.press('Add a question');
    await owner.fill('Question', 'Where will you recommend us?');
    await owner.select('Answer', 'One of several options');
    await owner.fill('Options', 'Blog\nNewsletter');
    await owner.press('Save questions');
    await owner.sees('Changes saved');
    await owner.fill('Text', 'No ads on our name.');
    await owner.press('Save agreement');
    await owner.sees(/^Version 1, since/);
    await owner.fill('Color', '#0a7d4f');
    await owner.press('Save color');

    await owner.visit(brand.path('partners'), 'Partners');
    await owner.press('Join link');
    const dialog = owner.dialog('Join link');
    await owner.select('Who can join', 'Anyone, after you approve them', dialog);
    const joinUrl = await dialog.locator('pre').innerText();
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await owner.press('Done');

    const ann = await applied(joinUrl, 'Ann Poole', 'ann@blog.test');
    await ann.page.getByRole('heading', { name: 'Application sent' }).waitFor();
    await ann.sees(/^Acme will review your application\. Keep this page open or come back later: /);
    await ann.page.getByRole('region', { name: 'Your answers to Acme' }).getByText('Newsletter').waitFor();
    expect(await accessibilityProblems(ann.page)).toEqual([]);

    // Elsewhere, she follows the link again: nothing is asked twice.
    const again = await stage.stranger();
    await again.visit(joinUrl, 'Become a partner of Acme');
    await again.press('I already have an account');
    expect(await again.page.getByLabel('Where will you recommend us?').count()).toBe(0);
    await again.fill('Email', 'ann@blog.test');
    await again.fill('Password', 'a long enough password');
    await again.press('Sign in and continue');
    await again.sees(/^You applied on .* Acme hasn’t decided yet\.$/);
    await again.page.getByRole('region', { name: 'Your answers' }).getByText('Newsletter').waitFor();
    expect(await accessibilityProblems(again.page)).toEqual([]);

    await owner.visit(brand.path('overview'), 'Overview');
    await owner.sees('Ann Poole has applied to become a partner.');
    await owner.page.getByRole('link', { name: 'Review applications' }).click();
    await owner.row('Ann Poole').getByText('Applied').waitFor();
    await owner.page.getByRole('link', { name: 'Ann Poole' }).click();
    await owner.page.getByRole('heading', { name: 'Ann Poole', level: 1 }).waitFor();
    await owner.page.getByRole('region', { name: 'Application' }).getByText('Newsletter').waitFor();
    await owner.sees(/^Accepted version 1 of the agreement/);
    await owner.fill('New note', 'Writes about coffee');
    await owner.press('Add note');
    await owner.page.getByRole('region', { name: 'Notes' }).getByText('Writes about coffee').last().waitFor();
    await owner.press('Approve');
    await owner.sees('Ann Poole is now a partner');
    await owner.page.getByRole('region', { name: 'History' }).getByText('Approved').waitFor();
    expect(await accessibilityProblems(owner.page)).toEqual([]);

    await ann.visit('/app', 'Overview');
    await ann.page.waitForURL(`**/app/portal/${programId}/overview`);
    const [first] = await stage.service.sql<{ link: string }>(
      `select l.short_link as link from links l join partners p on p.id = l.partner_id where p.name = 'Ann Poole'`,
    );
    const link = first?.link ?? '';
    expect(link).toMatch(/^[0-9a-f]{12}$/);
    await ann.sees(`https://acme.test/?aff=${link}`);
    const accent = () => ann.page.evaluate(() => document.documentElement.style.getPropertyValue('--color-accent'));
    expect(await accent()).toMatch(/^light-dark\(#0a7d4f, #/);
    await ann.page.getByRole('link', { name: 'Rules and agreement' }).click();
    const terms = ann.page.getByRole('region', { name: 'Agreement you accepted' });
    await terms.getByText(/^Version 1, accepted on/).waitFor();
    await terms.getByText('No ads on our name.').waitFor();
    await ann.page.getByRole('region', { name: 'Your application' }).getByText('Newsletter').waitFor();
    await ann.visit(`/app/portal/${programId}/links`, 'Links');
    await ann.press(`QR code for ${link}`);
    const downloading = ann.page.waitForEvent('download');
    await ann.press('Download PNG');
    const png = await readFile(await (await downloading).path());
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect(png.readUInt32BE(16)).toBeGreaterThanOrEqual(1024);
    await ann.page.keyboard.press('Escape');
    await ann.choose(`Actions for ${link}`, 'Edit');
    await ann.fill('Destination', '/pricing');
    await ann.fill('Label', 'Newsletter');
    await ann.press('Save changes');
    await ann.row('Newsletter').getByText(`acme.test/pricing?aff=${link}`, { exact: true }).waitFor();
    await ann.choose(`Actions for ${link}`, 'Delete');
    await ann.press('Delete link', ann.dialog(`Delete ${link}?`));
    await ann.sees(`Link ${link} deleted`);
    const follow = () => stage.service.click({ affiliate_url: `https://acme.test/?aff=${link}` });
    await expect.poll(async () => (await follow()).status).toBe(400);

    const eve = await applied(joinUrl, 'Eve Hall', 'eve@blog.test');
    await owner.visit(`${brand.path('partners')}?status=applied`, 'Partners');
    await owner.choose('Actions for Eve Hall', 'Decline');
    await owner.dialog('Decline Eve Hall?').getByRole('button', { name: 'Decline' }).click();
    await owner.sees('Eve Hall’s application was declined');
    await owner.sees('No matches');
    expect([...owner.problems, ...ann.problems, ...again.problems, ...eve.problems]).toEqual([]);
  });

  it('who is signed in never sees the form of a new account while the invitation loads', async () => {
    const brand = await openBrand(stage);
    const [program] = await stage.service.sql<{ token: string }>(
      `update programs set joining = 'open' where id = $1 returning join_token as token`,
      [brand.program.id],
    );
    const kim = await stage.person();
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await kim.page.route('**/api/auth/get-session', async (route) => {
      await isAnswered;
      await route.continue();
    });
    const isLookedUp = kim.page.waitForResponse('**/invitations/look-up');
    await kim.page.goto(`/invite#${program?.token}`);
    await isLookedUp;
    await kim.page.getByText('Loading', { exact: true }).waitFor({ state: 'attached' });
    expect(await kim.page.getByLabel('Email').count()).toBe(0);
    answer();
    await kim.page.getByRole('heading', { name: 'Become a partner of Acme' }).waitFor();
    await kim.sees('You’re signed in as');
    expect(await kim.page.getByLabel('Email').count()).toBe(0);
    expect(kim.problems).toEqual([]);
  });

  it('who opens a join link in the tab of an invitation sees nothing of the invitation', async () => {
    const brand = await openBrand(stage);
    const [program] = await stage.service.sql<{ token: string }>(
      `update programs set joining = 'open' where id = $1 returning join_token as token`,
      [brand.program.id],
    );
    const { token: key } = await memberOf(stage.service, brand.workspaceId);
    const body = { name: 'Una Lake', email: 'una@blog.test' };
    const { body: invited } = await stage.service.call('POST', manage(brand, '/partners'), { key, body });
    const una = await stage.stranger();
    const field = (label: string) => una.page.getByLabel(label, { exact: true });
    await una.visit(invited.data.invite_url, 'Become a partner of Acme');
    expect([await field('Name').inputValue(), await field('Email').inputValue()]).toEqual([body.name, body.email]);
    const isLookedUp = una.page.waitForResponse('**/invitations/look-up');
    // Only the fragment changes, so the page is not loaded again.
    await una.page.goto(`/invite#${program?.token}`);
    await isLookedUp;
    await una.page.getByRole('heading', { name: 'Become a partner of' }).waitFor();
    await una.untilLoaded();
    expect([await field('Name').inputValue(), await field('Email').inputValue()]).toEqual(['', '']);
    expect(una.problems).toEqual([]);
  });

  it('asks where a sale is, and learns nothing about others', async () => {
    const brand = await openBrand(stage, { attributionWindowDays: 60, holdDays: 30 });
    const { program, apiKey, link } = brand;
    const body = { contact_email: 'partners@acme.test' };
    const owner = {
      cookie: (await brand.owner.context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; '),
    };
    await stage.service.call('PATCH', `/api/v1/manage/programs/${program.id}`, {
      body,
      headers: { ...owner, origin: stage.url },
    });
    const own = await sold(stage.service, brand);
    const others = await sold(stage.service, { ...brand, ...(await stage.service.partner(program)) });
    const late = await lateSale(stage, { link, apiKey }, 73);
    const jane = await partnerPerson(stage, brand.partnerId);

    await jane.visit(`/app/portal/${program.id}/overview`, 'Overview');
    await jane.page
      .getByRole('region', { name: 'Next payout' })
      .getByText(/^Approval on/)
      .waitFor();
    await jane.fill('Page it leads to', '/pricing');
    await jane.sees(`https://acme.test/pricing?aff=${link}`);
    await jane.fill('Page it leads to', 'https://evil.test/');
    await jane.sees('Your link works on pages of acme.test only.');

    await jane.page.getByRole('link', { name: 'Find an order' }).click();
    const ask = async (value: string, answer: string) => {
      await jane.fill('Order ID', value);
      await jane.press('Find it');
      await jane.sees(answer);
    };
    await ask(own.transactionId, 'This order is credited to you. Its commission is on hold.');
    await jane.sees('$20.00');
    expect(await accessibilityProblems(jane.page)).toEqual([]);
    await ask(others.transactionId, 'The brand has reported this order. It is credited to another partner.');
    expect(await jane.page.getByRole('main').innerText()).not.toContain('$');
    await ask(late, 'Your link was clicked 73 days before the customer paid. The program counts clicks for 60 days.');
    await ask('order-nobody', 'The brand has not reported an order with this id.');
    await jane.select('Search by', 'Customer’s email');
    await jane.fill('Email', 'stranger@mail.test');
    await jane.press('Find it');
    await jane.sees('Nobody who clicked your links has signed up with this address.');
    await jane.page.getByRole('link', { name: 'partners@acme.test' }).waitFor();

    await brand.owner.visit(`${brand.path('explain')}?by=transaction_id&q=${own.transactionId}`, 'Explain');
    await brand.owner.page.getByText('Details').last().click();
    await brand.owner.sees('$100.00');
    await brand.owner.page.getByRole('link', { name: 'Partner: Jane' }).first().waitFor();
    expect([...jane.problems, ...brand.owner.problems]).toEqual([]);
  });
});

/** A sale to somebody who clicked the link that many days before. Returns its transaction id. */
async function lateSale({ service }: typeof stage, { link, apiKey }: { link: string; apiKey: string }, days: number) {
  const transactionId = newId('order');
  const now = service.time;
  service.advance({ days: -days });
  const click_id = await service.clickId(link);
  service.time = now;
  await service.sale({ transaction_id: transactionId, amount_cents: 100, click_id }, { key: apiKey });
  return transactionId;
}
