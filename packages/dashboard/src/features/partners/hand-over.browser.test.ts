import { partnerAccount } from '@svc/testkit/service/accounts.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';
import { OPERATOR } from '../../../../server/src/audit/audit-store.ts';
import { reviewCommission } from '../../../../server/src/commissions/review-commissions.ts';
import { openBrand } from '../../../test/brand.ts';
import { describeInBrowser, startStage } from '../../../test/stage.ts';

const stage = startStage();

describeInBrowser('a partner who has an account', () => {
  it('is handed over by an owner, who sees what is due; both accounts and the payouts tell', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { commissionId } = await sold(stage.service, brand, { amount_cents: 10_000 });
    await reviewCommission(stage.service.ctx, brand.program, Number(commissionId), {
      action: 'approve',
      actor: OPERATOR,
    });
    await sold(stage.service, brand, { amount_cents: 10_000 });
    const old = await partnerAccount(stage.service, brand.partnerId);
    await owner.visit(brand.path('partners'), 'Partners');
    await owner.choose('Actions for Jane', 'Hand over to another account');
    const dialog = owner.dialog('Hand Jane over to another account?');
    await dialog.getByText(/\$20\.00 on hold\s+would go to the new account/).waitFor();
    await owner.fill('Email', 'new-jane@partner.test');
    await owner.press('Create hand-over link');
    const url = await owner.dialog('Send this link to new-jane@partner.test').locator('pre').innerText();
    await owner.press('Done');
    const present = await stage.service.call('GET', '/api/v1/manage/me', { key: old.token });
    expect(present.body.data.partner_of).toMatchObject([{ account_change_pending: true }]);
    const jane = await stage.person('new-jane@partner.test');
    await jane.visit(url, 'Become a partner of Acme');
    await jane.press('Accept invitation');
    await jane.page.waitForURL(`**/app/portal/${brand.program.id}/overview`);
    await jane.sees(/^Account changed on/);
    await owner.visit(`${brand.path('payouts')}?balances=all`, 'Payouts');
    await owner
      .row('Jane')
      .getByText(/^Account changed/)
      .waitFor();
    const { data } = (await stage.service.call('GET', '/api/v1/manage/me', { key: old.token })).body;
    expect(data.handed_over).toHaveLength(1);
    expect([...owner.problems, ...jane.problems]).toEqual([]);
  });
});
