import { newId, sold } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';
import { accessibilityProblems } from '../../test/accessibility.ts';
import { openBrand, partnerPerson } from '../../test/brand.ts';
import { describeInBrowser, startStage } from '../../test/stage.ts';

const stage = startStage();

describeInBrowser('rules about money and links', () => {
  it('a partner who enters a destination outside the brand’s site is told so at the field', async () => {
    const brand = await openBrand(stage);
    const jane = await partnerPerson(stage, brand.partnerId);
    await jane.visit(`/app/portal/${brand.program.id}/links`, 'Links');
    await jane.press('New link');
    const dialog = jane.dialog('New link');
    const destination = dialog.getByLabel('Destination');
    await destination.fill('https://elsewhere.test/');
    await jane.press('Create link', dialog);
    const message = dialog.getByText(/^The URL must lead to https:\/\/acme\.test, /);
    await message.waitFor();
    expect(await destination.getAttribute('aria-invalid')).toBe('true');
    expect(await destination.getAttribute('aria-describedby')).toContain(await message.getAttribute('id'));
    expect(await accessibilityProblems(jane.page)).toEqual([]);

    await destination.fill('https://shop.acme.test/');
    await jane.press('Create link', dialog);
    await jane.row('shop.acme.test/').waitFor();
    expect(jane.faults).toEqual([]);
  });

  it('a commission on the partner’s own purchase shows why it is held to both sides, until the brand approves it', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const jane = await partnerPerson(stage, brand.partnerId);
    const click_id = await stage.service.clickId(brand.link);
    const key = { key: brand.apiKey };
    await stage.service.lead({ click_id, customer_key: newId('user'), email: jane.email }, key);
    await stage.service.sale({ transaction_id: newId('order'), click_id, amount_cents: 10_000 }, key);

    await jane.visit(`/app/portal/${brand.program.id}/earnings`, 'Earnings');
    await jane.row('$20.00').getByText('held for the brand’s review: the customer has your email address').waitFor();
    expect(await accessibilityProblems(jane.page)).toEqual([]);
    await sold(stage.service, brand, { amount_cents: 5_000 });
    await owner.visit(brand.path('overview'), 'Overview');
    await owner.page.getByRole('link', { name: 'Review', exact: true }).click();
    await owner.sees('1 commission');
    const why = 'held for your review: the customer has the partner’s email address';
    await owner.row('$20.00').getByText(why).waitFor();
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await owner.choose(/^Actions for/, 'Approve');
    await owner.press('Approve', owner.dialog(/^Approve \$20\.00 to /));
    await owner.page.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor();
    await owner.visit(brand.path('commissions'), 'Commissions');
    await owner.row('$20.00').getByText('Approved').waitFor();
    expect(await owner.page.getByText(why).count()).toBe(0);
    expect([...owner.problems, ...jane.problems]).toEqual([]);
  });

  it('a percentage above 100 cannot be saved', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(`${brand.path('settings')}?tab=commission`, 'Settings');
    const rate = owner.page.getByLabel('Percent', { exact: true });
    await rate.fill('101');
    expect(await rate.evaluate((input: HTMLInputElement) => input.validity.rangeOverflow)).toBe(true);
    await rate.fill('100');
    expect(await rate.evaluate((input: HTMLInputElement) => input.validity.valid)).toBe(true);
    expect(owner.problems).toEqual([]);
  });
});
