import { readFile } from 'node:fs/promises';
import { manage, memberOf, PASSWORD } from '@svc/testkit/service/accounts.ts';
import { giveMethod } from '@svc/testkit/service/payout-methods.ts';
import { linkIdOf } from '@svc/testkit/service/routes/requests/links.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { soldByMany } from '@svc/testkit/service/sold-by-many.ts';
import { expect, it } from 'vitest';
import { accessibilityProblems } from '../../test/accessibility.ts';
import { openBrand, partnerPerson } from '../../test/brand.ts';
import type { Person } from '../../test/person.ts';
import { describeInBrowser, startStage } from '../../test/stage.ts';

const stage = startStage();
const PARTNERS = 60;

describeInBrowser('working in lists', () => {
  it('pages back and forth with a position, and as many rows as one likes', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { page } = owner;
    await soldByMany(stage.service, brand, PARTNERS, '2025-10');
    await owner.visit(`${brand.path('partners')}?sort=name`, 'Partners');
    await owner.sees(`1–25 of ${PARTNERS + 1} partners`);
    await owner.press('Next page');
    await owner.sees(`26–50 of ${PARTNERS + 1} partners`);
    await owner.press('Next page');
    await owner.sees(`51–${PARTNERS + 1} of ${PARTNERS + 1} partners`);
    // The way back is known after a reload too.
    await page.reload();
    await owner.press('Previous page');
    await owner.sees(`26–50 of ${PARTNERS + 1} partners`);
    await owner.press('Previous page');
    await owner.sees(`1–25 of ${PARTNERS + 1} partners`);
    expect(await page.getByRole('button', { name: 'Previous page' }).isDisabled()).toBe(true);
    await owner.press('100 per page');
    await owner.row('Partner 060').waitFor();
    await owner.visit(brand.path('sales'), 'Sales');
    await owner.sees(`${PARTNERS} sales`);
    await owner.press('25 per page');
    await owner.sees(`1–25 of ${PARTNERS} sales`);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(owner.problems).toEqual([]);
  });

  it('has as many rows on a page as its viewer chose, also among runs and the payouts of a partner', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { service } = stage;
    const jane = await partnerPerson(stage, brand.partnerId);
    await service.sql(
      `insert into payout_runs (program_id, number, cutoff_at, two_persons, request, created_at)
       select $1, n, now(), false, '{}', now() from generate_series(1, 30) n`,
      [brand.program.id],
    );
    await service.sql(
      `insert into payouts (program_id, partner_id, currency, amount_cents, created_at)
       select $1, $2, 'USD', 1000 + n, now() from generate_series(1, 30) n`,
      [brand.program.id, brand.partnerId],
    );
    const rowsOf = (person: Person, list: string) =>
      person.page.getByRole('region', { name: list, exact: true }).locator('tbody tr');
    const resize = async (person: Person, list: string) => {
      await expect.poll(() => rowsOf(person, list).count()).toBe(25);
      await person.press('50 per page');
      await expect.poll(() => rowsOf(person, list).count()).toBe(30);
      await person.press('25 per page');
    };
    await owner.visit(`${brand.path('payouts')}?tab=runs`, 'Payouts');
    await resize(owner, 'Payout runs');
    await jane.visit(`/app/portal/${brand.program.id}/payouts`, 'Payouts');
    await jane.sees('1–25 of 30 payouts');
    await resize(jane, 'Payouts');
    expect([...owner.problems, ...jane.problems]).toEqual([]);
  });

  it('forgets what was selected when the page gets another size, so that no sum leaves out a row', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { page } = owner;
    await soldByMany(stage.service, brand, PARTNERS, '2025-10');
    const change = (to: string) =>
      stage.service.sql(`update commissions set ${to} where program_id = $1`, [brand.program.id]);
    const resize = async (noun: string) => {
      await owner.press('100 per page');
      await page.getByText(`${PARTNERS} ${noun}`, { exact: true }).waitFor();
      await page.getByLabel('Select all rows on this page').check();
      const selected = page.getByRole('region', { name: /^Selected/ });
      await selected.getByText(`${PARTNERS} selected`).waitFor();
      await owner.press('25 per page');
      await owner.sees(`1–25 of ${PARTNERS} ${noun}`);
      await selected.waitFor({ state: 'detached' });
    };
    await owner.visit(brand.path('commissions'), 'Commissions');
    await resize('commissions');
    await change(`hold_reason = 'self_referral'`);
    await owner.visit(brand.path('held'), 'Held for review');
    await resize('commissions');
    await change(`stage = 'approved', hold_reason = null`);
    await owner.visit(brand.path('payouts'), 'Payouts');
    await owner.press('Pay by hand…');
    await owner.press(`Create ${PARTNERS} payouts`, owner.dialog('Pay by hand'));
    await page.waitForURL('**/payouts?tab=payouts&status=open');
    await resize('payouts');
    expect(owner.problems).toEqual([]);
  });

  it('searches at once when the field is left, so that what is pressed next is about what was typed', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { page } = owner;
    await soldByMany(stage.service, brand, PARTNERS, '2025-10');
    await owner.visit(brand.path('partners'), 'Partners');
    await owner.sees(`${PARTNERS + 1} partners`);
    // No pause in typing ends by itself.
    owner.isProfileChanged = true;
    await page.evaluate(() => {
      const { setTimeout: wait } = globalThis;
      const short = (work: TimerHandler, ms = 0) => (ms >= 200 ? 0 : wait(work, ms));
      Object.assign(globalThis, { setTimeout: short });
    });
    await owner.fill('Search partners', 'Partner 042');
    const button = await page.getByRole('link', { name: 'Export CSV' }).boundingBox();
    await page.mouse.move((button?.x ?? 0) + 10, (button?.y ?? 0) + 10);
    await page.mouse.down();
    await page.waitForURL('**/partners?q=Partner+042');
    await page.locator('a[href*="q=Partner+042"], a[href*="q=Partner%20042"]').first().waitFor();
    const exporting = page.waitForEvent('download');
    await page.mouse.up();
    const lines = (await readFile(await (await exporting).path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(2);
  });

  it('goes to the next page once, however often it is asked to before that page is there', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { page } = owner;
    await soldByMany(stage.service, brand, PARTNERS, '2025-10');
    await owner.visit(`${brand.path('partners')}?sort=name`, 'Partners');
    await owner.sees(`1–25 of ${PARTNERS + 1} partners`);
    let letThrough = () => {};
    const isAskedAgain = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await page.route('**/partners?*cursor=*', async (route) => {
      await isAskedAgain;
      await route.continue();
    });
    const next = page.getByRole('button', { name: 'Next page' });
    await next.click();
    await page.waitForURL('**cursor=*');
    // What is shown is still the first page, and says so. Nothing of it can be selected as if it were of the next one.
    await owner.sees(`1–25 of ${PARTNERS + 1} partners`);
    expect(await page.getByLabel('Select Jane').isDisabled()).toBe(true);
    expect(await page.getByLabel('Select all rows on this page').isDisabled()).toBe(true);
    await next.dispatchEvent('click');
    letThrough();
    await owner.sees(`26–50 of ${PARTNERS + 1} partners`);
    await owner.press('Next page');
    await owner.sees(`51–${PARTNERS + 1} of ${PARTNERS + 1} partners`);
    await owner.row('Partner 060').waitFor();
  });

  it('answers while one types, without an entry in the history for each letter, and never with an earlier answer', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { page } = owner;
    await soldByMany(stage.service, brand, PARTNERS, '2025-10');
    await owner.visit(brand.path('partners'), 'Partners');
    await owner.row('Partner 060').waitFor();
    const onlyOne = page.getByText('1 partner', { exact: true });
    // The first answer comes after the second one.
    await page.route('**/partners?q=jan&*', async (route) => {
      await onlyOne.waitFor();
      // By then nobody waits for it.
      await route.continue().catch(() => undefined);
    });
    await page.getByLabel('Search partners').pressSequentially('jan');
    await page.waitForURL('**/partners?q=jan');
    await owner.fill('Search partners', 'Partner 042');
    await onlyOne.waitFor();
    await owner.row('Partner 042').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await owner.untilLoaded();
    await expect.poll(() => owner.row('Jane').count()).toBe(0);
    await expect.poll(() => page.getByLabel('Search partners').inputValue()).toBe('Partner 042');
    await page.goBack();
    await owner.sees(`${PARTNERS + 1} partners`);
    await expect.poll(() => page.getByLabel('Search partners').inputValue()).toBe('');
    expect(owner.faults).toEqual([]);
  });

  it('shows who was invited, keeps the filter as a view, and exports what a message needs', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { page } = owner;
    await partnerPerson(stage, brand.partnerId);
    const bob = { name: 'Bob Müller', email: `${newId('bob')}@partner.test` };
    const { token } = await memberOf(stage.service, brand.workspaceId);
    const { body } = await stage.service.call('POST', manage(brand, '/partners'), { key: token, body: bob });
    const coupon = { code: newId('BOB'), partner_id: body.data.id };
    await stage.service.call('POST', manage(brand, '/coupons'), { key: token, body: coupon });
    await owner.visit(brand.path('partners'), 'Partners');
    await owner.row('Jane').getByText('Active', { exact: true }).waitFor();
    await owner.row(bob.name).getByText('Invited', { exact: true }).waitFor();
    await owner.select('All statuses', 'Active');
    await owner.row(bob.name).waitFor({ state: 'detached' });
    await owner.select('All statuses', 'Invited');
    await owner.row('Jane').waitFor({ state: 'detached' });
    await owner.row(bob.name).waitFor();
    await owner.choose('Views', 'Save current view');
    await owner.fill('Name', 'Waiting');
    await owner.press('Save view', owner.dialog('Save view'));
    await owner.sees('View “Waiting” saved');

    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/-partners-\d{4}-\d\d-\d\d\.csv$/);
    const text = await readFile(await file.path(), 'utf8');
    // The mark by which Excel reads the umlaut.
    expect(text).toMatch(
      new RegExp(`^\uFEFFname,email,link,coupon,[^\n]*\r\nBob Müller,${bob.email},,${coupon.code},`),
    );
    const workbook = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export Excel' }).click();
    expect((await readFile(await (await workbook).path())).subarray(0, 2).toString()).toBe('PK');

    expect(owner.faults).toEqual([]);
  });

  it('says how far a file is, saves nothing of one that is stopped, and says why one does not come', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { page } = owner;
    await owner.visit(brand.path('partners'), 'Partners');
    await owner.row('Jane').waitFor();
    const files: string[] = [];
    page.on('download', (file) => files.push(file.suggestedFilename()));
    const exports = page.getByRole('link', { name: 'Export CSV' });

    const stopped = page.getByText('Export stopped. No file was saved.').first();
    await page.route('**/export/partners.csv*', async (route) => {
      await stopped.waitFor();
      // By then nobody waits for it.
      await route.continue().catch(() => undefined);
    });
    await exports.click();
    const stop = page.getByRole('button', { name: 'Stop: Export CSV' });
    await stop.getByText('Starting…').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await stop.click();
    await stopped.waitFor();
    await page.unrouteAll({ behavior: 'wait' });

    await page.route('**/export/partners.csv*', (route) => route.abort());
    await exports.click();
    await owner.sees('Can’t reach the server. Check your connection and try again.');
    await page.unrouteAll({ behavior: 'wait' });

    const failure = { error: { message: 'Internal error', code: 'internal_error' } };
    await page.route('**/export/partners.csv*', (route) =>
      route.fulfill({ status: 500, json: failure, headers: { 'X-Request-ID': 'req_of_the_file' } }),
    );
    await exports.click();
    await owner.sees(
      'Something went wrong on the server. Try again. If it happens again, report it with the request ID req_of_the_file.',
    );
    await page.unrouteAll({ behavior: 'wait' });
    expect(files).toEqual([]);

    // After signing in again, people get the file that they asked for.
    await stage.service.sql('delete from sessions where user_id = $1', [owner.userId]);
    const download = page.waitForEvent('download');
    await exports.click();
    const dialog = owner.dialog('Sign in again');
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await owner.press('Sign in', dialog);
    expect(await readFile(await (await download).path(), 'utf8')).toContain('Jane');
    expect(owner.faults).toEqual([]);
  });

  it('takes back a deleted view and a move, and asks before a name that was typed is lost', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { page } = owner;
    const { token } = await memberOf(stage.service, brand.workspaceId);
    await stage.service.call('POST', manage(brand, '/groups'), { key: token, body: { name: 'Gold' } });
    await owner.visit(`${brand.path('partners')}?q=jane`, 'Partners');
    await owner.choose('Views', 'Save current view');
    await owner.fill('Name', 'Earning');
    await page.keyboard.press('Escape');
    const question = owner.dialog('Close without saving?');
    await owner.press('Keep editing', question);
    await question.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Earning');
    const saved = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/views'));
    await owner.press('Save view', owner.dialog('Save view'));
    expect((await saved).headers()['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
    await owner.choose('Earning', 'Delete “Earning”');
    await owner.sees('View deleted');
    await page.getByRole('button', { name: 'Views', exact: true }).waitFor();
    await owner.press('Undo');
    await owner.sees('View “Earning” is back');
    await page.getByRole('button', { name: 'Earning', exact: true }).waitFor();
    const views = 'select list, name, query from saved_views where program_id = $1';
    expect(await stage.service.sql(views, [brand.program.id])).toEqual([
      { list: 'partners', name: 'Earning', query: 'q=jane' },
    ]);

    const groupOf = () =>
      stage.service.sql(
        `select g.name from memberships m left join partner_groups g on g.id = m.group_id where m.program_id = $1`,
        [brand.program.id],
      );
    const before = await groupOf();
    await page.getByLabel('Select Jane').check();
    await owner.press('Move to Gold');
    await owner.sees(/^Jane .*Gold/);
    expect(await groupOf()).toEqual([{ name: 'Gold' }]);
    await owner.press('Undo');
    await expect.poll(groupOf).toEqual(before);
    expect(owner.faults).toEqual([]);
  });

  it('declines many applications at once, and exports the links and coupons that a list shows', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { page } = owner;
    const { token } = await memberOf(stage.service, brand.workspaceId);
    const applicants = [await stage.service.partner(brand.program), await stage.service.partner(brand.program)];
    for (const { partnerId } of applicants)
      await stage.service.sql(`update memberships set status = 'applied' where partner_id = $1`, [partnerId]);
    await owner.visit(`${brand.path('partners')}?status=applied`, 'Partners');
    await page.getByLabel('Select all rows on this page').check();
    await owner.press('Decline', page.getByRole('region', { name: 'Selected partners' }));
    await owner.press('Decline', owner.dialog('Decline 2 applications?'));
    await page.getByRole('region', { name: 'Bulk action' }).getByText('2 applications declined').waitFor();
    expect(
      await stage.service.sql(
        'select status, count(*)::int from memberships where program_id = $1 group by 1 order by 1',
        [brand.program.id],
      ),
    ).toEqual([
      { status: 'active', count: 1 },
      { status: 'removed', count: 2 },
    ]);

    const summer = newId('summer');
    for (const [path, body] of Object.entries({ '/links': { short_link: summer }, '/coupons': { code: summer } })) {
      const asked = { partner_id: brand.partnerId, ...body };
      await stage.service.call('POST', manage(brand, path), { key: token, body: asked });
    }
    for (const list of ['Links', 'Coupons']) {
      await owner.visit(`${brand.path(list.toLowerCase())}?q=${summer}`, list);
      await owner.row(new RegExp(summer, 'i')).waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Export CSV' }).click();
      const file = await download;
      expect(file.suggestedFilename()).toMatch(new RegExp(`-${list.toLowerCase()}-\\d{4}-\\d\\d-\\d\\d\\.csv$`));
      const rows = (await readFile(await file.path(), 'utf8')).trim().split('\r\n').slice(1);
      expect(rows).toEqual([expect.stringMatching(new RegExp(summer, 'i'))]);
    }
    expect(owner.faults).toEqual([]);
  });

  it('disables and deletes many links, and switches coupons off, also those on other pages', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { page } = owner;
    const { program, partnerId: partner_id } = brand;
    const codes = Array.from({ length: 30 }, (_, n) => `${newId('many')}-${n}`);
    const { token } = await memberOf(stage.service, brand.workspaceId);
    for (const code of codes) {
      for (const [path, body] of Object.entries({ '/links': { short_link: code }, '/coupons': { code } })) {
        await stage.service.call('POST', manage(brand, path), { key: token, body: { partner_id, ...body } });
      }
    }
    const result = page.getByRole('region', { name: 'Bulk action' });
    await owner.visit(`${brand.path('links')}?q=many`, 'Links');
    await page.getByLabel('Select all rows on this page').check();
    await owner.press('Select all 30 links');
    expect(await accessibilityProblems(page)).toEqual([]);
    await owner.press('Disable', page.getByRole('region', { name: 'Selected links' }));
    await owner.press('Disable', owner.dialog('Disable 30 links?'));
    await result.getByText('30 links disabled').waitFor();
    await page.getByLabel(`Select ${codes[29]}`).check();
    await owner.press('Delete', page.getByRole('region', { name: 'Selected links' }));
    await owner.press('Delete', owner.dialog('Delete 1 link?'));
    await result.getByText('1 link deleted').waitFor();
    await owner.sees('1–25 of 29 links');

    await owner.visit(brand.path('coupons'), 'Coupons');
    await page.getByLabel('Select all rows on this page').check();
    await owner.press('Select all 30 coupons');
    await owner.press('Switch off', page.getByRole('region', { name: 'Selected coupons' }));
    await owner.press('Switch off', owner.dialog('Switch off 30 coupons?'));
    await result.getByText('30 coupons switched off').waitFor();
    const on = 'select count(*)::int as count from coupons where program_id = $1 and active';
    expect(await stage.service.sql(on, [program.id])).toEqual([{ count: 0 }]);
    expect(owner.faults).toEqual([]);
  });

  it('shows the rows as a bulk action has left them, however quickly it finished', async () => {
    const brand = await openBrand(stage);
    const { owner, link } = brand;
    const { page } = owner;
    await owner.visit(brand.path('links'), 'Links');
    await owner.sees('1 link');
    await owner.untilLoaded();
    // What is fetched when the action begins is from before it; what became of the action is asked when it is over.
    const rows = await page.evaluate(
      (path) => fetch(path).then((reply) => reply.text()),
      manage(brand, '/links?totals=true'),
    );
    await page.route('**/links?*', (route) => route.fulfill({ contentType: 'application/json', body: rows }), {
      times: 2,
    });
    const isOver = `select 1 from bulk_actions where program_id = $1 and status = 'done'`;
    await page.route('**/bulk-actions?*', async (route) => {
      await expect.poll(() => stage.service.sql(isOver, [brand.program.id])).toHaveLength(1);
      // By then the page may have asked again.
      await route.continue().catch(() => undefined);
    });
    await page.getByLabel(`Select ${link}`).check();
    await owner.press('Disable', page.getByRole('region', { name: 'Selected links' }));
    await owner.press('Disable', owner.dialog('Disable 1 link?'));
    await owner.sees('1 link disabled');
    await owner.row(link).getByText('Disabled').waitFor();
  });

  it('approves, moves and removes many partners at once, also those on other pages', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { page } = owner;
    await soldByMany(stage.service, brand, PARTNERS, '2025-10');
    const { token } = await memberOf(stage.service, brand.workspaceId);
    await stage.service.call('POST', manage(brand, '/groups'), { key: token, body: { name: 'Gold' } });
    await stage.service.sql(`update memberships set status = 'applied' where program_id = $1 and partner_id <> $2`, [
      brand.program.id,
      brand.partnerId,
    ]);
    const bar = page.getByRole('region', { name: 'Selected partners' });
    const result = page.getByRole('region', { name: 'Bulk action' });
    await owner.visit(`${brand.path('partners')}?status=applied`, 'Partners');
    await page.getByLabel('Select all rows on this page').check();
    await owner.press(`Select all ${PARTNERS} partners`);
    expect(await accessibilityProblems(page)).toEqual([]);
    await owner.press('Approve', bar);
    await owner.press('Approve', owner.dialog(`Approve ${PARTNERS} applications?`));
    await result.getByText(`${PARTNERS} applications approved`).waitFor();
    await page.getByRole('heading', { name: 'No matches' }).waitFor();

    await owner.visit(`${brand.path('partners')}?sort=name`, 'Partners');
    await page.getByLabel('Select Partner 001').check();
    await page.getByLabel('Select Partner 002').check();
    await owner.press('Move to Gold');
    await owner.press('Move', owner.dialog('Move 2 partners to Gold?'));
    await result.getByText('2 partners moved').waitFor();
    await owner.select('All groups', 'Gold');
    await owner.sees('2 partners');
    await page.getByLabel('Select all rows on this page').check();
    await owner.press('Remove', bar);
    await owner.press('Remove', owner.dialog('Remove 2 partners?'));
    await result.getByText('2 partners removed').waitFor();
    const statuses = await stage.service.sql(
      'select status, count(*) from memberships where program_id = $1 group by 1 order by 1',
      [brand.program.id],
    );
    expect(statuses).toEqual([
      { status: 'active', count: PARTNERS - 1 },
      { status: 'removed', count: 2 },
    ]);
    expect(owner.problems).toEqual([]);
  });

  it('finds an order, a customer, a link and a coupon from anywhere', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { page } = owner;
    const { transactionId } = await sold(stage.service, brand);
    const { token } = await memberOf(stage.service, brand.workspaceId);
    const code = newId('CODE');
    const coupon = { code, partner_id: brand.partnerId };
    await stage.service.call('POST', manage(brand, '/coupons'), { key: token, body: coupon });
    await owner.visit(brand.path('team'), 'Team');
    const open = async (text: string, option: RegExp) => {
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('combobox', { name: /^Go to/ }).fill(text);
      await page.getByRole('option', { name: option }).click();
    };
    await open(transactionId.slice(0, 10), new RegExp(`^${transactionId} Jane Order$`));
    await owner.sees('The sale was recorded and the partner earned a commission.');
    await open(code.slice(0, 9).toLowerCase(), new RegExp(`^${code} Jane Coupon$`));
    await page.waitForURL(`**/coupons?q=${code}`);
    await open(brand.link, new RegExp(`^${brand.link} Jane Link$`));
    await page.waitForURL(`**/links?q=${brand.link}`);
    const [customer] = await stage.service.sql<{ id: number; key: string }>(
      'select id, customer_key as key from customers where program_id = $1',
      [brand.program.id],
    );
    await open(customer?.key ?? '', new RegExp(`^${customer?.key} Jane Customer$`));
    await page.waitForURL(`**/customers/${customer?.id}`);
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: /^Go to/ }).fill('nothing like it');
    await owner.sees('No results for “nothing like it”');
    // Who presses Enter while it is searched for gets there when it is found.
    let find = () => {};
    const isFound = new Promise<void>((resolve) => {
      find = resolve;
    });
    await page.route('**/search?*', async (route) => {
      await isFound;
      await route.continue();
    });
    await page.getByRole('combobox', { name: /^Go to/ }).fill(transactionId);
    await owner.sees('Searching…');
    await page.keyboard.press('Enter');
    find();
    await owner.sees('The sale was recorded and the partner earned a commission.');
    expect(owner.problems).toEqual([]);
  });
});

