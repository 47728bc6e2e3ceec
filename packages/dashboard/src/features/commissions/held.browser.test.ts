import { manage, newToken } from '@svc/testkit/service/accounts.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';
import { accessibilityProblems } from '../../../test/accessibility.ts';
import { type Brand, openBrand, partnerPerson } from '../../../test/brand.ts';
import type { Person } from '../../../test/person.ts';
import { describeInBrowser, startStage } from '../../../test/stage.ts';

const stage = startStage();

type Seller = Pick<Brand, 'partnerId' | 'link' | 'apiKey'>;

/** Renames the partner, and returns the email address that they would buy with. */
async function rename({ partnerId }: Seller, name: string): Promise<string> {
  const email = `${newId(name.toLowerCase())}@partner.test`;
  await stage.service.sql('update partners set name = $2, email = $3 where id = $1', [partnerId, name, email]);
  return email;
}

/** The partner buys through their own link. Returns the order. */
async function buyThemselves({ link, apiKey }: Seller, email: string, amount_cents: number): Promise<string> {
  const [click_id, order] = [await stage.service.clickId(link), newId('order')];
  await stage.service.lead({ click_id, customer_key: newId('user'), email }, { key: apiKey });
  await reportSale(apiKey, { transaction_id: order, click_id, amount_cents });
  return order;
}

/** A sale of a customer whom only a page has claimed, as a payment leaves it. Returns the order. */
async function buyClaimed(seller: Brand, amount_cents: number): Promise<string> {
  const { commissionId, transactionId } = await sold(stage.service, seller, { amount_cents });
  await stage.service.sql(`update commissions set hold_reason = 'claimed_key' where id = $1`, [commissionId]);
  return transactionId;
}

async function reportSale(key: string, sale: object): Promise<void> {
  expect((await stage.service.sale(sale, { key })).status).toBe(200);
}

/** What the cards say about each reason. */
const reasonsOf = ({ page }: Person) =>
  page.getByRole('group', { name: 'Reason' }).getByRole('button').locator('> span:nth-child(2)').allInnerTexts();

const menuOf = ({ page }: Person) => page.getByRole('navigation').getByRole('link', { name: /^Held for review/ });

