import { readFile } from 'node:fs/promises';
import { manage, newToken, PASSWORD } from '@svc/testkit/service/accounts.ts';
import { type Agency, type AgencySale, fillAgency } from '@svc/testkit/service/agency.ts';
import { csvCells } from '@svc/testkit/service/csv-cells.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { beforeAll, expect, it } from 'vitest';
import { workspaceOf } from '../../test/brand.ts';
import { Clicks, tabTo } from '../../test/clicks.ts';
import type { Person } from '../../test/person.ts';
import { describeInBrowser, startStage } from '../../test/stage.ts';

const stage = startStage();
let olivia: Person;
let workspaceId: number;
let agency: Agency;

const DECIMALS: Record<string, number> = { JPY: 0, KWD: 3 };

/** An amount as English readers expect it. */
function money(cents: number, currency: string): string {
  const decimals = DECIMALS[currency] ?? 2;
  const options = { style: 'currency', currency, minimumFractionDigits: decimals } as const;
  return new Intl.NumberFormat('en-US', options).format(cents / 10 ** decimals);
}

const sum = <Row>(rows: Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
const earned = ({ commissionCents, deductedCents }: AgencySale) => commissionCents - deductedCents;
const salesOf = (programId: number) => agency.sales.filter(({ program: { program } }) => program.id === programId);

/** The file behind a link. */
async function downloadedText({ page }: Person, link: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: link, exact: true }).click(),
  ]);
  return readFile(await download.path(), 'utf8');
}

/** The rows of a CSV file, by the names of their columns. */
async function downloadedRows(person: Person, link: string): Promise<Record<string, string>[]> {
  const [head = '', ...lines] = (await downloadedText(person, link)).trim().split('\r\n');
  const names = csvCells(head.replace('\uFEFF', ''));
  return lines.map((line) => Object.fromEntries(csvCells(line).map((cell, index) => [names[index], cell])));
}

const goTo = (person: Person, page: string) => person.page.getByRole('link', { name: page, exact: true }).click();

