import { expect, it } from 'vitest';
import { accessibilityProblems } from '../../../test/accessibility.ts';
import { type Brand, openBrand } from '../../../test/brand.ts';
import { describeInBrowser, startStage } from '../../../test/stage.ts';

const stage = startStage();

const SAFARI = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15';
const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';

/** A visitor with this browser who signs up now, some days after the click. */
async function signUp({ link, apiKey }: Brand, userAgent: string, days: number, relayed = false): Promise<void> {
  const { service } = stage;
  const headers = { 'user-agent': userAgent, ...(relayed && { 'svc-relay-cookie': 'host' }) };
  const now = service.time;
  service.advance({ days: -days });
  const { body } = await service.click({ affiliate_url: `https://acme.test/?aff=${link}` }, { headers });
  service.time = now;
  const lead = { click_id: body.click_id, customer_key: `user-${body.click_id}` };
  expect((await service.lead(lead, { key: apiKey })).status).toBe(200);
}

describeInBrowser('the age of clicks at signup', () => {
  it('is shown by browser, with who set the cookie', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(brand.path('reports'), 'Reports');
    await owner.sees('No referred signups in this period.');

    await signUp(brand, SAFARI, 0);
    await signUp(brand, SAFARI, 3);
    await signUp(brand, SAFARI, 12, true);
    await signUp(brand, CHROME, 12);
    await owner.visit(brand.path('reports'), 'Reports');
    const table = owner.page.getByRole('region', { name: 'Signups by browser' });
    await table.waitFor();
    const rows = await table
      .getByRole('row')
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
    expect(rows).toEqual([
      ['Browser', 'Cookie set by', 'Signups', 'Same day', '1–7 days', '8–30 days', '31 days or more'],
      ['Safari', 'Tracker', '2', '1', '1', '0', '0'],
      ['Safari', 'Your server', '1', '0', '0', '1', '0'],
      ['Chrome', 'Tracker', '1', '0', '0', '1', '0'],
    ]);
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    // On a phone, what has no column of its own is below the browser.
    await owner.page.setViewportSize({ width: 390, height: 844 });
    await table.getByRole('columnheader', { name: 'Same day' }).waitFor({ state: 'detached' });
    const browsers = await table
      .getByRole('row')
      .evaluateAll((all) => all.slice(1).map((row) => (row.firstElementChild as HTMLElement).innerText.split(/\n+/)));
    expect(browsers).toEqual([
      ['Safari', 'Cookie set by', 'Tracker', 'Same day', '1', '31 days or more', '0'],
      ['Safari', 'Cookie set by', 'Your server', 'Same day', '0', '31 days or more', '0'],
      ['Chrome', 'Cookie set by', 'Tracker', 'Same day', '0', '31 days or more', '0'],
    ]);
    expect(owner.faults).toEqual([]);
  });
});
