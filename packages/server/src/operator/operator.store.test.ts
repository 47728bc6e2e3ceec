import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { runOperator } from '@svc/testkit/service/processes/operator.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId, refuseCommissions, sold, soldOwing } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { listProgramsOfAccount } from '../payments/connections/connection-store.ts';

const service = useService();

/** The data that a command returns, and the text that it prints. */
async function run(name: string, ...args: string[]) {
  const reply = await runOperator(service, name, ...args);
  if (!reply.ok) throw new Error(reply.text);
  // biome-ignore lint/suspicious/noExplicitAny: data of many shapes
  return { data: reply.data as any, text: reply.text };
}

describe('setup', () => {
  it('creates a program with its key, a partner and a link', async () => {
    const terms = ['--commission-type', 'fixed', '--commission-rate', '2.5'];
    const { data, text } = await run('setup', '--link', 'as-data', ...terms);
    expect(data).toEqual({
      program_id: expect.any(Number),
      api_key: expect.stringMatching(/^svc_key_/),
      partner_id: expect.any(Number),
      workspace_id: expect.any(Number),
      short_link: 'as-data',
      domain: 'example.com',
      owner_invite_url: expect.stringMatching(/^https:\/\/track\.test\/invite#svc_inv_[\w-]{43}$/),
    });
    expect(text).toMatch(new RegExp(`^Program ${data.program_id} is ready`));
    expect((await service.click({ affiliate_url: 'https://example.com/?aff=as-data' })).status).toBe(200);
    expect((await service.readiness(data.api_key)).body.program_id).toBe(data.program_id);
  });
});

describe('keys', () => {
  it('regenerate-key shows the new key, and the old one stops working', async () => {
    const { program, apiKey } = await service.program();
    expect((await service.readiness(apiKey)).status).toBe(200);
    const { data, text } = await run('regenerate-key', '--program', String(program.id));
    expect(data).toEqual({
      program_id: program.id,
      api_key: expect.stringMatching(/^svc_key_/),
      api_key_masked: `${data.api_key.slice(0, 12)}****${data.api_key.slice(-4)}`,
    });
    expect(text).toContain(data.api_key);
    const old = await eventually(
      () => service.readiness(apiKey),
      ({ status }) => status === 401,
    );
    expect(old.status).toBe(401);
    expect((await service.readiness(data.api_key)).status).toBe(200);
  });

  it('require-rotation adds a warning to every answer to the key', async () => {
    const { program, apiKey } = await service.program();
    expect((await service.readiness(apiKey)).headers.sunset).toBeUndefined();
    const rotateBy = new Date(service.time.getTime() + 30 * 86_400_000);
    const options = ['--program', String(program.id), '--by', rotateBy.toISOString()];
    const { data, text } = await run('require-rotation', ...options);
    const masked = `${apiKey.slice(0, 12)}****${apiKey.slice(-4)}`;
    expect(data).toEqual({ api_key_masked: masked, marked_at: service.time, rotate_by: rotateBy });
    expect(text).toContain(masked);
    const answer = await eventually(
      () => service.readiness(apiKey),
      ({ headers }) => headers.sunset !== undefined,
    );
    expect(answer.headers.sunset).toBe(rotateBy.toUTCString());
    expect(answer.body).toMatchObject({ warnings: [{ rotate_by: rotateBy.toISOString() }] });
  });
});

describe('explain', () => {
  it('shows the decisions about a transaction, a customer or a click', async () => {
    const made = await service.program();
    const program = ['--program', String(made.program.id)];
    const clickId = await service.customer(made, 'user_1');
    const sale = { transaction_id: newId('order'), customer_key: 'user_1', amount_cents: 1000 };
    await service.sale(sale, { key: made.apiKey });
    await service.refund({ transaction_id: sale.transaction_id, refund_amount_cents: 1 }, { key: made.apiKey });
    const { text } = await run('explain', ...program, '--transaction', sale.transaction_id);
    expect(text).toMatch(/sale recorded \(sale_attributed\)[\s\S]*refund recorded \(commission_partially_reversed\)/);
    const { data } = await run('explain', ...program, '--customer', 'user_1');
    expect(data.map(({ reason }: { reason: string }) => reason)).toEqual(
      expect.arrayContaining(['lead_recorded', 'sale_attributed']),
    );
    expect((await run('explain', ...program, '--click', clickId)).data).toEqual(data);
    expect((await run('explain', ...program, '--transaction', 'none')).text).toMatch(/^Nothing with this id/);
  });
});

describe('owed commissions', () => {
  it('list-owed and repair-owed say when nothing is owed', async () => {
    for (const name of ['list-owed', 'repair-owed']) {
      expect(await run(name)).toEqual({ data: [], text: 'No sale owes a commission.' });
    }
    const { saleId } = await sold(service, await service.program());
    expect((await run('repair-owed', '--sale', String(saleId))).data).toEqual([
      { sale_id: saleId, result: 'not_owing' },
    ]);
  });

  it('a sale that owes its commission is listed, repaired, and explained', async () => {
    const made = await service.program();
    const { saleId, transactionId } = await soldOwing(service, made);
    const listed = { id: saleId, transactionId, programId: made.program.id, amountCents: 10_000, currency: 'USD' };
    expect((await run('list-owed')).data).toMatchObject([listed]);
    const restore = await refuseCommissions(service);
    const failed = await run('repair-owed').finally(restore);
    expect(failed.data).toEqual([{ sale_id: saleId, result: expect.stringMatching(/^failed: /) }]);
    expect((await run('list-owed')).data).toHaveLength(1);
    expect(await run('repair-owed', '--sale', String(saleId))).toEqual({
      data: [{ sale_id: saleId, result: 'repaired' }],
      text: `sale ${saleId}: repaired`,
    });
    const program = ['--program', String(made.program.id)];
    const { text } = await run('explain', ...program, '--transaction', transactionId);
    expect(text).toMatch(/\(commission_failed\)[\s\S]*\(commission_repaired\)/);
  });
});

describe('assign-account', () => {
  it('assigns an account of the platform to a program, and keeps the program’s own secret', async () => {
    const { program } = await service.program();
    const account = newId('acct');
    const { data, text } = await run('assign-account', '--program', String(program.id), '--account', account);
    expect(data).toEqual({ program_id: program.id, account_id: account });
    expect(text).toContain(account);
    expect(await listProgramsOfAccount(service.ctx.db, account)).toEqual([program.id]);
  });

  it.each([
    ['999999', 'acct_1', 'There is no program 999999'],
    ['x', 'acct_1', '--program must be a whole number above 0'],
    ['1', '', '--account must be an account id, such as acct_123'],
  ])('refuses --program %s --account %s', async (program, account, message) => {
    const id = program === '1' ? String((await service.program()).program.id) : program;
    const reply = await runOperator(service, 'assign-account', '--program', id, '--account', account);
    expect(reply).toEqual({ ok: false, text: message });
  });
});

describe('text from tenants', () => {
  it('is printed on one line, without control characters that a terminal would interpret', async () => {
    const made = await service.program();
    const ESC = String.fromCharCode(27);
    const { saleId } = await soldOwing(service, made);
    await service.sql('update sales set processor_event_id = $2 where id = $1', [
      saleId,
      `order${ESC}[2J\nsale 1  program 1  paid`,
    ]);
    const { text } = await run('list-owed');
    expect(text).toContain('order\\u001b[2J\\u000asale 1  program 1  paid');
    expect(text).not.toContain(ESC);
  });
});

it('a backup that cannot be restored is refused in one sentence that says what is wrong and that nothing was changed', async () => {
  const path = join(tmpdir(), `${newId('none')}.backup`);
  expect(await runOperator(service, 'restore', '--from', path)).toEqual({
    ok: false,
    text: `There is no file ${path}. Nothing was changed.`,
  });
  for (const options of [[], ['--from', path, '--email', 'ann@people.test']]) {
    expect(await runOperator(service, 'restore', ...options)).toEqual({
      ok: false,
      text: 'Give --from <file> to load a backup, or --email <email> to restore a suspended account.',
    });
  }
});
