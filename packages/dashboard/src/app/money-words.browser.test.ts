import type { TermsRule } from '@svc/contract';
import { manage, memberOf } from '@svc/testkit/service/accounts.ts';
import { Mailbox } from '@svc/testkit/service/mailbox.ts';
import { publish } from '@svc/testkit/service/published-terms.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { afterAll, expect, it } from 'vitest';
import { accessibilityProblems } from '../../test/accessibility.ts';
import { openBrand, partnerPerson } from '../../test/brand.ts';
import type { Person } from '../../test/person.ts';
import { describeInBrowser, startStage } from '../../test/stage.ts';

const mailbox = new Mailbox();
const stage = startStage(async () => {
  await mailbox.open();
  return { SVC_SMTP_URL: mailbox.url, SVC_MAIL_FROM: 'partners@mail.test' };
});
afterAll(() => mailbox.close());

const { service } = stage;

/** Texts with digits of which a part cannot be seen, because their box is too small. */
const cutOff = (person: Person) =>
  person.page.locator('#content').evaluate((content) =>
    [...content.querySelectorAll<HTMLElement>('*')]
      .filter((element) =>
        [...element.childNodes].some((node) => node.nodeType === 3 && /\d/.test(node.nodeValue ?? '')),
      )
      .flatMap((element) => {
        const boxes: HTMLElement[] = [];
        for (let box: HTMLElement | null = element; box && box !== content; box = box.parentElement) boxes.push(box);
        const isCut = boxes.some((box) => {
          const { overflowX, display } = getComputedStyle(box);
          return (
            overflowX !== 'auto' && display !== 'inline' && box.clientWidth > 0 && box.scrollWidth > box.clientWidth
          );
        });
        return isCut && !element.closest('.sr-only') ? [element.textContent ?? ''] : [];
      }),
  );

/** The widest first: where it fits, the others fit. */
const LARGE: [currency: string, cents: number, amount: string][] = [
  ['IDR', 1_499_999_900_000, 'IDR 14,999,999,000.00'],
  ['KWD', 1_499_999_900, 'KWD 1,499,999.900'],
  ['USD', 1_499_999_900, '$14,999,999.00'],
];

describeInBrowser('amounts', () => {
  it('in every currency are on the pages of a partner, on both sides', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const jane = await partnerPerson(stage, brand.partnerId);
    await sold(service, brand, { amount_cents: 9_900 });
    await sold(service, brand, { amount_cents: 5_000, currency: 'JPY' });
    await sold(service, brand, { amount_cents: 100_000_000, currency: 'EUR' });
    const others = /^In other currencies, not included above: revenue €1,000,000\.00, ¥5,000; /;
    await owner.visit(brand.path(`partners/${brand.partnerId}`));
    await owner.sees(others);
    await owner.page.getByRole('button', { name: /^Revenue\s*\$99\.00/ }).waitFor();
    await owner.visit(brand.path('overview'), 'Overview');
    await owner.sees(others);
    const top = owner.page.getByRole('region', { name: 'Top partners' });
    for (const amount of ['$99.00', '€1,000,000.00', '¥5,000'])
      await top.getByText(amount, { exact: true }).first().waitFor();
    await jane.visit(`/app/portal/${brand.program.id}`, 'Overview');
    await jane.sees(others);
    await jane.page.getByRole('button', { name: /^Revenue\s*\$99\.00/ }).waitFor();
    expect([...owner.problems, ...jane.problems]).toEqual([]);
  });

  it.each(process.env.SVC_TEST_LONG ? LARGE : LARGE.slice(0, 1))(
    'in %s fit their cards, however large, at the desk and on a phone',
    async (currency, cents, amount) => {
      const brand = await openBrand(stage, { currency });
      const jane = await partnerPerson(stage, brand.partnerId);
      await sold(service, brand, { amount_cents: cents, currency });
      const pages: [Person, string][] = [
        [brand.owner, brand.path('overview')],
        [brand.owner, brand.path('reports')],
        [brand.owner, brand.path(`partners/${brand.partnerId}`)],
        [jane, `/app/portal/${brand.program.id}`],
        [jane, `/app/portal/${brand.program.id}/earnings`],
      ];
      for (const [width, height] of [
        [1440, 900],
        [1280, 720],
        [390, 844],
      ] as const) {
        for (const [person, path] of pages) {
          await person.page.setViewportSize({ width, height });
          await person.visit(path);
          await person.untilLoaded();
          if (!path.endsWith('earnings')) await person.page.getByText(amount.replace(' ', '\u00a0')).first().waitFor();
          expect(await cutOff(person), `${path} at ${width}`).toEqual([]);
        }
      }
      for (const person of [brand.owner, jane]) await person.page.setViewportSize({ width: 1280, height: 720 });
    },
  );
});