describeInBrowser('with 8 programs, 500 partners and 10,000 sales', () => {
  beforeAll(async () => {
    olivia = await stage.person();
    workspaceId = await workspaceOf(stage, olivia);
    agency = await fillAgency(stage.service, workspaceId);
  });

  it('a founder opens a program, invites a partner, gives a group more, and pays the first sale', async () => {
    const { service } = stage;
    const fay = await stage.stranger();
    const { page } = fay;
    const clicks = await Clicks.of(fay);
    await fay.visit('/app/sign-up', 'Create your account');
    const opening = await clicks.during(async () => {
      await fay.fill('Name', 'Fay');
      await fay.fill('Email', 'fay@brand.test');
      await fay.fill('Password', PASSWORD);
      await fay.press('Create account');
      await page.getByRole('heading', { name: 'Create your program' }).waitFor();
      await fay.fill('Name', 'Fay’s tea');
      await fay.fill('Website', 'tea.test');
      await fay.press('Create program');
      await page.getByRole('heading', { name: 'Set up your program' }).waitFor();
    });
    expect(opening).toBe(2);
    const keyStep = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: /^Store the API key/ }) });
    const apiKey = /svc_key_[\w-]+/.exec(await keyStep.locator('pre').innerText())?.[0] ?? '';

    const inviting = await clicks.during(async () => {
      await goTo(fay, 'Partners');
      await fay.press('Invite a partner');
      await fay.fill('Name', 'Ann Lee');
      await fay.fill('Email', 'ann@blog.test');
      await fay.press('Create invite link');
      await fay.dialog('Send this link to Ann Lee').waitFor();
    });
    expect(inviting).toBe(3);
    await fay.press('Done');

    const grouping = await clicks.during(async () => {
      await goTo(fay, 'Commission rules');
      await fay.press('New group');
      await fay.fill('Name', 'Gold');
      await fay.press('Create group');
      await fay.row('Gold').waitFor();
    });
    expect(grouping).toBe(3);
    const ruling = await clicks.during(async () => {
      await fay.press('Add a rule for Gold');
      await fay.fill('Percent', '30');
      await fay.press('See the difference');
      await fay.press('Publish…');
      await fay.press('Publish', fay.dialog('Publish the new rules'));
      await page.getByRole('region', { name: 'Version 2, in force' }).waitFor();
    });
    expect(ruling).toBe(4);

    const moving = await clicks.during(async () => {
      await goTo(fay, 'Partners');
      await page.getByLabel('Select Ann Lee').check();
      await fay.press('Move to Gold');
      await fay.sees('Ann Lee is in Gold');
    });
    expect(moving).toBe(3);

    // Ann’s link brings the first customer.
    const [ann] = await service.sql<{ id: number; program_id: number }>(
      `select p.id, m.program_id from partners p join memberships m on m.partner_id = p.id where p.email = 'ann@blog.test'`,
    );
    const link = newId('ann');
    await service.sql('insert into links (program_id, partner_id, short_link) values ($1, $2, $3)', [
      ann?.program_id,
      ann?.id,
      link,
    ]);
    service.advance({ seconds: 60 });
    const click_id = await service.clickId(link, { affiliate_url: `https://tea.test/?aff=${link}` });
    const sale = { transaction_id: newId('order'), click_id, amount_cents: 12_345 };
    expect((await service.sale(sale, { key: apiKey })).status).toBe(200);
    // 30% of $123.45 is $37.035, and half a cent is rounded up.
    const approving = await clicks.during(async () => {
      await goTo(fay, 'Commissions');
      await fay.press(`Approve ${sale.transaction_id}`);
      await fay.press('Approve', fay.dialog('Approve $37.04 to Ann Lee?'));
      await fay.sees('Commission approved');
    });
    expect(approving).toBe(3);
    const paying = await clicks.during(async () => {
      await goTo(fay, 'Payouts');
      await fay.press('Pay by hand: Ann Lee in USD');
      const payment = fay.dialog('Pay Ann Lee by hand');
      await payment.getByLabel('I have sent the money: mark it as paid').check();
      await payment.getByLabel('Reference').fill('PP-1');
      await fay.press('Create and mark as paid', payment);
      await fay.sees('Payout of $37.04 to Ann Lee created and marked as paid');
    });
    expect(paying).toBe(4);
    const payouts = await service.sql(
      'select amount_cents, currency, status, reference from payouts where program_id = $1',
      [ann?.program_id],
    );
    expect(payouts).toEqual([{ amount_cents: 3_704, currency: 'USD', status: 'paid', reference: 'PP-1' }]);
    expect(fay.faults).toEqual([]);
  });

  it('a partner joins, copies a link, finds an order, knows to the cent what is due, and says where to pay it', async () => {
    const { service } = stage;
    const own = agency.sales.filter(({ partner }) => partner === 'Partner 203');
    const { program } = own[0]?.program ?? {};
    const [partner] = await service.sql<{ id: number }>(`select id from partners where name = 'Partner 203'`);
    const invitation = await service.call(
      'POST',
      manage({ program: program! }, `/partners/${partner?.id}/invitation`),
      {
        key: await newToken(service, olivia.userId),
      },
    );
    const pat = await stage.stranger();
    const { page } = pat;
    const clicks = await Clicks.of(pat);
    await pat.visit(invitation.body.data.invite_url, /^Become a partner of /);
    const joining = await clicks.during(async () => {
      await pat.fill('Password', PASSWORD);
      await pat.press(/^Create account and/);
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      await pat.sees(/pays you 20% of each sale, not of renewals/);
    });
    expect(joining).toBe(1);
    await pat.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const copying = await clicks.during(async () => {
      await pat.fill('Page it leads to', '/pricing');
      await pat.press('Copy partner-203');
    });
    expect(copying).toBe(1);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('https://acme.test/pricing?aff=partner-203');

    const approved = own.filter(({ isLastMonth }) => !isLastMonth);
    await page
      .getByRole('region', { name: 'Next payout' })
      .getByText(money(sum(approved, earned), 'USD'))
      .waitFor();
    const finding = await clicks.during(async () => {
      await goTo(pat, 'Find an order');
      await pat.fill('Order ID', approved[0]?.transactionId ?? '');
      await pat.press('Find it');
      await pat.sees('This order is credited to you.');
    });
    expect(finding).toBe(2);
    const reconciling = await clicks.during(async () => {
      await goTo(pat, 'Earnings');
      const rows = await downloadedRows(pat, 'Export CSV');
      expect(rows).toHaveLength(own.length);
      const net = (row: Record<string, string>) => Number(row.commission_cents) - Number(row.deducted_cents);
      expect(sum(rows, net)).toBe(sum(own, earned));
      const pending = own.filter(({ isLastMonth }) => isLastMonth);
      await page
        .getByText(money(sum(pending, earned), 'USD'))
        .first()
        .waitFor();
    });
    expect(reconciling).toBe(2);

    const beingPaid = await clicks.during(async () => {
      await goTo(pat, 'Payouts');
      await goTo(pat, 'Add a payout method');
      await page.getByRole('radio', { name: /^PayPal/ }).check();
      await page.getByLabel(/^PayPal email/).fill('pat@paypal.test');
      await pat.fill('Account holder', 'Pat');
      await page.getByLabel('Country', { exact: true }).focus();
      await page.keyboard.type('germ');
      await page.getByRole('combobox', { name: 'Search countries' }).and(page.locator('[value=germ]')).waitFor();
      await page.locator('[role=listbox]:not([aria-busy])').getByRole('option', { name: 'Germany' }).waitFor();
      await page.keyboard.press('Enter');
      await pat.press('Save payout method');
      await pat.sees('Payout method saved');
    });
    expect(beingPaid).toBe(4);
    const methods = await service.sql(
      `select kind, holder_name, country from payout_methods m join partners p on p.user_id = m.user_id where p.id = $1`,
      [partner?.id],
    );
    expect(methods).toEqual([{ kind: 'paypal', holder_name: 'Pat', country: 'DE' }]);
    expect(pat.faults).toEqual([]);
  });

  it('an accountant reconciles a month to the cent, approves it, and pays 200 partners with one file', async () => {
    const { service } = stage;
    const sam = await stage.person();
    await service.sql(`update workspace_members set advertiser_id = $2, role = 'finance' where user_id = $1`, [
      sam.userId,
      workspaceId,
    ]);
    const [first] = agency.programs;
    const programId = first?.program.id ?? 0;
    const all = salesOf(programId);
    const month = all.filter(({ isLastMonth }) => isLastMonth);
    const payer = { name: 'Northwind', iban: 'DE89370400440532013000' };
    const { status } = await service.call('PUT', manage(first!, '/payout-settings'), {
      key: await newToken(service, olivia.userId),
      body: { payer },
    });
    expect(status).toBe(200);
    const { page } = sam;
    const clicks = await Clicks.of(sam);
    const count = (rows: unknown[]) => new Intl.NumberFormat('en-US').format(rows.length);
    const total = money(sum(month, earned), 'EUR');
    await sam.load('/app', 'All programs');

    // What the list, the file and the report say about last month is what was sold.
    const listing = await clicks.during(async () => {
      await goTo(sam, 'Northwind Notes');
      await goTo(sam, 'Commissions');
      await sam.press('Dates: All time');
      await sam.press('Last month');
      await sam.sees(`of ${count(month)} commissions`);
      await page.getByRole('rowheader', { name: 'Total' }).locator('xpath=..').getByText(total).waitFor();
    });
    expect(listing).toBe(4);
    const filing = await clicks.during(async () => {
      const rows = await downloadedRows(sam, 'Export CSV');
      expect(rows.map(({ transaction_id: id }) => id).sort()).toEqual(month.map(({ transactionId: id }) => id).sort());
      expect(sum(rows, (row) => Number(row.commission_cents))).toBe(
        sum(month, ({ commissionCents }) => commissionCents),
      );
      expect(sum(rows, (row) => Number(row.deducted_cents))).toBe(sum(month, ({ deductedCents }) => deductedCents));
    });
    expect(filing).toBe(1);
    const reporting = await clicks.during(async () => {
      await goTo(sam, 'Reports');
      await sam.press(/^Period:/);
      await sam.press('Last month');
      await page
        .getByRole('button', { name: /^Revenue/ })
        .getByText(
          money(
            sum(month, ({ cents }) => cents),
            'EUR',
          ),
        )
        .waitFor();
      await page
        .getByRole('button', { name: /^Commission/ })
        .getByText(total)
        .waitFor();
    });
    expect(reporting).toBe(3);

    const approving = await clicks.during(async () => {
      await goTo(sam, 'Commissions');
      await sam.press('Approve pending…');
      const approval = sam.dialog('Approve pending commissions');
      await approval.getByText(`${count(month)} commissions, ${total}`).waitFor();
      await sam.press(`Approve ${count(month)} commissions`, approval);
      await sam.sees(`${count(month)} commissions approved`);
    });
    expect(approving).toBe(3);

    const paid = money(sum(all, earned), 'EUR');
    const sending = await clicks.during(async () => {
      await goTo(sam, 'Payouts');
      await page.getByRole('link', { name: 'New payout run' }).click();
      await sam.press('Make draft');
      await page.getByRole('heading', { level: 1, name: 'Payout run 1' }).waitFor();
      await sam.press('Approve…');
      const approval = sam.dialog('Approve payout run 1?');
      await approval.getByText(`200 payouts, ${paid}.`).waitFor();
      await sam.press('Approve', approval);
      const xml = await downloadedText(sam, 'Download SEPA credit transfer, EUR');
      expect(xml).toContain(`<CtrlSum>${(sum(all, earned) / 100).toFixed(2)}</CtrlSum>`);
      expect(xml.match(/<InstdAmt /g)).toHaveLength(200);
      await sam.press('Mark as sent…');
      await sam.press('Mark as sent', sam.dialog('Mark payout run 1 as sent?'));
      await sam.press('Mark all as paid…');
      await sam.press('Mark all as paid', sam.dialog('Mark 200 payouts as paid?'));
      await sam.sees('200 payouts marked as paid');
    });
    expect(sending).toBe(10);
    const byPartner = new Map<string, number>();
    for (const each of all) byPartner.set(each.partner, (byPartner.get(each.partner) ?? 0) + earned(each));
    const payouts = await service.sql<{ name: string; cents: number }>(
      `select p.name, o.amount_cents as cents from payouts o join partners p on p.id = o.partner_id
       where o.program_id = $1 and o.status = 'paid' and o.currency = 'EUR' order by p.name`,
      [programId],
    );
    expect(payouts).toEqual([...byPartner].sort().map(([name, cents]) => ({ name, cents })));
    expect(sam.faults).toEqual([]);
  });

  it('an agency sees all programs, lets applicants in, moves 100 partners, and finds an order in another program', async () => {
    const { service } = stage;
    const [, second] = agency.programs;
    const programId = second?.program.id ?? 0;
    const { page } = olivia;
    const clicks = await Clicks.of(olivia);
    await olivia.load('/app', 'All programs');
    // The other tests pay partners of the first and the fifth program.
    for (const { program } of agency.programs.filter((_, index) => index !== 0 && index !== 4)) {
      const due = salesOf(program.id).filter(({ isLastMonth }) => !isLastMonth);
      const row = page.getByRole('row').filter({ has: page.locator(`a[href*="/programs/${program.id}/overview"]`) });
      await row.getByText(money(sum(due, earned), program.currency), { exact: true }).waitFor();
    }

    const reviewing = await clicks.during(async () => {
      await page.getByRole('link', { name: `${agency.applicants} applications to review` }).click();
      await olivia.press(`Approve all ${agency.applicants}`);
      await olivia.press('Approve', olivia.dialog(`Approve ${agency.applicants} applications?`));
      await olivia.sees(`${agency.applicants} applications approved`);
    });
    expect(reviewing).toBe(3);
    const statuses = await service.sql('select distinct status from memberships where program_id = $1', [programId]);
    expect(statuses).toEqual([{ status: 'active' }]);

    const [first] = agency.programs;
    const switching = await clicks.during(async () => {
      await olivia.press(/Switch program/);
      await page.getByRole('option', { name: 'Northwind Notes' }).click();
      await page.waitForURL(`**/programs/${first?.program.id}/partners?status=applied`);
    });
    expect(switching).toBe(2);
    await service.sql(`insert into partner_groups (program_id, name, created_at) values ($1, 'Gold', $2)`, [
      first?.program.id,
      service.time,
    ]);
    await olivia.load(`/app/programs/${first?.program.id}/partners?sort=name`, 'Partners');
    const moving = await clicks.during(async () => {
      await olivia.press('100 per page');
      await page.getByLabel('Select Partner 099').waitFor();
      await page.getByLabel('Select all rows on this page').check();
      await olivia.press('Move to Gold');
      await olivia.press('Move', olivia.dialog('Move 100 partners to Gold?'));
      await olivia.sees('100 partners moved');
    });
    expect(moving).toBe(4);
    const [moved] = await service.sql(
      `select count(*) from memberships m join partner_groups g on g.id = m.group_id where g.name = 'Gold' and m.program_id = $1`,
      [first?.program.id],
    );
    expect(moved).toEqual({ count: 100 });

    const order = salesOf(first?.program.id ?? 0).at(-1);
    const finding = await clicks.during(async () => {
      await olivia.press(/^Go to…/);
      await page.getByRole('combobox', { name: /^Go to/ }).fill(order?.transactionId ?? '');
      await page
        .getByRole('option', { name: /Order$/ })
        .first()
        .waitFor();
      await page.keyboard.press('Enter');
      await olivia.sees('The sale was recorded and the partner earned a commission.');
      // Among the details of the decision.
      await page
        .getByText(money(order?.cents ?? 0, 'EUR'))
        .first()
        .waitFor({ state: 'attached' });
    });
    expect(finding).toBe(1);
    expect(olivia.faults).toEqual([]);
  });

  it('somebody without a mouse signs in, rejects a commission, undoes it, and approves and pays another one', async () => {
    const { service } = stage;
    const kim = await stage.stranger();
    const { page } = kim;
    const [, , , , fifth] = agency.programs;
    const programId = fifth?.program.id ?? 0;
    const [wrong, right] = salesOf(programId).filter(({ isLastMonth }) => isLastMonth);
    const clicks = await Clicks.of(kim);
    const type = (text: string) => page.keyboard.type(text);
    const press = (key: string) => page.keyboard.press(key);
    const commission = async (sale: AgencySale | undefined) =>
      (
        await service.sql(
          'select m.stage, m.rejection_reason as reason from commissions m join sales s on s.id = m.sale_id where s.processor_event_id = $1',
          [sale?.transactionId],
        )
      )[0];
    await kim.load('/app/sign-in', 'Sign in');
    const work = await clicks.during(async () => {
      await tabTo(kim, page.getByLabel('Email'));
      await type(olivia.email);
      await press('Tab');
      await type(PASSWORD);
      await press('Enter');
      await page.getByRole('heading', { level: 1, name: 'All programs' }).waitFor();
      await tabTo(kim, page.locator(`a[href*="/programs/${programId}/overview"]`).first());
      await press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

      await press('ControlOrMeta+k');
      await page.getByRole('combobox', { name: /^Go to/ }).waitFor();
      await type('commissions');
      await press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Commissions' }).waitFor();
      const find = async (sale: AgencySale | undefined) => {
        await press('/');
        await press('ControlOrMeta+a');
        await type(sale?.transactionId ?? '');
        await press('Enter');
        await page.waitForURL(`**/commissions?q=${sale?.transactionId}`);
      };
      await find(wrong);
      await tabTo(kim, page.getByLabel(`Actions for ${wrong?.transactionId}`, { exact: true }));
      await press('Enter');
      await page.getByRole('menuitem', { name: 'Approve' }).and(page.locator(':focus')).waitFor();
      await press('ArrowDown');
      await page.getByRole('menuitem', { name: 'Reject' }).and(page.locator(':focus')).waitFor();
      await press('Enter');
      await page.getByLabel('Reason').and(page.locator(':focus')).waitFor();
      await type('Bought by the partner');
      await tabTo(kim, kim.dialog(/^Reject/).getByRole('button', { name: 'Reject' }));
      await press('Enter');
      await kim.sees('Commission rejected');
      expect(await commission(wrong)).toEqual({ stage: 'rejected', reason: 'Bought by the partner' });
      await tabTo(kim, page.getByLabel(`Actions for ${wrong?.transactionId}`, { exact: true }));
      await press('Enter');
      await page.getByRole('menuitem', { name: 'Undo rejection' }).and(page.locator(':focus')).waitFor();
      await press('Enter');
      await kim.sees('Rejection undone');
      expect(await commission(wrong)).toEqual({ stage: 'pending', reason: null });

      await find(right);
      await tabTo(kim, page.getByLabel(`Select ${right?.transactionId}`, { exact: true }));
      await press('Space');
      await tabTo(
        kim,
        page.getByRole('region', { name: 'Selected commissions' }).getByRole('button', { name: 'Approve' }),
      );
      await press('Enter');
      const approval = kim.dialog('Approve 1 commission?');
      await tabTo(kim, approval.getByRole('button', { name: 'Approve' }));
      await press('Enter');
      await kim.sees('1 commission approved');
      expect(await commission(right)).toEqual({ stage: 'approved', reason: null });

      await press('ControlOrMeta+k');
      await page.getByRole('combobox', { name: /^Go to/ }).waitFor();
      await type('payouts');
      await press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Payouts' }).waitFor();
      await press('/');
      await type(right?.partner ?? '');
      await press('Enter');
      await tabTo(kim, page.getByRole('button', { name: `Pay by hand: ${right?.partner} in GBP` }));
      await press('Enter');
      const paying = kim.dialog(`Pay ${right?.partner} by hand`);
      await tabTo(kim, paying.getByRole('button', { name: 'Create payout' }));
      await press('Enter');
      await kim.sees(/^Payout of .* created$/);
    });
    expect(work).toBe(0);
    const due = salesOf(programId).filter(
      (sale) => sale.partner === right?.partner && (!sale.isLastMonth || sale === right),
    );
    const payouts = await service.sql('select amount_cents as cents, status from payouts where program_id = $1', [
      programId,
    ]);
    expect(payouts).toEqual([{ cents: sum(due, earned), status: 'open' }]);
    expect(kim.faults).toEqual([]);
  });
});
