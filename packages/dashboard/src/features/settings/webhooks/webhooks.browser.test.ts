import { Receiver } from '@svc/testkit/service/receiver.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { watchPrograms } from '../../../../../server/src/jobs/watch-programs.ts';
import { accessibilityProblems } from '../../../../test/accessibility.ts';
import { type Brand, openBrand } from '../../../../test/brand.ts';
import type { Person } from '../../../../test/person.ts';
import { describeInBrowser, startStage } from '../../../../test/stage.ts';

const stage = startStage({ SVC_OUTBOUND_ALLOW: '127.0.0.1' });
const receiver = new Receiver();
beforeAll(() => receiver.open());
afterAll(() => receiver.close());

const ALL_EVENTS = 'All events, also of types that are added later';

/** What of an endpoint's address is shown to everyone. */
const masked = (path: string) => receiver.url(`/…${path.slice(-4)}`);

/** Adds an endpoint for sales in the dashboard, and opens its page. Returns the secret. */
async function addWebhook(brand: Brand, path: string): Promise<string> {
  const { owner } = brand;
  await owner.visit(`${brand.path('settings')}?tab=webhooks`, 'Settings');
  await owner.press('Add webhook');
  const dialog = owner.dialog('Add a webhook');
  await dialog.getByLabel('URL').fill(receiver.url(path));
  await dialog.getByLabel(ALL_EVENTS).uncheck();
  await dialog.getByLabel('Search events').fill('recorded');
  await dialog.getByLabel('sale.created').check();
  await owner.press('Add webhook', dialog);
  const shown = owner.dialog('Your signing secret');
  const secret = await shown.locator('pre').first().innerText();
  await owner.press('Done', shown);
  await owner.page.getByRole('link', { name: receiver.url(path) }).click();
  await owner.page.getByRole('heading', { level: 1, name: 'Webhook' }).waitFor();
  return secret;
}

/** The row of a delivery with this status, which appears by itself. */
const delivery = (person: Person, name: string | RegExp, status: string) =>
  person.row(name).filter({ has: person.page.getByText(status, { exact: true }) });

