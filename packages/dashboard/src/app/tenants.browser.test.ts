import { manage, memberOf } from '@svc/testkit/service/accounts.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';
import { openBrand, partnerPerson } from '../../test/brand.ts';
import { describeInBrowser, startStage } from '../../test/stage.ts';

const stage = startStage();
const NOT_FOUND = 'Page not found';

describeInBrowser('changing the URL', () => {
  it('shows a partner nothing of the brand’s pages, other programs or other partners', async () => {
    const brand = await openBrand(stage);
    const other = await openBrand(stage);
    const rival = await stage.service.partner(brand.program);
    const { transactionId } = await sold(stage.service, { ...brand, ...rival });
    const owner = await memberOf(stage.service, brand.workspaceId);
    await stage.service.call('POST', manage(brand, '/commissions/approve'), {
      key: owner.token,
      body: { ids: (await stage.service.sql<{ id: number }>('select id from commissions')).map(({ id }) => id) },
    });
    const payouts = await stage.service.call('POST', manage(brand, '/payouts'), { key: owner.token, body: {} });
    const jane = await partnerPerson(stage, brand.partnerId);
    const own = `/app/portal/${brand.program.id}`;

    for (const page of ['overview', 'partners', 'commissions', 'settings', 'customers/1', 'payouts']) {
      await jane.page.goto(brand.path(page));
      await jane.page.getByRole('heading', { name: NOT_FOUND }).waitFor();
    }
    await jane.page.goto(`/app/portal/${other.program.id}/earnings`);
    await jane.page.getByRole('heading', { name: NOT_FOUND }).waitFor();

    await jane.page.goto(`${own}/payouts/${payouts.body.data[0].id}`);
    await jane.page.getByRole('heading', { name: 'Payout not found' }).waitFor();
    await jane.page.getByRole('link', { name: 'Back to all payouts' }).click();
    await jane.page.getByRole('heading', { name: 'Payouts', level: 1 }).waitFor();
    await jane.visit(`${own}/links?partner_id=${rival.partnerId}`, 'Links');
    await jane.row(brand.link).waitFor();
    for (const page of ['sales', 'earnings', 'customers']) {
      await jane.visit(`${own}/${page}?partner_id=${rival.partnerId}`);
      await jane.page.getByRole('heading', { level: 2 }).last().waitFor();
      const text = await jane.page.getByRole('main').innerText();
      expect(text).not.toContain(transactionId);
      expect(text).not.toContain(rival.link);
    }
    expect(jane.faults).toEqual([]);
  });

  it('shows a brand nothing of another brand', async () => {
    const [one, two] = [await openBrand(stage), await openBrand(stage)];
    await one.owner.page.goto(two.path('overview'));
    await one.owner.page.getByRole('heading', { name: NOT_FOUND }).waitFor();
    expect(one.owner.problems).toEqual([]);
  });

  it('leads somewhere from every program, and says what does not exist, with a way back', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const jane = await partnerPerson(stage, brand.partnerId);
    await jane.visit(`/app/portal/${brand.program.id}`, 'Overview');
    await jane.sees('Acme pays you 20% of each sale, not of renewals. Tax and shipping do not count.');
    await owner.visit(`/app/programs/${brand.program.id}`, 'Overview');
    await owner.visit('/app/programs/nonsense', NOT_FOUND);
    await owner.visit(brand.path('nonsense'), NOT_FOUND);
    expect(await owner.page.getByRole('main').count()).toBe(1);
    await owner.page.getByRole('link', { name: 'Go to dashboard' }).click();
    await owner.page.waitForURL(`**${brand.path('overview')}`);
    await owner.visit(brand.path('partners/999999'), 'Partner not found');
    await owner.page.getByRole('link', { name: 'Back to all partners' }).click();
    await owner.page.getByRole('link', { name: 'Jane' }).click();
    await owner.page.getByRole('heading', { name: 'Jane', level: 1 }).waitFor();
    await owner.sees(`${brand.link}@partner.test`);
    expect([...owner.faults, ...jane.faults]).toEqual([]);
  });
});
