import { hasPdfText, pdfText } from '@svc/testkit';
import {
  manage,
  memberOf,
  newOwner,
  type OwnedProgram,
  ownedProgram,
  partnerAccount,
} from '@svc/testkit/service/accounts.ts';
import { approvedSale, asOwner, paidOut } from '@svc/testkit/service/payments/paid.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { newId, type Sold, sold } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const isReadable = hasPdfText();
if (!isReadable) console.warn('Skipped: pdftotext is not on the PATH (Debian: poppler-utils).');
const readable = describe.skipIf(!isReadable);
const left = isReadable ? '' : ' (skipped: no pdftotext on the PATH)';

const pathOf = (made: OwnedProgram, payoutId: number) => manage(made, `/payouts/${payoutId}/statement.pdf`);

async function statementOf(made: OwnedProgram, payoutId: number, key = made.owner.token): Promise<Buffer> {
  const answer = await service.service.http.inject({
    method: 'GET',
    url: pathOf(made, payoutId),
    headers: { authorization: `Bearer ${key}` },
  });
  expect(answer.statusCode).toBe(200);
  return answer.rawPayload;
}

/** The text of the statement, each run of spaces as one. */
async function textOf(made: OwnedProgram, payoutId: number, key?: string): Promise<string> {
  return pdfText(await statementOf(made, payoutId, key)).replace(/[ \t]+/g, ' ');
}

const refund = (made: OwnedProgram, { transactionId }: Sold, cents: number) =>
  service.refund({ transaction_id: transactionId, refund_amount_cents: cents }, { key: made.apiKey });

async function onlyPayout(made: OwnedProgram): Promise<number> {
  const payouts = await paidOut(service, made);
  expect(payouts.length).toBe(1);
  return payouts[0]!.id;
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10);

