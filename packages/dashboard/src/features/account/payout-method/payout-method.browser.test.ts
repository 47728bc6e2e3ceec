import { memberOf, PASSWORD } from '@svc/testkit/service/accounts.ts';
import { newAuthenticatorApp } from '@svc/testkit/service/authenticator.ts';
import { approvedSale, asOwner } from '@svc/testkit/service/payments/paid.ts';
import { expect, it } from 'vitest';
import { accessibilityProblems } from '../../../../test/accessibility.ts';
import { type Brand, openBrand, partnerPerson } from '../../../../test/brand.ts';
import type { Person } from '../../../../test/person.ts';
import { describeInBrowser, startStage } from '../../../../test/stage.ts';

const stage = startStage();
const PHONE = { width: 375, height: 740 };

/** The partner has $20.00 to get. The brand pays on the 15th, and nobody less than $32.40. */
async function owes(brand: Brand): Promise<void> {
  const made = { ...brand, owner: await memberOf(stage.service, brand.workspaceId) };
  await approvedSale(stage.service, made);
  const settings = { schedule: { day: 15 }, minimum_cents: { USD: 3_240 } };
  expect((await asOwner(stage.service, made, 'PUT', '/payout-settings', settings)).status).toBe(200);
}

/** What the portal says about the next payout. */
async function outlook(partner: Person, programId: number) {
  await partner.visit(`/app/portal/${programId}/overview`, 'Overview');
  return partner.page.getByRole('region', { name: 'Next payout' });
}

describeInBrowser('a partner on a phone', () => {
  it('says where to be paid, corrects a mistyped IBAN, changes it later, and the owner can end the wait', async () => {
    // Later, the clock of the service moves on by ten minutes, and must not be ahead of the browser’s.
    stage.service.advance({ seconds: -1_800 });
    const brand = await openBrand(stage);
    const programId = brand.program.id;
    const bob = await partnerPerson(stage, brand.partnerId);
    bob.isProfileChanged = true;
    await bob.page.setViewportSize(PHONE);
    await owes(brand);
    const upcoming = await outlook(bob, programId);
    await upcoming.getByText('$20.00', { exact: true }).waitFor();
    await upcoming
      .getByText(/^The brand prepares the next payouts on \w{3} 15(, \d{4})?\. The smallest payout is \$32\.40\.$/)
      .waitFor();
    await upcoming.getByText('You can’t be paid yet. Add a payout method').waitFor();
    await bob.visit(`/app/portal/${programId}/payouts`, 'Payouts');
    await bob.sees('The brand doesn’t know where to pay you yet.');
    await bob.page.getByRole('link', { name: 'Add a payout method' }).click();
    await bob.page.getByRole('heading', { level: 1, name: 'How you get paid' }).waitFor();

    // What each kind reaches is there before one is chosen.
    await bob.sees('24 currencies, such as USD, EUR, and GBP; most countries');
    await bob.sees('EUR only; Europe: the SEPA area');
    await bob.sees('USD only; United States and its territories');
    await bob.page.getByText('Bank account (IBAN): All currencies and countries').click();
    await bob.sees(/Germany, Gibraltar, Greece/);
    expect(await bob.page.getByRole('button', { name: 'Save payout method' }).count()).toBe(0);

    await bob.page.getByRole('radio', { name: /^Bank account \(IBAN\)/ }).check();
    expect(await accessibilityProblems(bob.page)).toEqual([]);
    expect(await bob.page.getByLabel('IBAN', { exact: true }).getAttribute('autocomplete')).toBe('off');
    await bob.sees('As your bank knows you.');
    await bob.fill('IBAN', 'DE88 3704 0044 0532 0130 00');
    await bob.fill('Account holder', 'Bob Reed');
    await bob.find('Country', 'germ', 'Germany');
    await bob.press('Save payout method');
    await bob.sees('The IBAN does not pass its check digits. Compare it with your bank statement.');
    expect(await bob.page.getByLabel('IBAN', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    expect(await bob.page.getByLabel('Account holder', { exact: true }).inputValue()).toBe('Bob Reed');

    await bob.fill('IBAN', 'DE89 3704 0044 0532 0130 00');
    await bob.press('Save payout method');
    await bob.sees('Payout method saved');
    const current = bob.page.getByRole('region', { name: 'Your payout method' });
    await current.getByText('Bank account (IBAN) DE****3000').waitFor();
    expect(await bob.page.getByText('To protect you').count()).toBe(0);
    expect(await bob.page.content()).not.toContain('370400440532013000');
    const width = await bob.page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(PHONE.width);

    await (await outlook(bob, programId)).getByText('Your payout method can’t receive USD.').waitFor();

    // Ten minutes later, the page asks who it is.
    await bob.visit('/app/account/payout-method', 'How you get paid');
    stage.service.advance({ seconds: 601 });
    await bob.page.getByRole('radio', { name: /^US bank account/ }).check();
    expect(await bob.page.getByLabel('Routing number', { exact: true }).getAttribute('inputmode')).toBe('numeric');
    await bob.fill('Routing number', '021000021');
    await bob.fill('Account number', '000123456789');
    await bob.select('Kind of account', 'Savings');
    await bob.fill('Account holder', 'Bob Reed');
    await bob.find('Country', 'united states', 'United States');
    await bob.press('Save payout method');
    const proof = bob.dialog('Confirm it’s you');
    await proof.getByLabel('Password').fill(PASSWORD);
    await bob.press('Confirm', proof);
    await current.getByText('US bank account ****6789').waitFor();
    await current.getByText(/To protect you, brands can’t pay to it before/).waitFor();
    expect(await accessibilityProblems(bob.page)).toEqual([]);
    await bob.visit(`/app/portal/${programId}/payouts`, 'Payouts');
    await bob.sees(/Paid to US bank account \*\*\*\*6789, which brands can use from/);
    await (await outlook(bob, programId))
      .getByText(/^You changed your payout method\. To protect you, it is used from/)
      .waitFor();

    const { owner } = brand;
    await owner.visit(brand.path(`partners/${brand.partnerId}`));
    await owner.sees(/Changed, payouts wait until/);
    await owner.press('Use it now…');
    const lift = owner.dialog(/new payout method now\?$/);
    await lift.getByLabel('Reason', { exact: true }).fill('Bob told us on the phone');
    await newAuthenticatorApp(stage.service, owner.userId);
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await owner.press('Use it now', lift);
    const ownersProof = owner.dialog('Confirm it’s you');
    await ownersProof.getByLabel('Password').fill(PASSWORD);
    await owner.press('Confirm', ownersProof);
    await owner.sees(/can use the new method now$/);
    await owner.page.getByText(/Changed, payouts wait until/).waitFor({ state: 'hidden' });

    const enough = '$12.40 below the minimum. It stays on your balance until it is enough.';
    await (await outlook(bob, programId)).getByText(enough).waitFor();
    await bob.visit('/app/account/payout-method', 'How you get paid');
    await bob.press('Remove', current);
    await bob.press('Remove', bob.dialog('Remove your payout method?'));
    await bob.sees('Payout method removed');
    await bob.page.getByRole('region', { name: 'Add a payout method' }).waitFor();
    expect([...bob.faults, ...owner.faults]).toEqual([]);
  });
});
