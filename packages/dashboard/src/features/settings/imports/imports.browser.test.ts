import { newToken } from '@svc/testkit/service/accounts.ts';
import { importedRow, sendRows } from '@svc/testkit/service/imports.ts';
import { expect, it } from 'vitest';
import { accessibilityProblems } from '../../../../test/accessibility.ts';
import { type Brand, openBrand, partnerPerson } from '../../../../test/brand.ts';
import { describeInBrowser, startStage } from '../../../../test/stage.ts';

const stage = startStage();

const BALANCE = { currency: 'USD', pending_cents: 1_234, approved_cents: 5_000, paid_cents: 90_000 };

/** Imports one partner per row, and returns their ids. */
async function imported(brand: Brand, rows: unknown[]): Promise<number[]> {
  const token = await newToken(stage.service, brand.owner.userId);
  const { body } = await sendRows(stage.service, { ...brand, owner: { token } }, rows);
  return body.data.rows.map(({ partner_id: id }: { partner_id: number }) => id);
}

describeInBrowser('imports', () => {
  it('an owner sees what an import created, and undoes it except for what is in use', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(`${brand.path('settings')}?tab=imports`, 'Settings');
    const guide = owner.page.getByRole('link', { name: 'Read how it works' });
    expect(await guide.getAttribute('href')).toBe(`${stage.url}/docs/guide/moving-in`);
    expect((await owner.page.request.get(`${stage.url}/docs/guide/moving-in`)).status()).toBe(200);

    const [used, unused] = await imported(brand, [
      { ...importedRow({ partner: { name: 'Used Partner' } }), links: [] },
      importedRow({ partner: { name: 'Unused Partner' }, balances: [BALANCE] }),
    ]);
    await partnerPerson(stage, used as number);
    await owner.visit(`${brand.path('settings')}?tab=imports`, 'Settings');
    const row = owner.row('rewardful');
    await row.getByText('2 partners, 1 link, 1 balance').waitFor();
    await row.getByText('Done').waitFor();
    expect(await accessibilityProblems(owner.page)).toEqual([]);

    await owner.press('Undo', row);
    const dialog = owner.dialog('Undo the import from rewardful?');
    await dialog.waitFor();
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await owner.press('Undo import', dialog);
    await owner.sees('Import undone. 1 used or changed since were kept.');
    await row.getByText('Undone', { exact: true }).waitFor();
    expect(await row.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    const left = await stage.service.sql('select id from partners where id = any($1)', [[used, unused]]);
    expect(left).toEqual([{ id: used }]);
  });

  it('brand and partner see the opening balance of the previous tool, in every currency', async () => {
    const brand = await openBrand(stage);
    const balances = [BALANCE, { currency: 'JPY', approved_cents: 7_000 }];
    const [partnerId] = (await imported(brand, [importedRow({ partner: { name: 'Moved Partner' }, balances })])) as [
      number,
    ];
    await brand.owner.visit(brand.path(`partners/${partnerId}`), 'Moved Partner');
    const partner = await partnerPerson(stage, partnerId);
    await partner.visit(`/app/portal/${brand.program.id}/earnings`);
    for (const { page } of [brand.owner, partner]) {
      const card = page.locator('section').filter({ hasText: 'Opening balance' }).last();
      for (const text of ['$12.34', '$50.00', '$900.00', '¥7,000']) await card.getByText(text).first().waitFor();
      await card.getByText('As the previous tool reported it. It is not paid here, unless it says so.').waitFor();
      expect(await card.getByText('Paid here', { exact: true }).count()).toBe(0);
      expect(await accessibilityProblems(page)).toEqual([]);
    }
  });

  it('an owner chooses the parameters that links of the previous tool have', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const stored = () => stage.service.sql('select link_parameters from programs where id = $1', [brand.program.id]);
    await owner.visit(`${brand.path('settings')}?tab=tracking`, 'Settings');
    await owner.untilLoaded();
    const list = owner.page.getByRole('list', { name: 'Link parameters' });
    await owner.press('Add via');
    await list.getByText('via', { exact: true }).waitFor();
    expect(await owner.page.getByRole('button', { name: 'Add via' }).count()).toBe(0);
    await owner.page.getByLabel('Add a parameter').fill('no spaces');
    await owner.press('Add');
    await owner.sees(/letters, digits/);
    await owner.page.getByLabel('Add a parameter').fill('partner_ref');
    await owner.press('Add');
    await list.getByText('partner_ref', { exact: true }).waitFor();
    expect(await stored()).toEqual([{ link_parameters: ['via', 'partner_ref'] }]);
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await owner.press('Remove via');
    await list.getByText('via', { exact: true }).waitFor({ state: 'detached' });
    expect(await stored()).toEqual([{ link_parameters: ['partner_ref'] }]);
  });
});
