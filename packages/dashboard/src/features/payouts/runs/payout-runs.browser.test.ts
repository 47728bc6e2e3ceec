import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { manage, newToken } from '@svc/testkit/service/accounts.ts';
import { manyPayees } from '@svc/testkit/service/payments/many-payees.ts';
import { type MethodKind, setMethod } from '@svc/testkit/service/payments/payees.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';
import { OPERATOR } from '../../../../../server/src/audit/audit-store.ts';
import { makeRun } from '../../../../../server/src/payout-runs/make-run.ts';
import { lockPayoutSettings } from '../../../../../server/src/payout-runs/payout-settings-store.ts';
import { accessibilityProblems } from '../../../../test/accessibility.ts';
import { type Brand, openBrand, partnerPerson } from '../../../../test/brand.ts';
import type { Person } from '../../../../test/person.ts';
import { describeInBrowser, startStage } from '../../../../test/stage.ts';

const stage = startStage();

const IBANS = { Ann: 'DE89370400440532013000', Bob: 'FR1420041010050500013M02606', Dora: 'NL91ABNA0417164300' };

const EVERYBODY = { cutoffAt: null, currency: null, partnerIds: null, excludedPartnerIds: [], exclusionNotes: {} };

type Payee = { person: Person; partnerId: number };

/** A partner in a browser, with 20.00 EUR that are approved. */
async function payee(brand: Brand, name: string, kind: MethodKind | null, details?: object): Promise<Payee> {
  const { service } = stage;
  const partner = await service.partner(brand.program);
  await service.sql('update partners set name = $2 where id = $1', [partner.partnerId, name]);
  const person = await partnerPerson(stage, partner.partnerId);
  if (kind) await setMethod(service, person.userId, kind, { holderName: name, ...(details && { details }) });
  const { commissionId } = await sold(service, { ...brand, ...partner }, { currency: 'EUR' });
  const key = await newToken(service, brand.owner.userId);
  const approval = await service.call('POST', manage(brand, `/commissions/${commissionId}/approve`), { key });
  expect(approval.status).toBe(200);
  return { person, partnerId: partner.partnerId };
}

/** A colleague of the owner. */
async function colleague(brand: Brand, name: string, role = 'finance'): Promise<Person> {
  const person = await stage.person();
  await stage.service.sql('update users set name = $2 where id = $1', [person.userId, name]);
  await stage.service.sql('update workspace_members set advertiser_id = $2, role = $3 where user_id = $1', [
    person.userId,
    brand.workspaceId,
    role,
  ]);
  return person;
}

async function download(person: Person, name: string): Promise<Buffer> {
  const event = person.page.waitForEvent('download');
  await person.page.getByRole('link', { name: `Download ${name}` }).click();
  return readFile(await (await event).path());
}

