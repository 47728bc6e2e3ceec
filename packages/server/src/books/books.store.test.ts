import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { approvedSale, asOwner, paidOut } from '@svc/testkit/service/payments/paid.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { updateAlerts } from '../alerts/update-alerts.ts';
import { approveCommissions } from '../jobs/approve-commissions.ts';
import { proveBooks as job } from '../jobs/prove-books.ts';
import { proveBooks } from './prove-books.ts';

const service = useService();

const booksOf = async (made: OwnedProgram, query = '') =>
  (await asOwner(service, made, 'GET', `/books${query}`)).body.data;
const balancesOf = async (made: OwnedProgram, query = ''): Promise<Record<string, number>> => {
  const { accounts } = await booksOf(made, query);
  return Object.fromEntries(
    accounts.map(({ account, currency, balance_cents }: Record<string, unknown>) => [
      `${account} ${currency}`,
      balance_cents,
    ]),
  );
};
const agree = async (made: OwnedProgram) => expect(await proveBooks(service.ctx, made.program.id)).toEqual([]);

describe('the books of a program', () => {
  it('follow a commission from its hold to the partner’s account and back', async () => {
    const made = await ownedProgram(service);
    expect(await balancesOf(made)).toEqual({});
    const sale = await sold(service, made);
    expect(await balancesOf(made)).toEqual({ 'Expenses:Commissions USD': 2_000, 'Liabilities:Pending USD': -2_000 });
    await asOwner(service, made, 'POST', `/commissions/${sale.commissionId}/approve`);
    expect(await balancesOf(made)).toEqual({ 'Expenses:Commissions USD': 2_000, 'Liabilities:Payable USD': -2_000 });
    const [payout] = await paidOut(service, made);
    expect(await balancesOf(made)).toEqual({ 'Expenses:Commissions USD': 2_000, 'Liabilities:InPayouts USD': -2_000 });
    await asOwner(service, made, 'POST', `/payouts/${payout?.id}/mark-paid`, { reference: 'SEPA 1' });
    expect(await balancesOf(made)).toEqual({ 'Expenses:Commissions USD': 2_000, 'Assets:Payouts USD': -2_000 });
    await service.refund({ transaction_id: sale.transactionId, refund_amount_cents: 2_500 }, { key: made.apiKey });
    // The partner owes a quarter of what was paid.
    expect(await balancesOf(made)).toEqual({
      'Expenses:Commissions USD': 1_500,
      'Liabilities:Payable USD': 500,
      'Assets:Payouts USD': -2_000,
    });
    await asOwner(service, made, 'POST', `/payouts/${payout?.id}/mark-failed`, { reason: 'The account is closed.' });
    expect(await balancesOf(made)).toEqual({ 'Expenses:Commissions USD': 1_500, 'Liabilities:Payable USD': -1_500 });
    await agree(made);
  });

  it('keep currencies and partners apart, and have bonuses, adjustments, rejections and cancelled payouts', async () => {
    const made = await ownedProgram(service);
    const other = { ...made, ...(await service.partner(made.program)) };
    await approvedSale(service, made);
    const rejected = await sold(service, other, { currency: 'JPY' });
    const adjust = (cents: number) =>
      asOwner(service, made, 'POST', '/adjustments', {
        partner_id: other.partnerId,
        amount_cents: cents,
        currency: 'JPY',
        reason: 'As agreed',
      });
    expect([(await adjust(300)).status, (await adjust(-100)).status]).toEqual([201, 201]);
    const jpy = {
      'Expenses:Commissions JPY': 2_200,
      'Liabilities:Pending JPY': -2_000,
      'Liabilities:Payable JPY': -200,
    };
    expect(await balancesOf(made, `?partner_id=${other.partnerId}`)).toEqual(jpy);
    expect(await balancesOf(made)).toEqual({
      'Expenses:Commissions USD': 2_000,
      'Liabilities:Payable USD': -2_000,
      ...jpy,
    });
    await asOwner(service, made, 'POST', `/commissions/${rejected.commissionId}/reject`, { reason: 'Not a customer' });
    expect(await balancesOf(made, `?partner_id=${other.partnerId}`)).toEqual({
      'Expenses:Commissions JPY': 200,
      'Liabilities:Payable JPY': -200,
    });
    await asOwner(service, made, 'POST', `/commissions/${rejected.commissionId}/restore`);
    for (const payout of await paidOut(service, made)) {
      await asOwner(service, made, 'POST', `/payouts/${payout.id}/cancel`);
    }
    expect(await balancesOf(made, `?partner_id=${other.partnerId}`)).toEqual(jpy);
    service.advance({ days: 31 });
    await approveCommissions.run(service.ctx);
    expect(await balancesOf(made, `?partner_id=${other.partnerId}`)).toEqual({
      'Expenses:Commissions JPY': 2_200,
      'Liabilities:Payable JPY': -2_200,
    });
    await agree(made);
  });

  it('are written with what they are about, or not at all', async () => {
    const made = await ownedProgram(service);
    await approvedSale(service, made);
    const rows = await service.sql<{ kind: string }>(
      'select kind from book_entries where program_id = $1 order by id',
      [made.program.id],
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['commission_created', 'commission_reviewed']);
    for (const sql of ['update book_entries set at = at', 'delete from book_entries']) {
      await expect(service.sql(sql)).rejects.toThrow('Entries of the books are never changed or deleted');
    }
    await expect(
      service.sql(
        `insert into book_entries (program_id, currency, kind, at, expense_cents, paid_cents)
         values ($1, 'USD', 'payout_paid', now(), 1, 2)`,
        [made.program.id],
      ),
    ).rejects.toThrow('entries_sum_to_zero');
  });

  it('keep the member they are about, even if nothing else is left of what was entered', async () => {
    const made = await ownedProgram(service);
    const member = [made.program.id, made.partnerId];
    await service.sql(
      `insert into book_entries (program_id, partner_id, currency, kind, at, expense_cents, pending_cents)
       values ($1, $2, 'USD', 'commission_revoked', now(), 0, 0)`,
      member,
    );
    const stays = 'A member with entries in the books stays one';
    await expect(
      service.sql('delete from memberships where program_id = $1 and partner_id = $2', member),
    ).rejects.toThrow(stays);
    const other = await ownedProgram(service);
    await expect(
      service.sql('update memberships set partner_id = $3 where program_id = $1 and partner_id = $2', [
        ...member,
        other.partnerId,
      ]),
    ).rejects.toThrow(stays);
    await service.sql('delete from memberships where program_id = $1', [other.program.id]);
  });
});