describeInBrowser('commissions that are held for review', () => {
  it('are listed by reason and partner, and approved or rejected there', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const kim = { ...brand, ...(await stage.service.partner(brand.program)) };
    const [janesEmail, kimsEmail] = [await rename(brand, 'Jane'), await rename(kim, 'Kim')];

    await owner.visit(brand.path('held'), 'Held for review');
    await owner.page.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor();
    await owner.untilLoaded();
    expect(await reasonsOf(owner)).toEqual(['None waiting', 'None waiting', 'None waiting']);
    expect(await menuOf(owner).innerText()).toBe('Held for review');
    expect(await accessibilityProblems(owner.page)).toEqual([]);

    // 20% of each. The last one is nobody’s concern.
    const kimsOwn = await buyThemselves(kim, kimsEmail, 5_000);
    const janesOwn = await buyThemselves(brand, janesEmail, 10_000);
    const claimed = await buyClaimed(kim, 2_000);
    await sold(stage.service, brand, { amount_cents: 15_000 });
    await owner.visit(brand.path('held'), 'Held for review');
    await owner.sees('3 commissions');
    await owner.untilLoaded();
    expect(await reasonsOf(owner)).toEqual(['2 commissions, $30.00', '1 commission, $4.00', 'None waiting']);
    expect((await menuOf(owner).innerText()).split(/\s*\n\s*/)).toEqual(['Held for review', '3']);
    const rows = owner.page.getByRole('region', { name: 'Held for review' }).locator('tbody tr');
    const orders = async () => (await rows.allInnerTexts()).map((text) => /order\S*/.exec(text)?.[0]);
    expect((await orders()).sort()).toEqual([kimsOwn, janesOwn, claimed].sort());
    expect((await orders())[0]).toBe(janesOwn);
    await owner
      .row('$4.00')
      .getByText('only a web page connects this payment’s customer key with the partner')
      .waitFor();
    expect(await accessibilityProblems(owner.page)).toEqual([]);

    await owner.press(/^Own purchase/);
    await owner.row('$4.00').waitFor({ state: 'detached' });
    const card = owner.page.getByRole('button', { name: 'Own purchase 2 commissions, $30.00', exact: true });
    expect(await card.getAttribute('aria-pressed')).toBe('true');
    await owner.sees('The customer has the partner’s email address. Approve it if your program pays');
    expect(await orders()).toEqual([janesOwn, kimsOwn]);

    await owner.choose(`Actions for ${kimsOwn}`, 'Reject');
    const dialog = owner.dialog('Reject $10.00 to Kim?');
    await dialog.getByLabel('Reason').fill('You bought this yourself.');
    await owner.press('Reject', dialog);
    await owner.row('$10.00').waitFor({ state: 'detached' });
    await owner.press(`Approve ${janesOwn}`);
    await owner.press('Approve', owner.dialog('Approve $20.00 to Jane?'));
    await owner.page.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor();
    await owner.untilLoaded();
    expect(await reasonsOf(owner)).toEqual(['None waiting; 1 rejected', '1 commission, $4.00', 'None waiting']);
    await expect
      .poll(async () => (await menuOf(owner).innerText()).split(/\s*\n\s*/))
      .toEqual(['Held for review', '1']);

    await owner.select('Waiting for you', 'Rejected');
    await owner.row('$10.00').getByText('You bought this yourself.').waitFor();
    expect(await orders()).toEqual([kimsOwn]);
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await owner.choose(`Actions for ${kimsOwn}`, 'Undo rejection');
    await owner.page.getByRole('heading', { name: 'None rejected' }).waitFor();

    // All of a reason at once.
    await owner.visit(brand.path('held?hold_reason=claimed_key'), 'Held for review');
    await owner.page.getByRole('checkbox', { name: `Select ${claimed}` }).check();
    await owner.press('Reject', owner.page.getByLabel('Selected commissions'));
    await owner.press('Reject', owner.dialog('Reject 1 commission?'));
    await owner.page.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor();
    await owner.untilLoaded();
    expect(await reasonsOf(owner)).toEqual(['1 commission, $10.00', 'None waiting; 1 rejected', 'None waiting']);
    expect(owner.problems).toEqual([]);
  });

  it('are no longer selected once somebody else has decided about them', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { service } = stage;
    const [first, second] = [await buyClaimed(brand, 2_000), await buyClaimed(brand, 5_000)];
    await owner.visit(brand.path('held'), 'Held for review');
    await owner.page.getByLabel('Select all rows on this page').check();
    const selected = owner.page.getByLabel('Selected commissions');
    await selected.getByText('2 selected').waitFor();
    await selected.getByText('$14.00').waitFor();
    const [row] = await service.sql<{ id: number }>(
      'select m.id from commissions m join sales s on s.id = m.sale_id where s.processor_event_id = $1',
      [first],
    );
    const key = await newToken(service, owner.userId);
    const approve = () => service.call('POST', manage(brand, `/commissions/${row?.id}/approve`), { key });
    expect((await approve()).status).toBe(200);
    // The page is fetched again when people come back to it.
    await owner.goTo(brand.path('held'));
    await owner.row(first).waitFor({ state: 'detached' });
    await selected.getByText('1 selected').waitFor();
    await selected.getByText('$10.00').waitFor();
    // Rejecting it takes it off the page, and the bar with it. The message that offers to undo it stays.
    await owner.press('Reject', selected);
    await owner.press('Reject', owner.dialog('Reject 1 commission?'));
    await owner.page.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor();
    await owner.press('Undo');
    await owner.sees('Rejection undone');
    await owner.row(second).waitFor();
    expect(await selected.count()).toBe(0);
    expect(owner.faults).toEqual([]);
  });

  it('are no page of the portal, whose partners see why theirs are held', async () => {
    const brand = await openBrand(stage);
    const jane = await partnerPerson(stage, brand.partnerId);
    await buyThemselves(brand, jane.email, 10_000);
    await jane.visit(`/app/portal/${brand.program.id}/earnings`, 'Earnings');
    await jane.row('$20.00').getByText('held for the brand’s review: the customer has your email address').waitFor();
    expect(await menuOf(jane).count()).toBe(0);
    await jane.visit(brand.path('held'), 'Page not found');
    expect(jane.faults).toEqual([]);
  });
});
