import { expect, it } from 'vitest';
import { newToken } from '../../../../server/test/accounts.ts';
import { accessibilityProblems } from '../../../test/accessibility.ts';
import { describeInBrowser, startStage } from '../../../test/stage.ts';

const stage = startStage();

describeInBrowser('the account’s tokens', () => {
  it('are listed, and revoked after a confirmation', async () => {
    const ann = await stage.person();
    await newToken(stage.service, ann.userId);
    const key = await newToken(stage.service, ann.userId);
    const status = async () => (await stage.service.call('GET', '/api/v1/manage/me', { key })).status;
    expect(await status()).toBe(200);
    await ann.visit('/app/account', 'Account settings');
    const card = ann.page.getByRole('region', { name: 'Account tokens' });
    await card.getByText(/^Created .*, last used .*, expires /).waitFor();
    await card.getByText(/never used/).waitFor();
    expect(await accessibilityProblems(ann.page)).toEqual([]);
    const revoke = card.getByRole('button', { name: 'Revoke svc login' }).first();
    await revoke.click();
    await ann.press('Cancel', ann.dialog(/^Revoke the token/));
    expect(await status()).toBe(200);
    await revoke.click();
    await ann.press('Revoke', ann.dialog(/^Revoke the token/));
    await ann.sees('Token revoked');
    expect(await status()).toBe(401);
    await card.getByText(/last used/).waitFor({ state: 'hidden' });
    expect(await card.getByRole('button').count()).toBe(1);
    expect(ann.problems).toEqual([]);
  });
});