describe('the daily proof', () => {
  it('names who does not agree and by how much, opens an alert, and closes it when that is over', async () => {
    const made = await ownedProgram(service);
    const { commissionId } = await approvedSale(service, made);
    await service.sql('update commissions set commission_cents = commission_cents + 1 where id = $1', [commissionId]);
    await job.run(service.ctx);
    const different = { partner_id: made.partnerId, currency: 'USD', payable_cents: 1 };
    expect(await booksOf(made)).toMatchObject({
      last_proof: { at: service.time.toISOString(), agrees: false, differences: [different] },
    });
    const alerts = async () => (await asOwner(service, made, 'GET', '/alerts')).body.data;
    await updateAlerts(service.ctx, (provider) => provider);
    expect(await alerts()).toMatchObject([{ kind: 'books_differ', closed_at: null }]);
    await service.sql('update commissions set commission_cents = commission_cents - 1 where id = $1', [commissionId]);
    // Once a day is enough.
    await job.run(service.ctx);
    expect((await booksOf(made)).last_proof.agrees).toBe(false);
    service.advance({ days: 1 });
    await job.run(service.ctx);
    await updateAlerts(service.ctx, (provider) => provider);
    expect(await booksOf(made)).toMatchObject({ last_proof: { agrees: true, differences: [] } });
    expect(await alerts()).toMatchObject([{ kind: 'books_differ', closed_at: service.time.toISOString() }]);
  });

  it('enters what came before the books once, a day after the upgrade', async () => {
    const made = await ownedProgram(service);
    await approvedSale(service, made);
    await sold(service, made);
    // As the migration leaves a program that has commissions, but no entries.
    await service.sql('alter table book_entries disable trigger books_are_append_only');
    await service.sql('delete from book_entries where program_id = $1', [made.program.id]);
    await service.sql('alter table book_entries enable trigger books_are_append_only');
    const opensAt = new Date(service.time.getTime() + 86_400_000);
    await service.sql('delete from books where program_id = $1', [made.program.id]);
    await service.sql('insert into books (program_id, opens_at) values ($1, $2)', [made.program.id, opensAt]);
    await job.run(service.ctx);
    expect(await booksOf(made)).toEqual({ opened_at: null, accounts: [], last_proof: null });
    service.time = opensAt;
    await job.run(service.ctx);
    expect(await booksOf(made)).toMatchObject({ opened_at: opensAt.toISOString(), last_proof: { agrees: true } });
    expect(await balancesOf(made)).toEqual({
      'Expenses:Commissions USD': 4_000,
      'Liabilities:Pending USD': -2_000,
      'Liabilities:Payable USD': -2_000,
    });
    await agree(made);
  });
});

