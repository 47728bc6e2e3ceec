import { expect, it } from 'vitest';
import { accessibilityProblems } from '../../test/accessibility.ts';
import { openBrand } from '../../test/brand.ts';
import type { Person } from '../../test/person.ts';
import { openShop } from '../../test/shop.ts';
import { describeInBrowser, startStage } from '../../test/stage.ts';

const stage = startStage();

/** Somebody who followed the join link and made an account. */
async function applied(joinUrl: string, name: string, email: string): Promise<Person> {
  const person = await stage.stranger();
  await person.visit(joinUrl, 'Become a partner of Acme');
  await person.fill('Name', name);
  await person.fill('E-mail', email);
  await person.fill('Password', 'a long enough password');
  await person.press('Create account and join');
  await person.page.waitForURL('**/app/applied');
  return person;
}

describeInBrowser('a partner', () => {
  it('is invited, makes a link, brings a customer, and sees the commission come and go as the brand does', async () => {
    const brand = await openBrand(stage);
    const programId = brand.program.id;
    const shop = await openShop({ serviceUrl: stage.url, programId, apiKey: brand.apiKey });
    await stage.service.sql('update programs set allowed_origins = $2 where id = $1', [programId, [shop.url]]);
    const { owner } = brand;

    await owner.visit(brand.path('partners'), 'Partners');
    await owner.press('Invite a partner');
    await owner.fill('Name', 'Bob Reed');
    await owner.fill('E-mail', 'bob@blog.test');
    await owner.press('Make the invitation');
    const inviteUrl = await owner.dialog('Send this link to Bob Reed').locator('pre').innerText();
    await owner.press('Done');
    await owner.row('Bob Reed').getByText('Invited').waitFor();

    const bob = await stage.stranger();
    await bob.visit(inviteUrl, 'Become a partner of Acme');
    await bob.fill('Name', 'Bob Reed');
    await bob.fill('Password', 'a long enough password');
    await bob.press('Create account and accept');
    await bob.page.waitForURL(`**/app/portal/${programId}/overview`);
    await bob.page.getByRole('link', { name: 'Make a link' }).click();
    await bob.page.getByRole('heading', { name: 'Your links' }).waitFor();
    await bob.page.getByRole('button', { name: 'New link' }).first().click();
    await bob.fill('Name in the link', 'bobs-blog');
    await bob.fill('Page it leads to', `${shop.url}/`);
    await bob.press('Make the link');
    await bob.row('bobs-blog').getByText(`${shop.url}/?aff=bobs-blog`).waitFor();

    const carol = await stage.stranger();
    await carol.page.goto(`${shop.url}/?aff=bobs-blog`);
    await carol.page.waitForFunction(() => document.cookie.includes('svc_click_id'));
    await carol.page.getByLabel('E-mail').fill('carol@mail.test');
    await carol.press('Sign up');
    await carol.page.waitForURL('**/account');
    await carol.page.getByRole('button', { name: 'Buy' }).last().click();
    await carol.page.getByRole('button', { name: 'Refund all' }).waitFor();

    await owner.visit(brand.path('commissions'), 'Commissions');
    await owner.row('Bob Reed').getByText('$17.80').waitFor();
    await owner.row('Bob Reed').getByText('Pending').waitFor();
    await bob.visit(`/app/portal/${programId}/earnings`, 'Earnings');
    await bob.row('Pending').getByText('$17.80').waitFor();
    await bob.visit(`/app/portal/${programId}/customers`, 'Customers');
    await bob.row('c***@mail.test').getByText('Customer', { exact: true }).waitFor();

    await carol.page.getByRole('button', { name: 'Refund all' }).click();
    await carol.sees('Refunded');
    await owner.visit(brand.path('commissions'), 'Commissions');
    await owner.row('Bob Reed').getByText('Reversed').waitFor();
    await owner.row('Bob Reed').getByText('$0.00').waitFor();
    await bob.visit(`/app/portal/${programId}/earnings`, 'Earnings');
    await bob.row('Reversed').getByText('$0.00').waitFor();

    await owner.choose(/^Actions for/, 'Show the customer’s journey');
    for (const step of ['Followed a link', 'Signed up', 'Bought', 'Commission', 'Got money back']) {
      await owner.page.getByRole('heading', { name: step, exact: true }).waitFor();
    }
    await owner.sees('The sale was refunded in full and the commission was reversed.');
    expect([...owner.problems, ...bob.problems]).toEqual([]);
    shop.close();
  });

  it('applies by the join link, waits, and is let in once the brand approves', async () => {
    const brand = await openBrand(stage);
    const programId = brand.program.id;
    const { owner } = brand;
    await owner.visit(brand.path('partners'), 'Partners');
    await owner.press('Join link');
    const dialog = owner.dialog('Join link');
    await dialog.getByLabel('Who may join').selectOption('Anybody may apply, and you approve');
    const joinUrl = await dialog.locator('pre').innerText();
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await owner.press('Done');

    const ann = await applied(joinUrl, 'Ann Poole', 'ann@blog.test');
    await ann.page.getByRole('heading', { name: 'Your application was sent' }).waitFor();
    expect(await accessibilityProblems(ann.page)).toEqual([]);

    await owner.visit(brand.path('overview'), 'Overview');
    await owner.sees('Ann Poole waits for you to approve them as a partner.');
    await owner.page.getByRole('link', { name: 'Look at applications' }).click();
    await owner.row('Ann Poole').getByText('Applied').waitFor();
    await owner.press('Approve');
    await owner.sees('Ann Poole is a partner now');
    await ann.visit('/app', 'Overview');
    await ann.page.waitForURL(`**/app/portal/${programId}/overview`);

    const eve = await applied(joinUrl, 'Eve Hall', 'eve@blog.test');
    await owner.visit(`${brand.path('partners')}?status=applied`, 'Partners');
    await owner.choose('Actions for Eve Hall', 'Decline');
    await owner.dialog('Decline Eve Hall?').getByRole('button', { name: 'Decline' }).click();
    await owner.sees('Eve Hall is removed');
    await owner.sees('No partner fits');
    expect([...owner.problems, ...ann.problems, ...eve.problems]).toEqual([]);
  });
});
