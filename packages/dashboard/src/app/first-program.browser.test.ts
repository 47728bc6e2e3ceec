import { expect, it } from 'vitest';
import { accessibilityProblems } from '../../test/accessibility.ts';
import { openBrand } from '../../test/brand.ts';
import type { Person } from '../../test/person.ts';
import { openSite } from '../../test/site.ts';
import { describeInBrowser, startStage } from '../../test/stage.ts';

const stage = startStage();

/** The code that a tab of the guide shows, as somebody would copy it. */
async function codeOf(person: Person, tabs: string, tab: string): Promise<string> {
  const list = person.page.getByRole('tablist', { name: tabs });
  await list.getByRole('tab', { name: tab }).click();
  return list.locator('..').getByRole('tabpanel').locator('pre').last().innerText();
}

const step = (person: Person, title: string) =>
  person.page
    .getByRole('listitem')
    .filter({ has: person.page.getByRole('heading', { name: new RegExp(`^${title}`) }) });

describeInBrowser('a new brand', () => {
  it('signs up, follows the guide on its own site, and gets past what is refused', async () => {
    const ann = await stage.stranger();
    // Nobody has an account yet, so the first page is the one that creates one.
    await ann.visit('/', 'Create your account');
    expect(await ann.page.title()).toBe('Create your account · svc');
    await ann.fill('Name', 'Ann');
    await ann.fill('Email', 'ann@brand.test');
    await ann.fill('Password', 'a long enough password');
    await ann.press('Create account');

    await ann.page.getByRole('heading', { name: 'Create your program' }).waitFor();
    await ann.fill('Name', 'Acme partners');
    await ann.fill('Website', 'acme.test');
    await ann.press('Create program');

    await ann.page.getByRole('heading', { name: 'Set up your program' }).waitFor();
    const [program] = await stage.service.sql<{ id: number }>(`select id from programs where domain = 'acme.test'`);
    const programId = program?.id ?? 0;
    const apiKey = /svc_key_[\w-]+/.exec(await step(ann, 'Store the API key').locator('pre').innerText())?.[0] ?? '';
    expect(await codeOf(ann, 'How to add the tracker', 'CLI')).toBe(
      `npx --yes ${stage.url}/packages/cli.tgz init --program ${programId}`,
    );
    const site = await openSite(stage.url, apiKey);
    site.html = `${await codeOf(ann, 'How to add the tracker', 'Script tag')}
      ${await codeOf(ann, 'How to report signups', 'In the page')}
      <button onclick="reportSignup('user-1', 'carol@mail.test')">Sign up</button>`;
    await ann.fill('Where your site runs now', site.url);
    const testLink = `${site.url}/?aff=svc-test-${programId}`;
    await ann.sees(testLink);
    await ann.sees('Waiting for a page of your site to report a click.');

    // A test of the service itself completes no step.
    const key = await stage.service.call('POST', '/api/v1/cli/test-event', { key: apiKey, body: { type: 'chain' } });
    expect(key.body.data.attributed).toBe(true);

    const carol = await stage.stranger();
    const refused = carol.page.waitForResponse('**/svc/c');
    await carol.page.goto(testLink);
    expect(await (await refused).json()).toMatchObject({ success: false });
    await ann.sees('Click refused');
    await ann.sees(`Pages on ${site.url} may not report to this program yet.`);
    expect(await ann.page.getByRole('heading', { name: /done/ }).count()).toBe(0);
    expect(await accessibilityProblems(ann.page)).toEqual([]);
    await ann.press(`Allow ${site.url}`);
    await ann.press('Allow', ann.dialog(`Allow ${site.url}?`));
    await ann.sees('Origin allowed. Open your page again.');

    await carol.page.goto(testLink);
    await ann.sees(`Test click received from ${site.url}`);
    await step(ann, 'Add the tracker')
      .getByRole('heading', { name: /\(done\)/ })
      .waitFor();
    await carol.page.waitForFunction(() => document.cookie.includes('svc_click_id'));
    await carol.press('Sign up');
    await ann.sees('Test signup received from a page');

    const order = (body: object) => carol.page.request.post(`${site.url}/order`, { data: body });
    const sale = { amount_cents: 4900, customer_key: 'user-1' };
    expect((await order(sale)).status()).toBe(400);
    await ann.sees('The request is wrong: transaction_id is required and must be a string.');
    await ann.page.getByRole('button', { name: 'Copy the field' }).waitFor();
    expect((await order({ ...sale, transaction_id: 'order-1' })).status()).toBe(200);
    await ann.sees('Test payment of $49.00 received from your server');

    await ann.visit(`/app/programs/${programId}/readiness`, 'Readiness');
    for (const gate of ['Profile', 'Commission', 'Payments', 'Tracking']) {
      await step(ann, gate).getByRole('img', { name: 'Passed' }).last().waitFor();
    }
    await step(ann, 'Live').getByRole('img', { name: 'Not yet' }).last().waitFor();
    expect(await ann.page.title()).toBe('Readiness · Acme partners · svc');
    const visitor = await stage.stranger();
    await visitor.visit('/', 'Sign in');
    expect([...ann.problems, ...visitor.problems]).toEqual([]);
    site.close();
  });

  it('is told by the test of the service that its own site is not checked', async () => {
    const { owner, path } = await openBrand(stage);
    await owner.visit(path('readiness'), 'Readiness');
    await owner.press('Run test');
    await owner.sees('The service works: the sale was attributed to the test partner.');
    await owner.page.reload();
    for (const gate of ['Payments', 'Tracking', 'Live']) {
      await step(owner, gate).getByRole('img', { name: 'Not yet' }).last().waitFor();
    }
    expect(owner.problems).toEqual([]);
  });
});