describe('the exported books', () => {
  const export_ = async (made: OwnedProgram, file: string) => {
    const answer = await asOwner(service, made, 'GET', `/export/${file}`);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    return answer.text;
  };

  async function busy(): Promise<OwnedProgram> {
    const made = await ownedProgram(service);
    const other = { ...made, ...(await service.partner(made.program)) };
    for (const currency of ['USD', 'JPY', 'KWD']) await approvedSale(service, made, { currency });
    const refunded = await approvedSale(service, other);
    const [payout] = await paidOut(service, made, { currency: 'USD', partner_id: made.partnerId });
    await asOwner(service, made, 'POST', `/payouts/${payout?.id}/mark-paid`);
    service.advance({ days: 2 });
    await service.refund({ transaction_id: refunded.transactionId, refund_amount_cents: 3_333 }, { key: made.apiKey });
    return made;
  }

  it('say what happened, in the decimals of each currency', async () => {
    const made = await ownedProgram(service);
    const { commissionId } = await sold(service, made, { currency: 'KWD' });
    const day = service.time.toISOString().slice(0, 10);
    const next = new Date(service.time.getTime() + 86_400_000).toISOString().slice(0, 10);
    const pending = `Liabilities:Pending:P-${made.partnerId}`;
    const [{ id } = { id: 0 }] = await service.sql<{ id: number }>(
      'select id from book_entries where program_id = $1',
      [made.program.id],
    );
    const opened = made.program.createdAt.toISOString().slice(0, 10);
    expect(await export_(made, 'books.beancount')).toBe(`option "title" "Affiliate commissions"

${opened} open Expenses:Commissions

${opened} open ${pending}

${day} * "Commission earned" ^commission-${commissionId}
  entry: ${id}
  Expenses:Commissions  2.000 KWD
  ${pending}  -2.000 KWD

${next} balance Expenses:Commissions  2.000 KWD
${next} balance ${pending}  -2.000 KWD
`);
    expect(await export_(made, 'books.journal')).toBe(`; Affiliate commissions

commodity 1000.000 KWD
account Expenses:Commissions
account ${pending}

${day} * Commission earned  ; entry: ${id}, about: commission-${commissionId}
    Expenses:Commissions  2.000 KWD
    ${pending}  -2.000 KWD

${day} * Balances
    Expenses:Commissions  0.000 KWD = 2.000 KWD
    ${pending}  0.000 KWD = -2.000 KWD
`);
  });

  // Real checkers of other projects. They find one cent.
  const CHECKERS = [
    ['books.beancount', 'bean-check', [], 'beancount'],
    ['books.journal', 'hledger', ['check', '--strict', '-f'], 'hledger'],
  ] as const;

  for (const [file, command, args, debian] of CHECKERS) {
    const isInstalled = !spawnSync(command, ['--version'], { stdio: 'ignore' }).error;
    if (!isInstalled) console.warn(`Skipped: ${command} is not on the PATH (Debian: ${debian}).`);
    const name = `pass ${command}, which finds one cent${isInstalled ? '' : ` (skipped: no ${command} on the PATH)`}`;
    it.skipIf(!isInstalled)(name, async () => {
      const text = await export_(await busy(), file);
      const folder = await mkdtemp(join(tmpdir(), 'svc-books-'));
      const check = async (content: string) => {
        const path = join(folder, file);
        await writeFile(path, content);
        const { status, stdout, stderr } = spawnSync(command, [...args, path], { encoding: 'utf8' });
        return { status, said: stdout + stderr };
      };
      expect(await check(text)).toEqual({ status: 0, said: '' });
      const wrong = text.replace('  Expenses:Commissions  20.00 USD', '  Expenses:Commissions  20.01 USD');
      expect(wrong).not.toBe(text);
      expect((await check(wrong)).status).not.toBe(0);
      await rm(folder, { recursive: true });
    });
  }
});