describeInBrowser('an agency', () => {
  it('starts with all its programs, and keeps the page when it goes to another one', async () => {
    const brand = await openBrand(stage);
    const { owner, workspaceId } = brand;
    const { page } = owner;
    const other = await stage.service.program({ currency: 'EUR', workspaceId });
    await stage.service.sql(
      `update programs set name = case id when $1 then 'Zebra' else 'Ant' end where advertiser_id = $2`,
      [brand.program.id, workspaceId],
    );
    await sold(stage.service, brand);
    await stage.service.sql(`update memberships set status = 'applied' where partner_id = $1`, [other.partnerId]);
    await owner.load('/app', 'All programs');
    await page.getByRole('row').nth(1).getByRole('link', { name: 'Ant' }).waitFor();
    await owner.row('Zebra').getByText('$100.00').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Account settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Account settings' }).waitFor();
    await owner.press(/Switch program/);
    await page.getByRole('option', { name: 'All programs' }).click();
    await page.getByRole('link', { name: '1 application to review' }).click();
    await page.waitForURL(`**/app/programs/${other.program.id}/partners?status=applied`);

    await owner.visit(`${brand.path('commissions')}?status=pending&q=order`, 'Commissions');
    await owner.press(/Switch program/);
    await page.getByRole('option', { name: 'Ant 1 waiting application' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Search programs' }).fill('an');
    await page.getByRole('option', { name: /Zebra/ }).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/app/programs/${other.program.id}/commissions?status=pending`);
    await page.getByRole('heading', { level: 1, name: 'Commissions' }).waitFor();
    expect(owner.problems).toEqual([]);
  });
});

describeInBrowser('people who are new', () => {
  it('a brand has a checklist until everything is set up', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(brand.path('overview'), 'Overview');
    await owner.sees('1 of 5 done');
    await owner.page.getByRole('link', { name: 'Open setup guide to add the tracker' }).click();
    await owner.page.getByRole('heading', { level: 1, name: 'Set up your program' }).waitFor();
    await owner.sees(/^Follow a test visitor/);
    await sold(stage.service, brand);
    await owner.visit(brand.path('overview'), 'Overview');
    await owner.sees('4 of 5 done');
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await partnerPerson(stage, brand.partnerId);
    await owner.visit(brand.path('overview'), 'Overview');
    await owner.page.getByRole('heading', { name: 'Top partners' }).waitFor();
    expect(await owner.page.getByText(/of 5 done/).count()).toBe(0);
    await owner.page.getByRole('link', { name: 'Setup guide' }).click();
    await owner.sees(/^Everything is set up/);
    expect(owner.problems).toEqual([]);
  });

  it('a partner has first steps until the first sale', async () => {
    const brand = await openBrand(stage);
    const jane = await partnerPerson(stage, brand.partnerId);
    const overview = `/app/portal/${brand.program.id}/overview`;
    await jane.visit(overview, 'Overview');
    await jane.sees('1 of 4 done');
    // This installation sends no mail, so there is no link that confirms the address.
    expect(await jane.page.getByText('Confirm your email address').count()).toBe(0);
    await jane.page.getByRole('link', { name: 'Set up payouts' }).waitFor();
    // She deletes her link, and sells by a coupon.
    const { service } = stage;
    const { token: key } = await memberOf(service, brand.workspaceId);
    const link = manage(brand, `/links/${await linkIdOf(service, brand)}`);
    expect((await service.call('DELETE', link, { key })).status).toBe(200);
    await jane.visit(overview, 'Overview');
    await jane.sees('0 of 4 done');
    const coupon = { code: 'JANE10', partner_id: brand.partnerId };
    expect((await service.call('POST', manage(brand, '/coupons'), { key, body: coupon })).status).toBe(201);
    const sale = { transaction_id: newId('order'), customer_key: newId('user'), amount_cents: 10_000 };
    expect((await service.sale({ ...sale, coupon_code: 'JANE10' }, { key: brand.apiKey })).status).toBe(200);
    await jane.visit(overview, 'Overview');
    await jane.sees('3 of 4 done');
    expect(await accessibilityProblems(jane.page)).toEqual([]);
    await giveMethod(service, jane.userId);
    await jane.visit(overview, 'Overview');
    await jane.page.getByRole('heading', { name: 'Next payout' }).waitFor();
    expect(await jane.page.getByText('First steps').count()).toBe(0);
    expect(jane.problems).toEqual([]);
  });
});

describeInBrowser('seeing what others see', () => {
  it('an owner views the portal as a partner, and changes nothing', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { page } = owner;
    const { transactionId } = await sold(stage.service, brand);
    const rival = { ...brand, ...(await stage.service.partner(brand.program)) };
    const others = await sold(stage.service, rival);
    await owner.visit(brand.path(`partners/${brand.partnerId}`), 'Jane');
    await owner.choose('Actions for Jane', 'View as partner');
    await page.waitForURL(`**/app/portal/${brand.program.id}/overview`);
    const bar = page.getByRole('region', { name: 'View as partner' });
    await bar.getByText('You’re viewing the portal as Jane.').waitFor();
    await page.getByRole('heading', { name: 'Your link' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'Sales', exact: true }).click();
    await owner.row(transactionId).waitFor();
    expect(await owner.row(others.transactionId).count()).toBe(0);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect([text.includes(transactionId), text.includes(others.transactionId)]).toEqual([true, false]);

    await page.getByRole('link', { name: 'Links', exact: true }).click();
    await owner.row(brand.link).waitFor();
    expect(await page.getByRole('button', { name: 'New link' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Postback' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Find an order' }).click();
    await owner.fill('Order ID', transactionId);
    await owner.press('Find it');
    await owner.sees('You’re viewing as Jane. Nothing can be changed here.');

    await owner.press('Stop viewing', bar);
    await page.waitForURL(`**${brand.path(`partners/${brand.partnerId}`)}`);
    await page.getByRole('heading', { level: 1, name: 'Jane' }).waitFor();
    await owner.visit(brand.path('audit'), 'Audit log');
    await owner.sees('Robin viewed the portal as Jane');
    await owner.page.goto(`/app/portal/${brand.program.id}/overview`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(owner.faults).toEqual([]);
  });

  it('the preview of the join page is the page that strangers see, and sends nothing', async () => {
    const brand = await openBrand(stage, { joining: 'on_approval' });
    const { owner } = brand;
    await owner.visit(`${brand.path('settings')}?tab=join`, 'Settings');
    const opened = owner.context.waitForEvent('page');
    await owner.page.getByRole('link', { name: 'Preview the saved page' }).click();
    const preview = await opened;
    await preview.getByRole('heading', { level: 1, name: 'Become a partner of Acme' }).waitFor();
    await preview.getByText('This is a preview of the saved page. Nothing can be sent from here.').waitFor();
    // A signed-in owner would otherwise be asked to join with their own account.
    expect(await preview.getByLabel('Password').isDisabled()).toBe(true);
    expect(await preview.getByRole('button', { name: /apply/ }).isDisabled()).toBe(true);
    expect(await accessibilityProblems(preview)).toEqual([]);
    await preview.close();
    expect(owner.problems).toEqual([]);
  });
});
