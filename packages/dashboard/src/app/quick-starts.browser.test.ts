import { manage, newToken } from '@svc/testkit/service/accounts.ts';
import { setMethod } from '@svc/testkit/service/payments/payees.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';
import { openBrand, partnerPerson } from '../../test/brand.ts';
import { describeInBrowser, startStage } from '../../test/stage.ts';
import { walkQuickStart } from '../../test/walk.ts';

const stage = startStage();

describeInBrowser('the quick starts work as they are written', () => {
  it('First program in ten minutes', async () => {
    const ann = await stage.stranger();
    // Starting the service is the first step of the operators’ page, and is tried there.
    await walkQuickStart('first-program', ann, { url: stage.url, skip: 1 });
    const sales = await stage.service.sql(
      `select sales.amount_cents from sales join programs on programs.id = program_id where domain = 'example.com'`,
    );
    expect(sales).toEqual([{ amount_cents: 4900 }]);
    const invitations = await stage.service.sql(`select email from invitations where email = 'jane@example.com'`);
    expect(invitations).toHaveLength(1);
    expect(ann.faults).toEqual([]);
  });

  it('For partners', async () => {
    const brand = await openBrand(stage);
    await brand.owner.visit(brand.path('partners'), 'Partners');
    await brand.owner.press('Invite a partner');
    await brand.owner.fill('Name', 'Jane Roe');
    await brand.owner.fill('Email', 'jane@blog.test');
    await brand.owner.press('Create invite link');
    const invitation = await brand.owner.page.getByText(/\/invite#/).innerText();
    const jane = await stage.stranger();
    await walkQuickStart('for-partners', jane, { url: stage.url, invitation });
    const links = await stage.service.sql(`select short_link from links where short_link = 'my-newsletter'`);
    expect(links).toHaveLength(1);
    expect(jane.faults).toEqual([]);
  });

  it('For accountants', async () => {
    const brand = await openBrand(stage, { currency: 'EUR' });
    const { service } = stage;
    for (const [name, iban] of [
      ['Jane Roe', 'DE89370400440532013000'],
      ['Carl Nobank', null],
    ] as const) {
      const partner = await service.partner(brand.program);
      await service.sql('update partners set name = $2 where id = $1', [partner.partnerId, name]);
      const { userId } = await partnerPerson(stage, partner.partnerId);
      const details = { kind: 'iban', iban, bic: null };
      if (iban) await setMethod(service, userId, 'iban', { holderName: name, details });
      const { commissionId } = await sold(service, { ...brand, ...partner }, { currency: 'EUR' });
      const key = await newToken(service, brand.owner.userId);
      await service.call('POST', manage(brand, `/commissions/${commissionId}/approve`), { key });
    }
    const payer = { name: 'Acme GmbH', iban: 'DE89370400440532013000' };
    const key = await newToken(service, brand.owner.userId);
    const settings = await service.call('PUT', manage(brand, '/payout-settings'), { key, body: { payer } });
    expect(settings.status).toBe(200);
    const finn = await stage.person();
    await service.sql(`update workspace_members set advertiser_id = $2, role = 'finance' where user_id = $1`, [
      finn.userId,
      brand.workspaceId,
    ]);

    await walkQuickStart('for-accountants', finn, { url: stage.url });
    const payouts = await service.sql(
      'select amount_cents, currency, status, reference from payouts where program_id = $1',
      [brand.program.id],
    );
    expect(payouts).toEqual([{ amount_cents: 2000, currency: 'EUR', status: 'paid', reference: 'Statement 2026-11' }]);
    expect(finn.faults).toEqual([]);
  });
});