describeInBrowser('what a partner earns', () => {
  it('is the rate of their group on the overview of the portal, with renewals and the cap', async () => {
    const brand = await openBrand(stage, { commissionType: 'recurring_percent' });
    const [group] = await service.sql<{ id: number }>(
      `insert into partner_groups (program_id, name, created_at) values ($1, 'Gold', now()) returning id`,
      [brand.program.id],
    );
    await service.sql('update memberships set group_id = $3 where program_id = $1 and partner_id = $2', [
      brand.program.id,
      brand.partnerId,
      group?.id,
    ]);
    const gold: TermsRule = {
      on: 'sale',
      for: { group_id: group?.id ?? 0 },
      pays: { type: 'percent', rate: 30 },
      caps: { per_sale_cents: 10_000 },
    };
    await publish(service, brand, [gold]);
    service.time = new Date();
    const jane = await partnerPerson(stage, brand.partnerId);
    await jane.visit(`/app/portal/${brand.program.id}`, 'Overview');
    await jane.sees(
      'Acme pays you 30% of each sale, not of renewals, at most $100.00 per sale; otherwise 20% of each sale and renewal. Tax and ' +
        'shipping do not count. Clicks are remembered for 60 days.',
    );
    await brand.owner.visit(brand.path('overview'), 'Overview');
    await brand.owner.page
      .getByRole('region', { name: 'What new partners earn' })
      .getByText('20% of each sale and renewal. Tax and shipping do not count.')
      .waitFor();
    await brand.owner.visit(brand.path('terms'), 'Commission rules');
    await brand.owner.sees('Group Gold earns 30% of each sale, not of renewals, at most $100.00 per sale');
    await brand.owner.sees(/^Rule 1 pays 30% for sales, but not for renewals: /);
    expect([...jane.problems, ...brand.owner.problems]).toEqual([]);
  });

  it('of a sale is not read from the badge of the sale', async () => {
    const brand = await openBrand(stage);
    const { transactionId } = await sold(service, brand);
    await brand.owner.visit(brand.path('sales'), 'Sales');
    await brand.owner.row(transactionId).getByText('Recorded', { exact: true }).waitFor();
    expect(await brand.owner.row(transactionId).getByText('Paid', { exact: true }).count()).toBe(0);
  });
});