describeInBrowser('webhooks in the settings', () => {
  it('an owner adds one, tests it, sees why it fails, fixes it, and sends again what failed', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const path = `/${newId('hook')}`;
    await owner.visit(`${brand.path('settings')}?tab=webhooks`, 'Settings');
    await owner.sees('No webhooks yet');
    expect(await accessibilityProblems(owner.page)).toEqual([]);

    const secret = await addWebhook(brand, path);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await owner.page.content()).not.toContain(secret);
    await owner.press('Send test');
    await owner.sees('The test was delivered. The endpoint answered with status 204.');
    await delivery(owner, 'webhook.test', 'Delivered').waitFor();

    receiver.answer(path, { status: 500, body: '<img src="nowhere">out of order' });
    await owner.press('Send test');
    await owner.sees('The test failed. The endpoint answered with status 500.');
    const { transactionId } = await sold(stage.service, brand);
    const failed = delivery(owner, 'sale.created', 'Pending');
    await failed.getByText('The endpoint answered with status 500.').waitFor();
    await failed.getByText(/^Next attempt/).waitFor();
    const details = failed.getByRole('button', { name: /^Details of sale\.created \d+$/ });
    await details.click();
    await owner.page.getByRole('region', { name: 'Request' }).getByText(transactionId).waitFor();
    const response = owner.page.getByRole('region', { name: 'Response' });
    await response.getByText('<img src="nowhere">out of order').waitFor();
    expect(await owner.page.locator('img[src="nowhere"]').count()).toBe(0);
    expect(await accessibilityProblems(owner.page)).toEqual([]);

    // After a day of that, the overview says so too.
    await stage.service.sql('update webhook_endpoints set warned_at = $2 where program_id = $1', [
      brand.program.id,
      stage.service.time,
    ]);
    await watchPrograms.run(stage.service.ctx);
    await owner.visit(brand.path('overview'), 'Overview');
    await owner.sees(`Nothing arrives at the webhook endpoint ${new URL(receiver.url('/')).host}.`);
    await owner.page.getByRole('link', { name: 'View webhooks' }).click();
    await owner.page.getByRole('tab', { name: 'Webhooks 1 failing' }).waitFor();
    await owner.row(path).getByText('Failing').waitFor();
    expect(await accessibilityProblems(owner.page)).toEqual([]);

    receiver.answer(path, { status: 204 });
    await owner.page.getByRole('link', { name: receiver.url(path) }).click();
    const before = receiver.at(path).length;
    await owner.page.getByRole('button', { name: /^Resend sale\.created/ }).dblclick();
    await delivery(owner, 'sale.created', 'Delivered').waitFor();
    expect(receiver.at(path)).toHaveLength(before + 1);
    const [first, again] = receiver.at(path).filter(({ body }) => body.includes(transactionId));
    expect(again?.body).toBe(first?.body);
    await owner.page.getByRole('region', { name: 'Endpoint' }).getByText('Active').waitFor();
    expect(owner.problems).toEqual([]);
  });

  it('a form that is refused says so at its fields', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await owner.visit(`${brand.path('settings')}?tab=webhooks`, 'Settings');
    await owner.press('Add webhook');
    const dialog = owner.dialog('Add a webhook');
    const url = dialog.getByLabel('URL');
    await url.fill('https://10.0.0.1/hook');
    await owner.press('Add webhook', dialog);
    await dialog.getByText('10.0.0.1 is not a public address.').waitFor();
    expect(await url.getAttribute('aria-invalid')).toBe('true');
    expect(await url.evaluate((input) => input === document.activeElement)).toBe(true);

    await url.fill('https://hooks.acme.test/svc');
    await dialog.getByLabel(ALL_EVENTS).uncheck();
    await owner.press('Add webhook', dialog);
    await dialog.getByText('Select at least one event').waitFor();
    await dialog.getByLabel('Search events').fill('payout');
    await expect.poll(() => dialog.getByRole('checkbox', { name: /^sale/ }).count()).toBe(0);
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await dialog.getByLabel(ALL_EVENTS).check();
    await owner.select('Format', 'Slack', dialog);
    await dialog.getByText(/^One sentence for a channel/).waitFor();
    await owner.press('Add webhook', dialog);
    await owner.sees('Webhook added');
    await owner.row('https://hooks.acme.test/svc').getByText('All events, Slack').waitFor();
    expect(owner.faults).toEqual([]);
  });

  it('one that was disabled gets what it missed, days are sent again, and its secret is rotated before it is deleted', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const path = `/${newId('hook')}`;
    const secret = await addWebhook(brand, path);
    const menu = `Actions for ${receiver.url(path)}`;
    await owner.choose(menu, 'Disable');
    await owner.press('Disable', owner.dialog('Disable this webhook?'));
    await owner.sees('Disabled by your team');
    await sold(stage.service, brand);
    await sold(stage.service, brand);
    const events = () => stage.service.call('GET', '/api/v1/events?types=sale.created', { key: brand.apiKey });
    await expect.poll(async () => (await events()).body.data.length).toBe(2);
    expect(receiver.at(path)).toEqual([]);

    await owner.choose(menu, 'Enable');
    const enabling = owner.dialog('Enable this webhook?');
    await enabling.getByLabel('Send what was missed: 2 events since it was disabled').waitFor();
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await owner.press('Enable', enabling);
    await receiver.until(path, 2);

    // The service may say that now is the same second in which the last sale was made.
    stage.service.advance({ seconds: 1 });
    await owner.press('Send events again');
    const replaying = owner.dialog('Send events again');
    await replaying.getByRole('button', { name: /^Days:/ }).click();
    await owner.press('Last 7 days');
    await replaying.getByText('2 events will be sent again, oldest first.').waitFor();
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await owner.press('Send 2 events', replaying);
    await owner.sees('Sending 2 events again');
    await receiver.until(path, 4);

    await owner.choose(menu, 'Rotate secret');
    await owner.press('Rotate secret', owner.dialog('Rotate the signing secret?'));
    const shown = owner.dialog('Your signing secret');
    const rotated = await shown.locator('pre').first().innerText();
    expect(rotated).toMatch(/^whsec_/);
    expect(rotated).not.toBe(secret);
    await owner.press('Done', shown);
    await owner.press('Send test');
    await owner.sees('The test was delivered.');
    const signatures = receiver.at(path).at(-1)?.headers['webhook-signature'];
    expect(String(signatures).split(' ')).toHaveLength(2);

    await owner.choose(menu, 'Delete');
    await owner.press('Delete webhook', owner.dialog('Delete this webhook?'));
    await owner.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await owner.sees('No webhooks yet');
    expect(owner.problems).toEqual([]);
  });

  it('no new delivery moves the button that somebody points at', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { page } = owner;
    const path = `/${newId('hook')}`;
    await addWebhook(brand, path);
    await sold(stage.service, brand);
    const resend = page.getByRole('button', { name: /^Resend sale\.created/ });
    await delivery(owner, 'sale.created', 'Delivered').waitFor();
    await resend.hover();
    await sold(stage.service, brand);
    await receiver.until(path, 2);
    await page.waitForResponse(async (response) => {
      if (!/\/webhooks\/\d+\/deliveries/.test(response.url())) return false;
      return (await response.json()).data.length === 2;
    });
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
    expect(await resend.count()).toBe(1);
    await page.mouse.move(5, 5);
    await expect.poll(() => resend.count()).toBe(2);
    expect(owner.problems).toEqual([]);
  });

  it('the event log finds an event by its number, with its JSON and its deliveries', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const path = `/${newId('hook')}`;
    await addWebhook(brand, path);
    const { transactionId } = await sold(stage.service, brand);
    const [received] = await receiver.until(path, 1);
    const { sequence } = JSON.parse(received?.body ?? '{}');
    await delivery(owner, 'sale.created', 'Delivered').waitFor();
    await owner.visit(brand.path('events'), 'Event log');
    await owner.page.getByRole('tab', { name: 'Feed' }).click();
    await owner
      .row('sale.created')
      .getByText(/^New sale of \$100\.00 through Jane\. /)
      .waitFor();
    await owner.page.getByLabel('Find an event by its number').fill(`#${sequence}`);
    await owner.page.keyboard.press('Enter');
    await owner.page.getByRole('button', { name: `Details of event ${sequence}` }).click();
    await owner.page.getByText(transactionId).waitFor();
    const deliveries = owner.page.getByRole('region', { name: 'Deliveries' });
    await deliveries.getByText('Delivered').waitFor();
    expect(await owner.page.getByRole('button', { name: /^Details of event/ }).count()).toBe(1);
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await deliveries.getByRole('link', { name: masked(path) }).click();
    await owner.page.getByRole('heading', { level: 1, name: 'Webhook' }).waitFor();
    expect(owner.problems).toEqual([]);
  });

  it('what is pressed without a connection fails at once, and is not done later', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const path = `/${newId('hook')}`;
    const unreachable = 'You’re offline. Nothing was changed.';
    await addWebhook(brand, path);
    owner.isProfileChanged = true;
    await owner.context.setOffline(true);
    await owner.press('Send test');
    await owner.sees(unreachable);
    await owner.choose(`Actions for ${receiver.url(path)}`, 'Delete');
    const dialog = owner.dialog('Delete this webhook?');
    await owner.press('Delete webhook', dialog);
    await dialog.getByText(unreachable).waitFor();
    await owner.press('Cancel', dialog);
    await owner.context.setOffline(false);
    await owner.press('Send test');
    await owner.sees('The test was delivered.');
    expect(receiver.at(path)).toHaveLength(1);
    await owner.visit(`${brand.path('settings')}?tab=webhooks`, 'Settings');
    await owner.row(path).waitFor();
    expect(owner.faults).toEqual([]);
  });

  it('a viewer sees the webhooks and their deliveries, and is told who can change them', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const path = `/${newId('hook')}`;
    await addWebhook(brand, path);
    await owner.press('Send test');
    await delivery(owner, 'webhook.test', 'Delivered').waitFor();
    await stage.service.sql(`update workspace_members set role = 'viewer' where user_id = $1`, [owner.userId]);
    await owner.load(`${brand.path('settings')}?tab=webhooks`, 'Settings');
    await owner.sees('Only owners can add and change webhooks.');
    await owner.page.getByRole('link', { name: masked(path) }).click();
    await owner.sees('Only owners can send tests and make changes.');
    await delivery(owner, 'webhook.test', 'Delivered').waitFor();
    expect(await owner.page.getByRole('button', { name: /^(Send|Resend|Actions)/ }).count()).toBe(0);
    expect(owner.problems).toEqual([]);
  });
});
