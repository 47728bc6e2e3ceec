import { expect, it } from 'vitest';
import { describeInBrowser, startStage } from '../../test/stage.ts';

const stage = startStage();

describeInBrowser('a new brand', () => {
  it('signs up, creates its first program and passes the test', async () => {
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
    await ann.sees(`data-svc-program-id="${program?.id}"`);
    await ann.sees(/SVC_API_KEY=svc_key_[\w-]+/);
    await ann.page.getByRole('tab', { name: 'CLI' }).click();
    await ann.sees(`npx --yes ${stage.url}/packages/cli.tgz init --program ${program?.id}`);

    await ann.press('Run test');
    await ann.sees('Test passed. The sale was attributed to the partner.');
    for (const gate of ['Profile', 'Commission', 'Payments', 'Tracking']) {
      const row = ann.page
        .getByRole('listitem')
        .filter({ has: ann.page.getByRole('heading', { name: gate, exact: true }) });
      await row.getByRole('img', { name: 'Passed' }).last().waitFor();
    }
    expect(await ann.page.title()).toBe('Set up your program · Acme partners · svc');
    const visitor = await stage.stranger();
    await visitor.visit('/', 'Sign in');
    expect([...ann.problems, ...visitor.problems]).toEqual([]);
  });
});