/** What a bank answers to a file of ours: a verdict for each end-to-end id. */
function statusReport(messageId: string, verdicts: [endToEndId: string, status: string, code?: string][]): Buffer {
  const rows = verdicts.map(
    ([id, status, code]) =>
      `<TxInfAndSts><OrgnlEndToEndId>${id}</OrgnlEndToEndId><TxSts>${status}</TxSts>${
        code ? `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn></StsRsnInf>` : ''
      }</TxInfAndSts>`,
  );
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>` +
      `<GrpHdr><MsgId>${newId('BANK')}</MsgId><CreDtTm>2026-11-17T10:00:00</CreDtTm></GrpHdr>` +
      `<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId><GrpSts>PART</GrpSts></OrgnlGrpInfAndSts>` +
      `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${messageId}</OrgnlPmtInfId>${rows.join('')}</OrgnlPmtInfAndSts>` +
      `</CstmrPmtStsRpt></Document>`,
  );
}

/** What waits for `isOpen` goes on once it is opened. */
function gate(): { isOpen: Promise<void>; open: () => void } {
  const waiting: (() => void)[] = [];
  const isOpen = new Promise<void>((resolve) => waiting.push(resolve));
  const open = () => {
    for (const resolve of waiting) resolve();
  };
  return { isOpen, open };
}

const runsOf = (brand: Brand) =>
  stage.service.sql('select number, status from payout_runs where program_id = $1 order by number', [brand.program.id]);

describeInBrowser('a payout run', () => {
  it('goes from draft to settled, with one partner left out, one payment that failed, and its way back', async () => {
    const brand = await openBrand(stage, { currency: 'EUR' });
    const { owner } = brand;
    const sam = await colleague(brand, 'Sam Payer');
    await payee(brand, 'Ann Müller', 'iban', { kind: 'iban', iban: IBANS.Ann, bic: null });
    const bob = await payee(brand, 'Bob Martin', 'iban', { kind: 'iban', iban: IBANS.Bob, bic: null });
    await payee(brand, 'Carl Nobank', null);
    await payee(brand, 'Dora Dijk', 'iban', { kind: 'iban', iban: IBANS.Dora, bic: null });

    // The owner asks for two persons and enters who pays. A typo in the IBAN is found.
    await owner.visit(`${brand.path('settings')}?tab=payouts`, 'Settings');
    await owner.select('Who approves a run', 'A second person: not the one who made the run');
    await owner.press('Save changes');
    await owner.sees('Changes saved');
    await owner.press('Add…');
    await owner.fill('Name', 'Acme GmbH');
    await owner.fill('IBAN', 'DE89 3704 0044 0532 0130 01');
    await owner.press('Save payer');
    await owner.sees(/The IBAN does not pass its check digits/);
    await owner.fill('IBAN', 'DE89 3704 0044 0532 0130 00');
    await owner.press('Save payer');
    await owner.sees('DE89 •••• 3000');
    expect(await accessibilityProblems(owner.page)).toEqual([]);

    // The draft says who is paid, who is not, and how the bank reads names. Leaving somebody out makes another draft.
    await owner.visit(`${brand.path('payouts')}?tab=runs`, 'Payouts');
    await owner.page.getByText('A run pays many partners together').waitFor();
    await owner.page.getByRole('link', { name: 'New payout run' }).first().click();
    await owner.press('Make draft');
    await owner.page.getByRole('heading', { name: 'Payout run 1', level: 1 }).waitFor();
    await owner.row('Ann Müller').getByText('€20.00').waitFor();
    await owner.page.getByRole('tab', { name: 'Spellings (1)' }).click();
    await owner.row('Ann Müller').getByText('Ann Mueller').waitFor();
    await owner.page.getByRole('tab', { name: 'Left out (1)' }).click();
    await owner.row('Carl Nobank').getByText('No payout method').waitFor();
    await owner.page.getByRole('tab', { name: 'Payouts (3)' }).click();
    await owner.press('Leave out Dora Dijk');
    const leaving = owner.dialog('Leave out Dora Dijk?');
    await leaving.getByText('Payout run 1 is canceled, and a new draft is made without Dora Dijk').waitFor();
    await leaving.getByLabel('Why').fill('Waiting for her invoice');
    await leaving.getByRole('button', { name: 'Make a new draft' }).dblclick();
    await owner.page.getByRole('heading', { name: 'Payout run 2', level: 1 }).waitFor();
    await owner.page.getByRole('tab', { name: 'Left out (2)' }).click();
    await owner.row('Dora Dijk').getByText('Waiting for her invoice').waitFor();

    // Two persons: the owner made it, so Sam approves it.
    await owner.sees('You made this run, so someone else has to approve it. Ask Sam Payer.');
    expect(await owner.page.getByRole('button', { name: 'Approve…' }).isDisabled()).toBe(true);
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    const runPath = new URL(owner.page.url()).pathname;
    await sam.visit(runPath, 'Payout run 2');
    await sam.press('Approve…');
    const approving = sam.dialog('Approve payout run 2?');
    await approving.getByText('2 payouts, €40.00.').waitFor();
    await sam.press('Approve', approving);
    await sam.page.getByRole('heading', { name: 'Send the money' }).waitFor();

    // The file holds both payments, and is the same every time.
    const file = await download(sam, 'SEPA credit transfer, EUR');
    const sha256 = createHash('sha256').update(file).digest('hex');
    await sam.row('SEPA credit transfer').getByTitle(sha256).waitFor();
    expect(await download(sam, 'SEPA credit transfer, EUR')).toEqual(file);
    const xml = file.toString('utf8');
    const payments = [
      ...xml.matchAll(/<EndToEndId>(P\d+)<\/EndToEndId>.*?<InstdAmt Ccy="EUR">([\d.]+)<.*?<IBAN>(\w+)</gs),
    ];
    expect(payments.map(([, , amount, iban]) => [amount, iban]).sort()).toEqual([
      ['20.00', IBANS.Ann],
      ['20.00', IBANS.Bob],
    ]);
    expect(xml.match(/<CtrlSum>40.00<\/CtrlSum>/g)).toHaveLength(2);
    expect(xml).toContain('<Nm>Ann Mueller</Nm>');
    const idOf = (iban: string) => payments.find((payment) => payment[3] === iban)?.[1] ?? '';
    await sam.press('Mark as sent…');
    await sam.press('Mark as sent', sam.dialog('Mark payout run 2 as sent?'));
    await sam.page.getByRole('heading', { name: 'Record what happened' }).waitFor();

    // The bank has paid Ann, not Bob, and names a payment that nobody here knows.
    const report = statusReport(/<MsgId>([^<]+)</.exec(xml)?.[1] ?? '', [
      [idOf(IBANS.Ann), 'ACSC'],
      [idOf(IBANS.Bob), 'RJCT', 'AC04'],
      ['P99999999', 'ACSC'],
    ]);
    await sam.page
      .getByLabel('Report of your bank or PayPal')
      .setInputFiles({ name: 'status.xml', mimeType: 'text/xml', buffer: report });
    await sam.sees('2 payouts changed, 0 unchanged, 1 not of this run.');
    const rows = sam.page.getByRole('region', { name: 'Rows of the report' });
    await rows
      .getByRole('row')
      .filter({ hasText: 'Bob Martin' })
      .getByText(/AC04: The bank says that the account is closed/)
      .waitFor();
    await rows.getByRole('row').filter({ hasText: 'P99999999' }).getByText('Unknown').first().waitFor();
    await sam.page.getByRole('heading', { name: 'This run is settled' }).waitFor();
    await sam.page.getByText('1 payout, €20.00').nth(1).waitFor();
    await sam.page
      .getByRole('region', { name: 'Payouts of this run' })
      .getByRole('row')
      .filter({ hasText: 'Bob' })
      .getByText(/AC04/)
      .waitFor();
    expect(await accessibilityProblems(sam.page)).toEqual([]);

    // Bob reads why, and adds another method. The next run pays him.
    await bob.person.visit(`/app/portal/${brand.program.id}/payouts`, 'Payouts');
    await bob.person.row('Failed').getByText('The bank says that the account is closed.').waitFor();
    await bob.person.row('Failed').getByText('The amount is due again and will be in a later payout.').waitFor();
    await setMethod(stage.service, bob.person.userId, 'paypal', { holderName: 'Bob Martin' });
    await sam.visit(brand.path('payouts/runs/new'), 'New payout run');
    await sam.page.getByText('Only partners I choose').click();
    await sam.find('Add a partner to pay', 'bob', 'Bob Martin');
    await sam.press('Make draft');
    await sam.page.getByRole('heading', { name: 'Payout run 3', level: 1 }).waitFor();
    await sam.row('Bob Martin').getByText('PayPal').waitFor();
    const again = new URL(sam.page.url()).pathname;
    await owner.visit(again, 'Payout run 3');
    await owner.press('Approve…');
    await owner.press('Approve', owner.dialog('Approve payout run 3?'));
    expect((await download(owner, 'PayPal, EUR')).toString('utf8')).toMatch(/^jane@paypal\.test,20\.00,EUR,/);
    await owner.press('Mark as sent…');
    await owner.press('Mark as sent', owner.dialog('Mark payout run 3 as sent?'));
    await owner.press('Mark all as paid…');
    await owner.dialog('Mark 1 payout as paid?').getByLabel('Reference').fill('PP-1');
    await owner.press('Mark all as paid', owner.dialog('Mark 1 payout as paid?'));
    await owner.page.getByRole('heading', { name: 'Everything is paid' }).waitFor();
    await bob.person.visit(`/app/portal/${brand.program.id}/payouts`, 'Payouts');
    await bob.person.row('PP-1').getByText('Paid', { exact: true }).waitFor();
    expect([...owner.faults, ...sam.faults, ...bob.person.faults]).toEqual([]);
  }, 120_000);

  it('is made once, even if the answer is lost, and made again after a refund, which stops its approval', async () => {
    const brand = await openBrand(stage, { currency: 'EUR' });
    const { owner } = brand;
    const ann = await payee(brand, 'Ann Müller', 'paypal');
    await payee(brand, 'Bob Martin', 'paypal');
    await owner.visit(brand.path('payouts/runs/new'), 'New payout run');
    await owner.page.route(
      '**/payout-runs',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await owner.press('Make draft');
    await owner.sees('Can’t reach the server. Check your connection and try again.');
    await owner.press('Make draft');
    await owner.page.getByRole('heading', { name: 'Payout run 1', level: 1 }).waitFor();
    expect(await runsOf(brand)).toEqual([{ number: 1, status: 'draft' }]);

    const [sale] = await stage.service.sql<{ id: string }>(
      'select processor_event_id as id from sales where partner_id = $1',
      [ann.partnerId],
    );
    await stage.service.refund({ transaction_id: sale?.id }, { key: brand.apiKey });
    await owner.press('Approve…');
    await owner.press('Approve', owner.dialog('Approve payout run 1?'));
    await owner.sees('The run was not approved: 1 payout changed since it was made.');
    const changed = owner.page.getByRole('region', { name: 'Changed payouts' }).getByRole('row');
    await changed.filter({ hasText: 'Ann Müller' }).getByText('€20.00').waitFor();
    await changed.filter({ hasText: 'Ann Müller' }).getByText('€0.00').waitFor();
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await owner.press('Cancel this draft and make it again');
    await owner.page.getByRole('heading', { name: 'Payout run 2', level: 1 }).waitFor();
    await owner.page.getByRole('tab', { name: 'Payouts (1)' }).waitFor();
    await owner.row('Bob Martin').getByText('€20.00').waitFor();
    expect(await runsOf(brand)).toEqual([
      { number: 1, status: 'cancelled' },
      { number: 2, status: 'draft' },
    ]);
    expect(owner.faults).toEqual([]);
  });

  it('says how far it is while it is prepared, also to those who open the page again', async () => {
    const brand = await openBrand(stage);
    const { owner } = brand;
    const { service } = stage;
    await manyPayees(service, brand, 300);
    // A run that really is prepared, whose node rests after the first slice for as long as the test wants.
    const rested = gate();
    const resting = gate();
    let rests = 0;
    const made = makeRun(service.ctx, brand.program, EVERYBODY, OPERATOR, async () => {
      rests += 1;
      if (rests !== 2) return;
      resting.open();
      await rested.isOpen;
    });
    await resting.isOpen;
    const progress = 'A payout run is being prepared: 250 of 300 partners so far.';
    await owner.visit(brand.path('payouts/runs/new'), 'New payout run');
    await owner.sees(progress);
    await owner.load(`${brand.path('payouts')}?tab=runs`, 'Payouts');
    await owner.sees(progress);
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    rested.open();
    await made;
    await owner.row('Run 1').getByText('$6,000.00').waitFor();
    await owner.page.getByText(progress).waitFor({ state: 'hidden' });
    expect(owner.faults).toEqual([]);
  });

  it('says that it is still being made when that takes long', async () => {
    const brand = await openBrand(stage, { currency: 'EUR' });
    const { owner } = brand;
    await payee(brand, 'Ann Müller', 'paypal');
    await owner.visit(brand.path('payouts/runs/new'), 'New payout run');
    // Someone else changes the settings for payouts at this moment, so that the run has to wait.
    const done = gate();
    const locked = gate();
    const other = stage.service.ctx.db.transaction(async (tx) => {
      await lockPayoutSettings(tx, brand.program.id);
      locked.open();
      await done.isOpen;
    });
    await locked.isOpen;
    await owner.press('Make draft');
    await owner.sees('Still working. Large payout runs can take up to a minute.');
    expect(await owner.page.getByRole('button', { name: 'Make draft' }).getAttribute('aria-busy')).toBe('true');
    done.open();
    await other;
    await owner.page.getByRole('heading', { name: 'Payout run 1', level: 1 }).waitFor();
    await owner.page.getByText(/^Still working/).waitFor({ state: 'hidden' });
    expect(owner.faults).toEqual([]);
  });

  it('says who can act to people who only look', async () => {
    const brand = await openBrand(stage, { currency: 'EUR' });
    await payee(brand, 'Ann Müller', 'paypal');
    const viewer = await colleague(brand, 'Vera', 'viewer');
    await brand.owner.visit(brand.path('payouts/runs/new'), 'New payout run');
    await brand.owner.press('Make draft');
    await brand.owner.page.getByRole('heading', { name: 'Payout run 1', level: 1 }).waitFor();
    await viewer.visit(new URL(brand.owner.page.url()).pathname, 'Payout run 1');
    await viewer.sees('Only owners, admins and finance can approve and cancel payout runs.');
    await viewer.row('Ann Müller').getByText('€20.00').waitFor();
    expect(await viewer.page.getByRole('button', { name: /Approve|Cancel|Leave out/ }).count()).toBe(0);
    await viewer.visit(brand.path('payouts/runs/new'), 'New payout run');
    await viewer.sees('Only owners, admins and finance can make payout runs.');
    expect([...brand.owner.problems, ...viewer.problems]).toEqual([]);
  });
});