it('answers with a PDF to be saved, which is the same bytes every time', async () => {
  const made = await ownedProgram(service);
  await approvedSale(service, made);
  const id = await onlyPayout(made);
  const [one, other] = [await statementOf(made, id), await statementOf(made, id)];
  expect(one.subarray(0, 5).toString()).toBe('%PDF-');
  expect(one.equals(other)).toBe(true);
  service.advance({ days: 40 });
  expect(one.equals(await statementOf(made, id))).toBe(true);
  const { headers } = await service.call('GET', pathOf(made, id), { key: made.owner.token });
  expect(headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="${made.program.slug}-payout-${id}.pdf"`,
    'cache-control': 'no-store',
  });
});

it('is for everyone in the workspace and for the partner who is paid; for all others there is none', async () => {
  const made = await ownedProgram(service);
  await approvedSale(service, made);
  const id = await onlyPayout(made);
  const viewer = await memberOf(service, made.workspaceId, 'viewer');
  const partner = await partnerAccount(service, made.partnerId);
  for (const { token } of [viewer, partner]) expect((await statementOf(made, id, token)).length).toBeGreaterThan(1_000);

  const colleague = await partnerAccount(service, (await service.partner(made.program)).partnerId);
  const elsewhere = await ownedProgram(service);
  const stranger = await partnerAccount(service, elsewhere.partnerId);
  const notFound = { status: 404, body: platformError(404, 'NotFoundError', 'Not Found') };
  for (const { token } of [colleague, stranger, elsewhere.owner, await newOwner(service)]) {
    expect(await service.call('GET', pathOf(made, id), { key: token })).toMatchObject(notFound);
  }
  expect(await service.call('GET', pathOf(elsewhere, id), { key: elsewhere.owner.token })).toMatchObject(notFound);
  expect(await service.call('GET', pathOf(made, 2 ** 40), { key: made.owner.token })).toMatchObject(notFound);
});

it('fails before its first byte if the lines do not add up to the payout', async () => {
  const made = await ownedProgram(service);
  await approvedSale(service, made);
  const id = await onlyPayout(made);
  await service.sql('update payouts set amount_cents = amount_cents + 1 where id = $1', [id]);
  expect((await service.call('GET', pathOf(made, id), { key: made.owner.token })).status).toBe(500);
});

readable(`what a statement says${left}`, () => {
  it('names who pays whom, and explains each line with its sale, base, rule and version', async () => {
    const made = await ownedProgram(service, { commissionBase: 'net' });
    const sale = await approvedSale(service, made, { amount_cents: 11_900, tax_cents: 1_900 });
    const [{ key }] = (await service.sql(
      'select c.customer_key as key from customers c join sales s on s.customer_id = c.id where s.id = $1',
      [sale.saleId],
    )) as [{ key: string }];
    const body = {
      partner_id: made.partnerId,
      amount_cents: 1_234,
      currency: 'USD',
      reason: 'Best of May',
      kind: 'bonus',
    };
    expect((await asOwner(service, made, 'POST', '/adjustments', body)).status).toBe(201);
    const taken = { ...body, kind: 'adjustment', amount_cents: -34, reason: 'Typo in March' };
    expect((await asOwner(service, made, 'POST', '/adjustments', taken)).status).toBe(201);
    const id = await onlyPayout(made);
    await asOwner(service, made, 'POST', `/payouts/${id}/mark-paid`, { reference: 'SEPA-2026-03' });
    const text = await textOf(made, id);
    const day = dayOf(service.time);
    for (const said of [
      `Statement of payout ${id}`,
      'Program Acme',
      'Brand Acme',
      'Partner Jane',
      `Email ${made.link}@partner.test`,
      'Status Paid',
      `Paid ${day}`,
      'Reference SEPA-2026-03',
      'Currency USD',
      'Commissions on sales (1 line) 20.00 USD',
      'Bonuses (1 line) 12.34 USD',
      'Adjustments (1 line) -0.34 USD',
      'Total 32.00 USD',
      `Sale ${sale.transactionId} 20.00 USD`,
      `Customer ${key}, sold for 119.00 USD on ${day}, base 100.00 USD`,
      'Rule 1 of version 1: 20% of each sale, not of renewals',
      'Bonus: Best of May 12.34 USD',
      'Adjustment: Typo in March -0.34 USD',
      'Total of 3 lines 32.00 USD',
    ]) {
      expect(text).toContain(said);
    }
    expect(text).not.toContain('[U+');
  });

  it('deducts refunds from before the payout, and carries over those from after it with their sale and day', async () => {
    const made = await ownedProgram(service);
    const [one, two] = [await approvedSale(service, made), await approvedSale(service, made)];
    await refund(made, one, 2_500);
    const refundedOn = dayOf(service.time);
    const first = await onlyPayout(made);
    await asOwner(service, made, 'POST', `/payouts/${first}/mark-paid`, {});
    const before = await statementOf(made, first);

    service.advance({ days: 3 });
    await refund(made, two, 10_000);
    const carriedOn = dayOf(service.time);
    const three = await approvedSale(service, made, { amount_cents: 30_000 });
    service.advance({ days: 2 });
    const second = await onlyPayout(made);
    await refund(made, three, 30_000);

    expect(before.equals(await statementOf(made, first))).toBe(true);
    const paid = await textOf(made, first);
    expect(paid).toContain(`Sale ${one.transactionId} 15.00 USD`);
    expect(paid).toContain(`Commission 20.00 USD, less 5.00 USD for refunds until ${refundedOn}`);
    expect(paid).toContain('Total of 2 lines 35.00 USD');
    const carried = await textOf(made, second);
    expect(carried).toContain('Commissions on sales (1 line) 60.00 USD');
    expect(carried).toContain('Refunds of sales in earlier payouts (1 line) -20.00 USD');
    expect(carried).toContain(`Refund: Sale ${two.transactionId} -20.00 USD`);
    expect(carried.replace(/\s+/g, ' ')).toContain(
      `Commission 20.00 USD, less 20.00 USD for refunds until ${carriedOn}, less 20.00 USD in earlier payouts`,
    );
    expect(carried).toContain('Total of 2 lines 40.00 USD');
    expect(carried).toContain('This payout has not been paid yet.');
  });

  it('says of a payout that failed why, and pays the same line in full with the next one', async () => {
    const made = await ownedProgram(service);
    const { transactionId } = await approvedSale(service, made);
    const failed = await onlyPayout(made);
    const reason = 'The account is closed';
    await asOwner(service, made, 'POST', `/payouts/${failed}/mark-failed`, { reason });
    service.advance({ seconds: 1 });
    const again = await onlyPayout(made);
    const text = await textOf(made, failed);
    expect(text).toContain(`Reason ${reason}`);
    expect(text).toContain('This payout failed. What it covers is due again');
    const next = await textOf(made, again);
    expect(next).toContain(`Sale ${transactionId} 20.00 USD`);
    expect(next).not.toContain('earlier payouts');
  });

  it.each([
    ['JPY', 123_456, 'sold for 123,456 JPY', 'Total of 1 line 24,691 JPY'],
    ['KWD', 1_234_567, 'sold for 1,234.567 KWD', 'Total of 1 line 246.913 KWD'],
  ])('writes amounts in %s with its decimals', async (currency, amountCents, sale, total) => {
    const made = await ownedProgram(service);
    await approvedSale(service, made, { currency, amount_cents: amountCents });
    const text = await textOf(made, await onlyPayout(made));
    expect(text).toContain(sale);
    expect(text).toContain(total);
  });

  it('shows partners masked customer keys, and the brand the whole', async () => {
    const made = await ownedProgram(service);
    const email = `${newId('person')}@shop.test`;
    await service.customer(made, email);
    service.advance({ seconds: 1 });
    const sale = await service.sale(
      { transaction_id: newId('order'), customer_key: email, amount_cents: 10_000 },
      { key: made.apiKey },
    );
    await asOwner(service, made, 'POST', `/commissions/${sale.body.data.commission_id}/approve`);
    const id = await onlyPayout(made);
    const partner = await partnerAccount(service, made.partnerId);
    const shown = await textOf(made, id, partner.token);
    expect(await textOf(made, id)).toContain(`Customer ${email},`);
    expect(shown).not.toContain(email);
    expect(shown).toContain('Customer p');
    expect(shown).toContain('20.00 USD');
  });

  it('keeps hostile names to one line each, and says which characters it cannot show', async () => {
    const made = await ownedProgram(service);
    await sold(service, made);
    await approvedSale(service, made);
    const id = await onlyPayout(made);
    const name = async (partner: string) => {
      await service.sql('update partners set name = $2 where id = $1', [made.partnerId, partner]);
      return textOf(made, id);
    };
    expect(await name('Zoë Ĳsbrand, Ἀθηνᾶ Παπαδοπούλου, Юлія Їжакевич')).toContain(
      'Partner Zoë Ĳsbrand, Ἀθηνᾶ Παπαδοπούλου, Юлія Їжакевич\n',
    );
    expect(await name('Eve\nTotal 9,999.00 USD\r\n\u2028Reference X')).toContain(
      'Partner Eve Total 9,999.00 USD Reference X\n',
    );
    expect(await name('abc\u202egpj.\u2066exe\u2069')).toContain('Partner abcgpj.exe\n');
    const replaced = await name('张 Ali علي 🦀');
    expect(replaced).toContain('Partner [U+5F20] Ali [U+0639][U+0644][U+064A] [U+1F980]');
    expect(replaced).toContain('This document cannot show some characters of the texts in it.');
    const long = await name('N'.repeat(10_000));
    expect(long.match(/N+/g)?.join('').length).toBeLessThan(700);
    expect(long).toContain('Total of 1 line 20.00 USD');
  });
});