describeInBrowser('pages say what happened', () => {
  it('tracking has not passed while only the server has sent an event', async () => {
    const brand = await openBrand(stage);
    await service.lead({ customer_key: newId('user') }, { key: brand.apiKey });
    await brand.owner.visit(brand.path('readiness'), 'Readiness');
    const tracking = brand.owner.page.getByRole('listitem').filter({ hasText: 'Tracking' });
    await tracking.getByText(/^Your server has sent an event, but no click has arrived from your site\./).waitFor();
    expect(await tracking.getByRole('img').getAttribute('aria-label')).toBe('Not yet');
    // Nor is the integration verified when the server has reported a payment as well.
    const { token: key } = await memberOf(service, brand.workspaceId);
    const coupon = { code: 'JANE10', partner_id: brand.partnerId };
    await service.call('POST', manage(brand, '/coupons'), { key, body: coupon });
    const sale = { transaction_id: newId('order'), customer_key: newId('user'), amount_cents: 100 };
    await service.sale({ ...sale, coupon_code: coupon.code }, { key: brand.apiKey });
    const checks = brand.owner.page.getByRole('region', { name: 'Checks' });
    await checks.getByRole('listitem').filter({ hasText: 'Payments' }).getByRole('img', { name: 'Passed' }).waitFor();
    await checks.getByText('Ready to test').waitFor();
    await service.clickId(brand.link, { user_agent: 'Mozilla/5.0 Firefox/140.0' });
    await tracking.getByRole('img', { name: 'Passed' }).waitFor();
    await checks.getByText('Ready to test').waitFor({ state: 'detached' });
  });

  it('many partners are invited by mail, and the page says so', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await service.sql('update users set email_verified = true where id = $1', [owner.userId]);
    const people = ['kim', 'lee'].map((name) => `${name}-${brand.program.id}@partner.test`);
    await owner.visit(brand.path('partners'), 'Partners');
    await owner.press('Invite many');
    await owner.fill('People', people.map((email) => `Someone, ${email}`).join('\n'));
    await owner.press('Preview');
    const requests: string[] = [];
    owner.page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('invite'))
        requests.push(new URL(request.url()).pathname);
    });
    await owner.press('Invite 2 partners');
    const dialog = owner.dialog('2 partners invited');
    await dialog.getByText(/^We’ve emailed them\. /).waitFor();
    expect(await dialog.getByText(/send them to your partners/).count()).toBe(0);
    expect(requests).toEqual([`/api/v1/manage/programs/${brand.program.id}/bulk-actions/invite-partners`]);
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    for (const email of people) {
      const mail = await mailbox.next(email);
      expect(mail.text.replaceAll('\n', ' ')).toContain('You earn 20% of each sale, not of renewals.');
    }
    await owner.press('Done', dialog);
    await owner.press('Invite a partner');
    await owner.page.getByRole('button', { name: 'Send invitation' }).waitFor();
  });

  it('invitations are sent again with one button, and each row says what became of it, also after a reload', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    await service.sql('update users set email_verified = true where id = $1', [owner.userId]);
    await partnerPerson(stage, brand.partnerId);
    const [ann, bob] = ['ann', 'bob'].map((name) => `${name}-${brand.program.id}@partner.test`) as [string, string];
    const { token } = await memberOf(service, brand.workspaceId);
    const post = async (path: string, body: object) =>
      (await service.call('POST', manage(brand, path), { key: token, body })).body.data;
    await post('/partners', { name: 'Ann', email: ann });
    await mailbox.next(ann);
    // Bob has had as many invitations today as he may get.
    const { id } = await post('/partners', { name: 'Bob', email: bob });
    for (let sent = 1; sent < 5; sent++) await post(`/partners/${id}/invitation`, {});
    await owner.visit(`${brand.path('partners')}?status=invited`, 'Partners');
    await owner.press('Send all invitations again');
    await owner.press('Send again', owner.dialog('Send 2 invitations again?'));
    const said = '1 invitation sent again. 1 skipped: 1 at the daily limit for their address.';
    const dialog = owner.dialog(said);
    await dialog.getByText('The address has had as many invitations as it may get in a day.').waitFor();
    expect((await mailbox.next(ann)).text).toContain('/invite#');
    await owner.press('Done', dialog);
    await owner.page.reload();
    const result = owner.page.getByRole('region', { name: 'Bulk action' });
    await result.getByText(said).waitFor();
    await owner.press('Show each row', result);
    await owner.dialog(said).getByText(ann).waitFor();
    expect(owner.faults).toEqual([]);
  });

  it('an applicant reads how they will hear of the decision', async () => {
    const brand = await openBrand(stage);
    const jane = await partnerPerson(stage, brand.partnerId);
    await service.sql(`update memberships set status = 'applied' where partner_id = $1`, [brand.partnerId]);
    await service.sql('update users set email_verified = false where id = $1', [jane.userId]);
    await jane.visit('/app/applied', 'Application sent');
    await jane.sees(/^Acme will review your application\. Confirm your email address and we’ll tell you/);
    await service.sql('update users set email_verified = true where id = $1', [jane.userId]);
    await jane.page.reload();
    await jane.sees(
      /^Acme will review your application\. We’ll email .+ when they decide\. You can close this page\.$/,
    );
  });

  it('a local website keeps its port, and the guide remembers where the site runs', async () => {
    const ann = await stage.person();
    await ann.visit('/app/start', 'Create your program');
    await ann.fill('Name', 'Local');
    await ann.fill('Website', 'localhost:41401');
    await ann.press('Create program');
    await ann.page.getByRole('heading', { name: 'Set up your program' }).waitFor();
    const site = ann.page.getByLabel('Where your site runs now');
    await ann.sees(/^http:\/\/localhost:41401\/\?aff=svc-test-/);
    const [program] = await service.sql<{ id: number; origins: string[] }>(
      `select id, allowed_origins as origins from programs where name = 'Local'`,
    );
    expect(program?.origins).toEqual(['http://localhost:41401']);
    await site.fill('http://localhost:5173');
    await ann.sees(/^http:\/\/localhost:5173\/\?aff=svc-test-/);
    await ann.load(`/app/programs/${program?.id}/start`, 'Set up your program');
    await ann.sees(/^http:\/\/localhost:5173\/\?aff=svc-test-/);
    expect(await accessibilityProblems(ann.page)).toEqual([]);
  });
});
