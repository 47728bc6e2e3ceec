import type { Readable } from 'node:stream';
import { hasPdfText, pdfText } from '@svc/testkit';
import { manage, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { approvedSale, paidOut } from '@svc/testkit/service/payments/paid.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';

const service = useService();

// The long form has as many lines as the largest payouts.
const LINES = process.env.SVC_TEST_LONG ? 20_000 : 2_000;

/** A payout of so many sales, whose commissions are 1, 2, 3, … cents. */
async function largePayout(made: OwnedProgram): Promise<number> {
  const { saleId } = await approvedSale(service, made);
  const columns =
    'program_id, customer_id, partner_id, link_id, currency, sale_type, is_recurring, commission_type, commission_rate';
  await service.sql(
    `insert into sales (processor_event_id, amount_cents, commission_state, created_at, terms_version, rule, ${columns})
     select 'order_' || $3::text || '_' || n, 5 * n, 'created', created_at + n * interval '1 second', terms_version, rule, ${columns}
     from sales, generate_series(1, $2::int) n where id = $1`,
    [saleId, LINES, String(made.program.id)],
  );
  await service.sql(
    `insert into commissions (sale_id, program_id, partner_id, commission_type, commission_rate, commission_cents, currency, stage,
       approve_after, created_at, kind, terms_version, rule)
     select id, program_id, partner_id, commission_type, commission_rate, amount_cents / 5, currency, 'approved', created_at, created_at,
       'sale', terms_version, rule
     from sales where program_id = $1 and id <> $2`,
    [made.program.id, saleId],
  );
  const [payout] = await paidOut(service, made);
  expect(payout?.amount_cents).toBe((LINES * (LINES + 1)) / 2 + 2_000);
  return payout!.id;
}

it(`writes ${LINES} lines page by page, lets others have their turn after each, and ends with its reader`, async () => {
  const made = await ownedProgram(service);
  const id = await largePayout(made);
  const open = async (): Promise<Readable> => {
    const answer = await service.service.http.inject({
      method: 'GET',
      url: manage(made, `/payouts/${id}/statement.pdf`),
      headers: { authorization: `Bearer ${made.owner.token}` },
      payloadAsStream: true,
    });
    expect(answer.statusCode).toBe(200);
    return answer.stream();
  };

  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const chunks: Buffer[] = [];
  for await (const chunk of await open()) chunks.push(chunk);
  isDone = true;
  const pdf = Buffer.concat(chunks);
  const pages = pdf.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length ?? 0;
  expect(pages).toBeGreaterThan(LINES / 20);
  expect(turns).toBeGreaterThanOrEqual(pages);

  const canceled = await open();
  for await (const _chunk of canceled) break;
  expect(canceled.destroyed).toBe(true);

  if (!hasPdfText()) return console.warn('Not read back: pdftotext is not on the PATH (Debian: poppler-utils).');
  const text = pdfText(pdf);
  const amounts = [...text.matchAll(/Sale order_\d+_(\d+) +([\d,.]+) USD/g)];
  expect(amounts.length).toBe(LINES);
  expect(amounts.every(([, number, amount]) => number === String(Number(amount?.replaceAll(/[,.]/g, ''))))).toBe(true);
  const total = LINES === 20_000 ? '2,000,120.00' : '20,030.00';
  expect(text.replaceAll(/ +/g, ' ')).toContain(`Total of ${LINES + 1} lines ${total} USD`);
});
