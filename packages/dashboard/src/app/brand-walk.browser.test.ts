import { readFile } from 'node:fs/promises';
import { openPayout } from '@svc/testkit/service/routes/requests/payouts.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';
import { rollUpCounts } from '../../../server/src/jobs/roll-up-counts.ts';
import { rollUpFacets } from '../../../server/src/jobs/roll-up-facets.ts';
import { openBrand, partnerPerson } from '../../test/brand.ts';
import { openShop } from '../../test/shop.ts';
import { describeInBrowser, startStage } from '../../test/stage.ts';

const stage = startStage();

describeInBrowser('a brand', () => {
  it('regenerates its API key, whose old value stops working at once and whose new value is shown once', async () => {
    const brand = await openBrand(stage);
    const { owner, apiKey } = brand;
    const sale = { transaction_id: newId('order'), amount_cents: 100, additional_data: { test_mode: true } };
    expect((await stage.service.sale(sale, { key: apiKey })).status).toBe(200);

    await owner.visit(`${brand.path('settings')}?tab=key`, 'Settings');
    await owner.sees(`${apiKey.slice(0, 12)}****${apiKey.slice(-4)}`);
    await owner.press('Regenerate API key');
    await owner.press('Regenerate', owner.dialog('Regenerate the API key?'));
    const fresh = await owner.dialog('Your new API key').locator('pre').innerText();
    await owner.press('Done');
    // The page behind the dialog shows the masked key already while the dialog closes.
    await owner.dialog('Your new API key').waitFor({ state: 'detached' });
    await owner.sees(`${fresh.slice(0, 12)}****${fresh.slice(-4)}`);
    expect(await owner.page.content()).not.toContain(fresh);

    const withKey = (key: string) => stage.service.sale({ ...sale, transaction_id: newId('order') }, { key });
    expect(await withKey(apiKey)).toMatchObject({ status: 401, body: { error: { message: 'Invalid API token' } } });
    expect((await withKey(fresh)).status).toBe(200);
    expect(owner.problems).toEqual([]);
  });

  it('creates a second key, uses it and retires the first, whose last use it sees; and a test key', async () => {
    const brand = await openBrand(stage);
    const { owner, apiKey } = brand;
    const mask = (key: string) => `${key.slice(0, 12)}****${key.slice(-4)}`;
    const works = async (key: string) => (await stage.service.readiness(key)).status === 200;
    expect(await works(apiKey)).toBe(true);
    await owner.visit(`${brand.path('settings')}?tab=key`, 'Settings');
    await owner.press('Create live key');
    await owner.press('Create key', owner.dialog('Create another live key?'));
    const second = await owner.dialog('Your new API key').locator('pre').innerText();
    await owner.press('Done');
    expect([await works(apiKey), await works(second)]).toEqual([true, true]);
    expect(await owner.page.getByRole('button', { name: 'Create live key' }).count()).toBe(0);
    await owner.press(`Retire ${mask(apiKey)}`);
    await owner
      .dialog(`Retire ${mask(apiKey)}?`)
      .getByText(/^Last used /)
      .waitFor();
    await owner.press('Retire key', owner.dialog(`Retire ${mask(apiKey)}?`));
    await owner.sees('API key retired');
    expect([await works(apiKey), await works(second)]).toEqual([false, true]);
    await owner.press('Create test key');
    await owner.press('Create key', owner.dialog('Create a test key?'));
    const test = await owner.dialog('Your new API key').locator('pre').innerText();
    expect(test).toMatch(/^svc_key_test_/);
    await owner.press('Done');
    await owner.sees(mask(test));
    expect(owner.problems).toEqual([]);
  });

  it('requires the rotation of its key, whose use then returns warnings', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(`${brand.path('settings')}?tab=key`, 'Settings');
    await owner.fill('Deadline (your time zone)', '2099-01-02T03:04');
    await owner.press('Set deadline');
    await owner.sees(/stops working on Jan 2, 2099/);
    const { body } = await stage.service.readiness(brand.apiKey);
    expect(body.warnings).toMatchObject([{ code: 'api_key_rotation_required' }]);
    expect(owner.problems).toEqual([]);
  });

  it('allows a refused origin with one click, after which its page works', async () => {
    const brand = await openBrand(stage);
    const shop = await openShop({ serviceUrl: stage.url, programId: brand.program.id, apiKey: brand.apiKey });
    const clicks = () => stage.service.sql('select 1 from clicks where program_id = $1', [brand.program.id]);
    const visitor = await stage.stranger();
    const refused = visitor.page.waitForResponse('**/svc/c');
    await visitor.page.goto(`${shop.url}/?aff=${brand.link}`);
    expect(await (await refused).json()).toMatchObject({ success: false });
    expect(await clicks()).toEqual([]);

    await brand.owner.visit(`${brand.path('settings')}?tab=origins`, 'Settings');
    await brand.owner.sees('1 call, last');
    await brand.owner.press(`Allow ${shop.url}`);
    await brand.owner.page.getByRole('button', { name: `Remove ${shop.url}` }).waitFor();

    const again = await stage.stranger();
    await again.page.goto(`${shop.url}/?aff=${brand.link}`);
    await again.page.waitForFunction(() => document.cookie.includes('svc_click_id'));
    expect(await clicks()).toHaveLength(1);
    expect(brand.owner.problems).toEqual([]);
    shop.close();
  });

  it('finds out where its sales come from, and the partner sees only their own', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const jane = await partnerPerson(stage, brand.partnerId);
    const other = await stage.service.partner(brand.program);
    for (const [link, host] of [
      [brand.link, 'blog.example'],
      [other.link, 'videos.example'],
    ] as const) {
      const clickId = await stage.service.clickId(link, { referrer_url: `https://${host}/best` });
      const customer_key = newId('user');
      await stage.service.lead({ click_id: clickId, customer_key }, { key: brand.apiKey });
      const sale = { transaction_id: newId('order'), customer_key, amount_cents: 10_000 };
      await stage.service.sale(sale, { key: brand.apiKey });
    }
    stage.service.advance({ seconds: 120 });
    await rollUpCounts.run(stage.service.ctx);
    await rollUpFacets.run(stage.service.ctx);

    await owner.visit(brand.path('overview'), 'Overview');
    await owner.press(/^Revenue/);
    await owner.page.getByRole('heading', { name: 'Revenue by day' }).waitFor();
    await owner.press('Week');
    await owner.page.getByRole('heading', { name: 'Revenue by week' }).waitFor();
    await owner.sees('No prior data');
    await owner.page.getByRole('link', { name: 'See all partners' }).click();
    await owner.page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
    await owner.press('Referrers');
    await owner.row('blog.example').getByText('$100.00').waitFor();
    await owner.row('videos.example').getByText('100%').waitFor();
    await owner.row('Total').getByText('$200.00').waitFor();
    const file = owner.page.waitForEvent('download');
    await owner.page.getByRole('link', { name: 'Export table' }).click();
    expect(await readFile(await (await file).path(), 'utf8')).toMatch(
      /^\uFEFFreferrer,.*\r\nblog\.example,,1,1,1,1,1,100,/,
    );

    const months = owner.page.waitForEvent('download');
    await owner.page.getByRole('link', { name: 'Export months' }).click();
    const month = stage.service.time.toISOString().slice(0, 7);
    expect(await readFile(await (await months).path(), 'utf8')).toMatch(
      new RegExp(`^\uFEFFfirst_bought,customers,month,[^]*\r\n${month},2,${month},0,2,200,0\r\n`),
    );

    await jane.visit(`/app/portal/${brand.program.id}/reports?breakdown=referrer`, 'Reports');
    await jane.row('blog.example').getByText('$20.00').first().waitFor();
    await jane.page.getByRole('button', { name: /^Earned\s*\$20\.00/ }).waitFor();
    expect(await jane.page.content()).not.toContain('videos.example');
    expect([...owner.problems, ...jane.problems]).toEqual([]);
  });

  it('sees no payout under the address of another one', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { page } = owner;
    const first = await openPayout(stage.service, brand);
    const second = await openPayout(stage.service, brand);
    await owner.visit(brand.path(`payouts/${first}`));
    await page.getByRole('region', { name: `Payout ${first}` }).waitFor();
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(`**/payouts/${second}*`, async (route) => {
      await isAnswered;
      await route.continue();
    });
    await owner.goTo(brand.path(`payouts/${second}`));
    await page.getByText('Loading', { exact: true }).waitFor({ state: 'attached' });
    expect(await page.getByRole('region', { name: `Payout ${first}` }).count()).toBe(0);
    answer();
    await page.getByRole('region', { name: `Payout ${second}` }).waitFor();
    expect(owner.problems).toEqual([]);
  });

  it('creates a payout and marks it as paid, which the partner sees', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await sold(stage.service, brand);
    const { transactionId } = await sold(stage.service, brand);
    const jane = await partnerPerson(stage, brand.partnerId);

    await owner.visit(brand.path('commissions'), 'Commissions');
    await owner.row(transactionId).waitFor();
    for (const box of await owner.page.getByRole('checkbox').all()) await box.check();
    await owner.press('Approve');
    await owner.press('Approve', owner.dialog('Approve 2 commissions?'));
    await owner.sees('2 commissions approved');

    await owner.visit(brand.path('payouts'), 'Payouts');
    await owner.row('Jane').getByText('$40.00').last().waitFor();
    await owner.press('Pay by hand: Jane in USD');
    const preview = owner.dialog('Pay Jane by hand');
    for (const text of ['2 commissions', '$40.00', 'Jane hasn’t added a payout method yet.']) {
      await preview.getByText(text).waitFor();
    }
    await owner.press('Create payout', preview);
    await owner.sees('Payout of $40.00 to Jane created');
    await owner.page.getByRole('tab', { name: 'Payouts' }).click();
    await owner.press('Mark as paid: Jane');
    await owner.fill('Reference', 'SEPA-17');
    await owner.press('Mark as paid', owner.dialog('Mark $40.00 to Jane as paid?'));
    await owner.sees('Payout to Jane marked as paid');
    await owner.select('All statuses', 'Paid');
    await owner.row('SEPA-17').getByText('$40.00').waitFor();

    await jane.visit(`/app/portal/${brand.program.id}/payouts`, 'Payouts');
    await jane.row('SEPA-17').getByRole('link').click();
    await jane.page.getByRole('heading', { name: '$40.00 to Jane' }).waitFor();
    await jane.row(transactionId).getByText('$20.00', { exact: true }).waitFor();
    await jane
      .row(transactionId)
      .getByText(/Sold for \$100\.00 on .*, base \$100\.00/)
      .waitFor();
    await jane.row(transactionId).getByText('Rule 1 of version 1: 20% of each sale, not of renewals').waitFor();
    const statement = jane.page.waitForEvent('download');
    await jane.page.getByRole('link', { name: 'Download statement' }).click();
    expect((await readFile(await (await statement).path())).subarray(0, 5).toString()).toBe('%PDF-');
    await jane.visit(`/app/portal/${brand.program.id}/earnings`, 'Earnings');
    await jane.row(transactionId).getByText('Paid', { exact: true }).waitFor();

    await stage.service.refund({ transaction_id: transactionId }, { key: brand.apiKey });
    await jane.visit(`/app/portal/${brand.program.id}/earnings`, 'Earnings');
    await jane.sees(/\$20\.00 is carried over/);
    await owner.visit(`${brand.path('payouts')}?balances=all`, 'Payouts');
    await owner.row('Jane').getByText('-$20.00').first().waitFor();
    expect([...owner.problems, ...jane.problems]).toEqual([]);
  });
});
