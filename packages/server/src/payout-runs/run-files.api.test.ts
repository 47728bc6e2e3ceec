import { createHash } from 'node:crypto';
import { manage, memberOf, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { approvedSale, asOwner } from '@svc/testkit/service/payments/paid.ts';
import { draft, payee, runCall, sentRun } from '@svc/testkit/service/payments/payees.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const PAYER = { name: 'Acme GmbH', iban: 'DE89370400440532013000' };
const withPayer = (made: OwnedProgram) => asOwner(service, made, 'PUT', '/payout-settings', { payer: PAYER });
const get = (made: OwnedProgram, runId: number, file: string) =>
  asOwner(service, made, 'GET', `/payout-runs/${runId}/files/${file}`);
const report = (made: OwnedProgram, runId: number, type: string, body: string | Buffer) =>
  service.call('POST', manage(made, `/payout-runs/${runId}/status-report`), {
    key: made.owner.token,
    headers: { 'content-type': type },
    body,
  });

/** A bank's report about payments of a message: the id and the status of each, with a code where it was rejected. */
const pain002 = (
  messageId: string,
  rows: [id: string, status: string, code?: string][],
  group = '',
) => `<?xml version="1.0"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
<GrpHdr><MsgId>BANK-1</MsgId><CreDtTm>2026-03-11T08:00:00</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>${group && `<GrpSts>${group}</GrpSts>`}</OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts><OrgnlPmtInfId>1</OrgnlPmtInfId>${rows
  .map(
    ([id, status, code]) =>
      `<TxInfAndSts><OrgnlEndToEndId>${id}</OrgnlEndToEndId><TxSts>${status}</TxSts>${
        code ? `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn></StsRsnInf>` : ''
      }</TxInfAndSts>`,
  )
  .join('')}</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`;

const messageIdIn = (sepa: string) => /<MsgId>([^<]+)<\/MsgId>/.exec(sepa)?.[1] ?? '';

/** A sent run with a SEPA file for two partners. */
async function sepaRun() {
  const made = await ownedProgram(service);
  await withPayer(made);
  const [jane, ben] = [await payee(service, made, 'iban'), await payee(service, made, 'iban')];
  await approvedSale(service, jane, { currency: 'EUR' });
  await approvedSale(service, ben, { currency: 'EUR' });
  const run = await sentRun(service, made);
  const ids = run.payouts.map(({ id }: { id: number }) => id).sort((one: number, two: number) => one - two);
  const messageId = messageIdIn((await get(made, run.id, 'sepa.xml')).text);
  return { made, jane, run, ids: ids as [number, number], messageId };
}

describe('GET …/files/:file', () => {
  it('the same bytes every time, with their type and name; every download is in the audit log', async () => {
    const { made, run } = await sepaRun();
    const first = await get(made, run.id, 'sepa.xml');
    expect([first.status, first.headers['content-type'], first.headers['content-disposition']]).toEqual([
      200,
      'application/xml; charset=utf-8',
      `attachment; filename="${made.program.slug}-run-1-EUR-sepa.xml"`,
    ]);
    await asOwner(service, made, 'PUT', '/payout-settings', { payer: { ...PAYER, name: 'Another' } });
    service.advance({ days: 3 });
    const second = await get(made, run.id, 'sepa.xml?currency=eur&part=1');
    expect(second.text).toBe(first.text);
    const shown = run.files.find(({ name }: { name: string }) => name === 'sepa.xml');
    expect(createHash('sha256').update(first.text).digest('hex')).toBe(shown.sha256);
    expect([shown.rows, shown.amount_cents]).toEqual([2, 4_000]);
    const audit = await service.call('GET', '/api/v1/manage/audit?action=payout_run.file_downloaded', {
      key: made.owner.token,
    });
    expect(audit.body.data[0]).toMatchObject({
      subject_id: String(run.id),
      after: { file: 'sepa.xml', currency: 'EUR' },
    });
  });

  it('400 naming the choices where several have the name; one by its currency', async () => {
    const made = await ownedProgram(service);
    const jane = await payee(service, made, 'paypal');
    for (const currency of ['EUR', 'USD']) await approvedSale(service, jane, { currency });
    const run = await sentRun(service, made, 'approved');
    const { status, body } = await get(made, run.id, 'paypal.csv');
    expect([status, body.error.message]).toEqual([
      400,
      'This run has several paypal.csv. Choose one: currency=EUR&part=1, currency=USD&part=1.',
    ]);
    const usd = await get(made, run.id, 'paypal.csv?currency=USD');
    const payout = run.payouts.find(({ currency }: { currency: string }) => currency === 'USD');
    expect([usd.status, usd.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(usd.text).toContain(`jane@paypal.test,20.00,USD,P${payout.id},`);
  });

  it('404 with words before the approval, for a file that the run does not have, and for no file at all', async () => {
    const made = await ownedProgram(service);
    await approvedSale(service, await payee(service, made, 'paypal'));
    const run = await draft(service, made);
    expect((await get(made, run.id, 'paypal.csv')).body.error.message).toBe(
      'Payout run 1 is draft and has no files. They are made when it is approved.',
    );
    await runCall(service, made, 'POST', `/${run.id}/approve`);
    const missing = await get(made, run.id, 'sepa.xml');
    expect([missing.status, missing.body.error.message]).toEqual([
      404,
      'This run has no such sepa.xml. It has paypal.csv, payouts.csv.',
    ]);
    expect((await get(made, run.id, 'x.exe')).status).toBe(404);
  });

  it('404 once the run is cancelled: what its files pay is due again, and another run pays it', async () => {
    const made = await ownedProgram(service);
    await approvedSale(service, await payee(service, made, 'paypal'));
    const run = await sentRun(service, made, 'approved');
    expect((await get(made, run.id, 'paypal.csv')).status).toBe(200);
    await runCall(service, made, 'POST', `/${run.id}/cancel`);
    for (const file of ['paypal.csv', 'payouts.csv']) {
      const { status, body } = await get(made, run.id, file);
      expect([status, body.error.message]).toEqual([
        404,
        'Payout run 1 was cancelled. Its files can no longer be downloaded, because what they would pay is due again.',
      ]);
    }
    expect((await runCall(service, made, 'GET', `/${run.id}`)).body.data.files).toHaveLength(2);
  });

  it('its hash is shown to those who may download it: a short file could be guessed from it', async () => {
    const { made, run } = await sepaRun();
    const shownTo = async (role: 'finance' | 'viewer') => {
      const { token } = await memberOf(service, made.workspaceId, role);
      const { body } = await service.call('GET', manage(made, `/payout-runs/${run.id}`), { key: token });
      return body.data.files.map(({ sha256 }: { sha256: string | null }) => sha256);
    };
    expect(await shownTo('finance')).toEqual(run.files.map(({ sha256 }: { sha256: string }) => sha256));
    expect(await shownTo('viewer')).toEqual([null, null]);
  });

  it('is sealed in the database', async () => {
    const { run } = await sepaRun();
    const rows = await service.sql<{ bytes: string }>(
      'select bytes_sealed as bytes from payout_files where run_id = $1',
      [run.id],
    );
    expect(rows.length).toBe(2);
    for (const { bytes } of rows) expect(Buffer.from(bytes, 'base64url').toString()).not.toContain('DE89');
  });
});

describe('a draft', () => {
  it('shows names that a bank reads in other letters, and what no file will hold', async () => {
    const made = await ownedProgram(service);
    const jane = await payee(service, made, 'iban', { holderName: 'Zoë Müller' });
    await approvedSale(service, jane, { currency: 'EUR' });
    const withoutPayer = await draft(service, made);
    expect(withoutPayer.payouts).toMatchObject([{ not_in_file: expect.stringMatching(/IBAN/) }]);
    await withPayer(made);
    const shown = (await runCall(service, made, 'GET', `/${withoutPayer.id}`)).body.data;
    expect(shown.payouts).toMatchObject([{ not_in_file: null }]);
    expect(shown.spellings).toEqual([
      { payout_id: shown.payouts[0].id, field: 'holder_name', from: 'Zoë Müller', to: 'Zoe Mueller' },
    ]);
  });
});

describe('a pain.002', () => {
  it('settles what the bank has decided, row by row; the same again changes nothing', async () => {
    const { made, run, ids, messageId } = await sepaRun();
    const rows: [string, string, string?][] = [
      [`P${ids[0]}`, 'ACSC'],
      [`P${ids[1]}`, 'RJCT', 'AC04'],
      ['P999999999', 'ACSC'],
      ['SALARY-7', 'RJCT'],
    ];
    const xml = pain002(messageId, rows, 'PART');
    const { status, body } = await report(made, run.id, 'application/xml', xml);
    const words = 'The bank says that the account is closed. Add another payout method.';
    const row = (id: string, outcome: string, more: object = {}) => ({
      end_to_end_id: id,
      payout_id: null,
      partner_name: null,
      outcome,
      status: null,
      code: null,
      message: null,
      ...more,
    });
    const jane = { partner_name: 'Jane' };
    expect([status, body.data]).toEqual([
      200,
      {
        run_status: 'settled',
        changed: 2,
        unchanged: 0,
        unknown: 2,
        rows: [
          row(`P${ids[0]}`, 'changed', { ...jane, payout_id: ids[0], status: 'paid' }),
          row(`P${ids[1]}`, 'changed', { ...jane, payout_id: ids[1], status: 'failed', code: 'AC04', message: words }),
          row('P999999999', 'unknown'),
          row('SALARY-7', 'unknown'),
        ],
        problems: [],
      },
    ]);
    const stored = await service.sql('select id, status, failure_reason from payouts where run_id = $1 order by id', [
      run.id,
    ]);
    const again = await report(made, run.id, 'text/xml; charset=utf-8', xml);
    expect(again.body.data).toMatchObject({ changed: 0, unchanged: 2, unknown: 2, run_status: 'settled' });
    expect(again.body.data.rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'already',
      'already',
      'unknown',
      'unknown',
    ]);
    expect(
      await service.sql('select id, status, failure_reason from payouts where run_id = $1 order by id', [run.id]),
    ).toEqual(stored);
  });

  it('accepted is not paid; a verdict about the whole message is one about all its payments', async () => {
    const { made, run, messageId } = await sepaRun();
    const accepted = await report(made, run.id, 'application/xml', pain002(messageId, [], 'ACCP'));
    expect(accepted.body.data).toMatchObject({ changed: 0, unchanged: 2, run_status: 'sent' });
    const rejected = await report(made, run.id, 'application/xml', pain002(messageId, [], 'RJCT'));
    expect(rejected.body.data).toMatchObject({ changed: 2, run_status: 'settled' });
  });

  it('a verdict about the whole message decides nothing that the report leaves unclear', async () => {
    const { made, run, ids, messageId } = await sepaRun();
    const rows: [string, string, string?][] = [
      [`P${ids[0]}`, 'ACSC'],
      [`P${ids[0]}`, 'RJCT', 'AC04'],
      [`P${ids[1]}`, 'WHAT'],
    ];
    for (const group of ['ACSC', 'RJCT']) {
      const { body } = await report(made, run.id, 'application/xml', pain002(messageId, rows, group));
      expect([group, body.error.message]).toEqual([
        group,
        `The report cannot be read: The status WHAT is not known, so it was left out. The report contradicts itself about P${ids[0]}, so it was left out.`,
      ]);
    }
    const { body } = await report(made, run.id, 'application/xml', pain002(messageId, rows.slice(2), 'ACSC'));
    expect(body.data).toMatchObject({ changed: 1, rows: [{ payout_id: ids[0], status: 'paid' }], run_status: 'sent' });
  });

  it('409 for a report about another run, and nothing changed', async () => {
    const one = await sepaRun();
    await approvedSale(service, one.jane, { currency: 'EUR' });
    const two = await sentRun(service, one.made);
    const xml = pain002(one.messageId, [[`P${one.ids[0]}`, 'ACSC']]);
    for (const sent of [xml, pain002('SOMETHING-ELSE', [[`P${two.payouts[0].id}`, 'ACSC']])]) {
      const { status, body } = await report(one.made, two.id, 'application/xml', sent);
      expect([status, body.error.message]).toEqual([409, 'The report is not about payout run 2. Nothing was changed.']);
    }
    const rows = await service.sql(`select 1 from payouts where program_id = $1 and status <> 'sent'`, [
      one.made.program.id,
    ]);
    expect(rows).toEqual([]);
  });

  it('400 for what cannot be read, 413 for what is too large, 415 for another type, 409 for a run that is not sent', async () => {
    const { made, run } = await sepaRun();
    const unreadable = await report(made, run.id, 'application/xml', '<a>');
    expect([unreadable.status, unreadable.body.error.message]).toEqual([
      400,
      expect.stringMatching(/^The report cannot be read: /),
    ]);
    const large = await report(made, run.id, 'application/xml', Buffer.alloc(20 * 1024 * 1024, 32));
    expect([large.status, large.body.error.message]).toEqual([413, 'Request body is larger than 10 MiB']);
    const other = await report(made, run.id, 'application/json', '{}');
    expect([other.status, other.body.error.message]).toEqual([
      415,
      'Unsupported content type. Send the body as application/xml or text/xml or text/csv.',
    ]);
    const made2 = await ownedProgram(service);
    await approvedSale(service, await payee(service, made2));
    const early = await draft(service, made2);
    const refused = await report(made2, early.id, 'text/csv', 'Customer ID,Status\nP1,Completed\n');
    expect([refused.status, refused.body.error.message]).toEqual([409, 'Payout run 1 is draft and cannot be settled']);
  });
});

describe('PayPal’s report', () => {
  it('settles by the customer id, and a payout of another run is left alone', async () => {
    const made = await ownedProgram(service);
    const [jane, ben] = [await payee(service, made, 'paypal'), await payee(service, made, 'paypal')];
    await approvedSale(service, jane);
    const one = await sentRun(service, made);
    await approvedSale(service, ben);
    const two = await sentRun(service, made);
    const [first, second] = [one.payouts[0].id, two.payouts[0].id];
    const both = `Customer ID,Status,Error code\nP${second},Completed,\nP${first},Failed,14765\n`;
    const { body } = await report(made, two.id, 'text/csv', both);
    expect(body.data).toMatchObject({
      run_status: 'settled',
      changed: 1,
      unknown: 1,
      rows: [
        { payout_id: second, outcome: 'changed', status: 'paid' },
        { payout_id: first, outcome: 'other_run', status: 'sent' },
      ],
    });
    const foreign = await report(made, two.id, 'text/csv', `Customer ID,Status\nP${first},Completed\n`);
    expect(foreign.status).toBe(409);
    const found = (await runCall(service, made, 'GET', `/${one.id}`)).body.data;
    expect(found).toMatchObject({ status: 'sent', payouts: [{ status: 'sent' }] });
  });

  it('names the first 20 problems, and says how many more there are', async () => {
    const made = await ownedProgram(service);
    await approvedSale(service, await payee(service, made, 'paypal'));
    const run = await sentRun(service, made);
    const strange = Array.from({ length: 30 }, (_, index) => `X${index},Teleported\n`).join('');
    const about = (index: number) => `The status "Teleported" of X${index} is not known, so it was left out.`;
    const problems = [...Array.from({ length: 20 }, (_, index) => about(index)), 'There are 10 more problems.'];
    const { body } = await report(made, run.id, 'text/csv', `Customer ID,Status\n${strange}X,Completed\n`);
    expect(body.data).toMatchObject({ unknown: 1, problems });
    const unreadable = await report(made, run.id, 'text/csv', `Customer ID,Status\n${strange}`);
    expect(unreadable.body.error.message).toBe(`The report cannot be read: ${problems.join(' ')}`);
  });
});
