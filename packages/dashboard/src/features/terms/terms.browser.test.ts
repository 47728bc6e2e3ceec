import { publish } from '@svc/testkit/service/published-terms.ts';
import { RULES } from '@svc/testkit/service/routes/requests/terms.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';
import { reasons } from '../../../../server/src/decisions/reasons.ts';
import { accessibilityProblems } from '../../../test/accessibility.ts';
import { openBrand, partnerPerson } from '../../../test/brand.ts';
import { describeInBrowser, startStage } from '../../../test/stage.ts';

const stage = startStage();

/** A time in the middle of the quarter before this one. */
function inLastQuarter(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), Math.floor(now.getUTCMonth() / 3) * 3 - 2, 15));
}

describeInBrowser('commission rules', () => {
  it('a group with a higher rate is tried on last quarter, published, and named to both sides', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { service } = stage;
    const now = service.time;
    service.time = inLastQuarter(now);
    await sold(service, brand);
    service.time = now;

    await owner.visit(`${brand.path('terms')}?tab=groups`, 'Commission rules');
    await owner.press('New group');
    await owner.fill('Name', 'Gold');
    await owner.press('Create group');
    await owner.row('Gold').getByText('By hand').waitFor();

    await owner.visit(brand.path(`partners/${brand.partnerId}`));
    await owner.select('Group', 'Gold');
    await owner.sees(/ is in Gold$/);

    await owner.visit(brand.path('partners'), 'Partners');
    await owner.select('All groups', 'Default');
    await owner.sees(/^No partners match your filters/);
    await owner.select('All groups', 'Gold');
    await owner.page.getByRole('table').getByRole('link').first().waitFor();

    await owner.visit(brand.path('terms'), 'Commission rules');
    await owner.press('Edit rules');
    await owner.press('Add a rule');
    await owner.select('For', 'One group');
    await owner.select('Group', 'Gold');
    await owner.fill('Percent', '101');
    await owner.press('See the difference');
    const rate = owner.page.getByLabel('Percent', { exact: true });
    expect(await rate.evaluate((input: HTMLInputElement) => input.validity.rangeOverflow)).toBe(true);
    await rate.fill('30');
    await owner.press('See the difference');
    const difference = owner.page.getByRole('region', { name: 'Difference: last quarter' });
    await difference.getByText('+$10.00').first().waitFor();
    await difference.getByText('$30.00 instead of $20.00').waitFor();
    await difference.getByText('Now rule 1: group Gold earns 30% of each sale, not of renewals').waitFor();
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await owner.press('Publish…');
    const dialog = owner.dialog('Publish the new rules');
    await dialog.getByLabel('Note (optional)').fill('Gold earns more');
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await owner.press('Publish', dialog);
    await owner.page
      .getByRole('region', { name: 'Version 2, in force' })
      .getByText('Group Gold earns 30% of each sale, not of renewals')
      .waitFor();

    // Explain names the rule to the brand, and “Find an order” to the partner.
    service.advance({ seconds: 60 });
    const { transactionId } = await sold(service, brand);
    await owner.visit(`${brand.path('explain')}?by=transaction_id&q=${transactionId}`, 'Explain');
    await owner.sees(
      /^Rule 1 of version 2 of the commission rules: group Gold earns 30% of each sale, not of renewals, in force since /,
    );
    const jane = await partnerPerson(stage, brand.partnerId);
    await jane.visit(`/app/portal/${brand.program.id}/find-order`, 'Find an order');
    await jane.fill('Order ID', transactionId);
    await jane.press('Find it');
    await jane.sees('30% of each sale, not of renewals');
    await jane.sees('$30.00');
    // No rule decided a sale that was refused.
    const refused = { transaction_id: newId('order'), customer_key: newId('unknown'), amount_cents: 10_000 };
    await service.sale(refused, { key: brand.apiKey });
    await owner.visit(`${brand.path('explain')}?by=transaction_id&q=${refused.transaction_id}`, 'Explain');
    await owner.page.getByText(reasons.customer_not_found).waitFor();
    expect(await owner.page.getByText(/^(Rule|Version) \d/).count()).toBe(0);
    await jane.fill('Order ID', refused.transaction_id);
    await jane.press('Find it');
    await jane.page.getByText('$30.00').waitFor({ state: 'detached' });
    await jane.untilLoaded();
    expect(await jane.page.getByText(/of each sale/).count()).toBe(0);
    await jane.visit(`/app/portal/${brand.program.id}/terms`, 'Rules and agreement');
    await jane.sees('30% of each sale, not of renewals');
    expect([...owner.problems, ...jane.problems]).toEqual([]);
  });

  it('the last click is tried on last quarter, published, and told to partners and in Explain', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { service } = stage;
    const ben = await service.partner(brand.program);
    const now = service.time;
    const buy = async () => {
      const clickId = await service.clickId(brand.link);
      service.advance({ days: 1 });
      await service.clickId(ben.link, { existing_click_id: clickId });
      service.advance({ days: 1 });
      const transactionId = newId('order');
      const sale = { transaction_id: transactionId, click_id: clickId, amount_cents: 10_000 };
      await service.sale(sale, { key: brand.apiKey });
      return transactionId;
    };
    service.time = inLastQuarter(now);
    await buy();
    service.time = now;

    await owner.visit(brand.path('terms'), 'Commission rules');
    await owner.press('Edit rules');
    await owner.select('Who is credited', 'Last click');
    await owner.press('See the difference');
    const difference = owner.page.getByRole('region', { name: 'Difference: last quarter' });
    await difference.getByText('+$20.00').first().waitFor();
    await difference.getByText('-$20.00').first().waitFor();
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await owner.press('Publish…');
    await owner.press('Publish', owner.dialog('Publish the new rules'));
    await owner.page
      .getByRole('region', { name: 'Version 2, in force' })
      .getByText(/last click/)
      .waitFor();

    service.advance({ seconds: 60 });
    const transactionId = await buy();
    service.time = now;
    await owner.visit(`${brand.path('explain')}?by=transaction_id&q=${transactionId}`, 'Explain');
    await owner.sees(/^Credited by the last click, of .* The first click was on /);
    const jane = await partnerPerson(stage, brand.partnerId);
    await jane.visit(`/app/portal/${brand.program.id}/terms`, 'Rules and agreement');
    await jane.sees('The partner whose link a customer clicked last before signing up or buying.');
    expect([...owner.problems, ...jane.problems]).toEqual([]);
  });

  it('rules are reordered, and a rule that can never match is refused in words', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(brand.path('terms'), 'Commission rules');
    await owner.press('Edit rules');
    for (const percent of ['10', '15']) {
      await owner.press('Add a rule');
      await owner.fill('Percent', percent);
    }
    await owner.press('See the difference');
    await owner.sees('Rule 2 can never match: rule 1 matches first');
    await owner.press('Move rule 2 up');
    await owner.page.getByRole('button', { name: 'Rule 1 15% of each sale, not of renewals' }).waitFor();
    await owner.page
      .locator(':focus')
      .and(owner.page.getByRole('button', { name: 'Move rule 1 up' }))
      .waitFor();
    await owner.press('Remove rule 2');
    await owner.press('See the difference');
    await owner.sees('Nothing would have been paid differently.');
    // Leaving would lose the rule.
    await owner.page.getByRole('tab', { name: 'Groups' }).click();
    await owner.dialog('Leave without saving?').waitFor();
    await owner.press('Discard changes');
    await owner.press('New group');
    await owner.dialog('New group').waitFor();
    expect(owner.faults).toEqual([]);
  });

  it('rules that are being edited are kept when a colleague publishes a version, and the page says so', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(brand.path('terms'), 'Commission rules');
    await owner.press('Edit rules');
    await owner.press('Add a rule');
    await owner.fill('Percent', '15');
    const version = await publish(stage.service, brand, RULES);
    await owner.press('See the difference');
    await owner.sees(`Version ${version} was published meanwhile.`);
    expect(await owner.page.getByLabel('Percent', { exact: true }).inputValue()).toBe('15');
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    const scheduled = await publish(stage.service, brand, RULES, {
      since: new Date(stage.service.time.getTime() + 86_400_000),
    });
    await owner.press('See the difference');
    await owner.sees(`Version ${scheduled} was published meanwhile.`);
    expect(await owner.page.getByLabel('Percent', { exact: true }).inputValue()).toBe('15');
    await owner.press('Start again');
    await owner.sees(new RegExp(`^Version ${scheduled} comes into force on`));
    await owner.page.getByRole('region', { name: `Version ${version}, in force` }).waitFor();
    expect(owner.faults).toEqual([]);
  });

  it('a rule is its sentence: renewals are as in the settings, conditions and caps are added one by one', async () => {
    const brand = await openBrand(stage, { commissionType: 'recurring_percent' });
    const { owner } = brand;
    await stage.service.sql(`insert into partner_groups (program_id, name, created_at) values ($1, 'Gold', now())`, [
      brand.program.id,
    ]);
    await owner.visit(brand.path('terms'), 'Commission rules');
    await owner.press('Edit rules');
    await owner.press('Add a rule');
    const rule = owner.page.getByRole('group', { name: 'Rule 1' });
    // Who, for what, what, how much, and renewals: nothing else until it is asked for.
    expect(await rule.getByRole('textbox').count()).toBe(0);
    expect(await rule.getByRole('spinbutton').count()).toBe(1);
    expect(await rule.getByLabel('Renewals too').isChecked()).toBe(true);
    await owner.select('For', 'One group');
    await owner.select('Group', 'Gold');
    await owner.fill('Percent', '30');
    const sentence = (words: string) => owner.page.getByRole('button', { name: `Rule 1 ${words}`, exact: true });
    await sentence('Group Gold earns 30% of each sale and renewal').waitFor();
    await rule.getByLabel('Renewals too').uncheck();
    await owner.choose('Add a cap or more', 'A cap per sale');
    const cap = rule.getByLabel('Cap per sale (USD)');
    expect(await cap.evaluate((input) => input === document.activeElement)).toBe(true);
    await cap.fill('100');
    await owner.choose('Add a condition', 'One product');
    await owner.fill('Product ID', 'pro');
    await sentence(
      'Group Gold earns 30% of each sale of product pro, not of renewals, at most $100.00 per sale',
    ).waitFor();
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await owner.press('Remove: One product');
    await sentence('Group Gold earns 30% of each sale, not of renewals, at most $100.00 per sale').waitFor();
    await owner.press('See the difference');
    // Before it is published.
    await owner.page
      .getByRole('region', { name: /^Difference/ })
      .getByText(
        'Rule 1 pays 30% for sales, but not for renewals: for those, the commission settings pay 20%. Include renewals in the rule ' +
          'if they should pay 30% too.',
      )
      .waitFor();
    expect(owner.problems).toEqual([]);
  });

  it('rules that can pay more than a sale brings come with a warning, before they are published and after', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(brand.path('terms'), 'Commission rules');
    await owner.press('Edit rules');
    await owner.press('Add a rule');
    await owner.fill('Percent', '90');
    await owner.choose('Add a cap or more', 'Payment to the recruiter');
    await owner.press('See the difference');
    const warning =
      'The commission settings and rule 1 can pay more than the sale brings: together 110%, 20% to the partner and 90% to the ' +
      'recruiter.';
    await owner.page
      .getByRole('region', { name: /^Difference/ })
      .getByText(warning)
      .waitFor();
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await owner.press('Publish…');
    await owner.press('Publish', owner.dialog('Publish the new rules'));
    await owner.page.getByRole('region', { name: 'Version 2, in force' }).getByText(warning).waitFor();
    expect(owner.problems).toEqual([]);
  });

  it('a coupon, a bonus and an assigned customer reach the partner', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const jane = await partnerPerson(stage, brand.partnerId);
    const { service } = stage;
    const { name } = (
      await service.sql<{ name: string }>('select name from partners where id = $1', [brand.partnerId])
    )[0]!;
    await owner.visit(brand.path('coupons'), 'Coupons');
    await owner.page.getByRole('button', { name: 'New coupon' }).first().click();
    const dialog = owner.dialog('New coupon');
    await dialog.getByLabel('Code').fill('JANE10');
    await owner.find('Partner', name, name, dialog);
    await owner.press('Create coupon', dialog);
    await owner.row('JANE10').getByText('On', { exact: true }).waitFor();

    await owner.visit(brand.path(`partners/${brand.partnerId}`));
    await owner.press('Bonus or adjustment');
    await owner.fill('Amount', '12.50');
    await owner.fill('Reason', 'A great review');
    await owner.press('Add');
    await owner.sees('$12.50');
    await jane.visit(`/app/portal/${brand.program.id}/earnings`, 'Earnings');
    await jane.row('Bonus: A great review').getByText('$12.50').waitFor();

    const customerKey = newId('user');
    await service.lead({ customer_key: customerKey, email: 'kim@example.com' }, { key: brand.apiKey });
    await owner.visit(`${brand.path('customers')}?q=${customerKey}`, 'Customers');
    await owner.page.getByRole('link', { name: customerKey }).click();
    await owner.press('Assign to a partner');
    const assigning = owner.dialog('Assign this customer to a partner');
    await owner.find('Partner', name, name, assigning);
    await assigning.getByLabel('Reason').fill('They met at a fair');
    await owner.press('Assign', assigning);
    await owner.page.getByRole('region', { name: 'Customer' }).getByText(name).waitFor();
    await jane.visit(`/app/portal/${brand.program.id}/terms`, 'Rules and agreement');
    await jane.sees('JANE10');
    expect([...owner.problems, ...jane.problems]).toEqual([]);
  });
});
