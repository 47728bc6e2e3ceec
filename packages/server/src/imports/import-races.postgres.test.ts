import { ownedProgram } from '@svc/testkit/service/accounts.ts';
import { importedCounts, importedRow, sendRows, undoImport } from '@svc/testkit/service/imports.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';

const service = useService();

const rows = () =>
  Array.from({ length: 30 }, () =>
    importedRow({
      coupons: [newId('SAVE')],
      customers: [{ external_id: newId('user'), processor_customer_id: newId('cus') }],
      balances: [{ currency: 'USD', approved_cents: 5 }],
    }),
  );

it('the same rows that are sent at the same time, from two sources, are imported and paid once', async () => {
  const made = await ownedProgram(service);
  const before = await importedCounts(service, made);
  const sent = rows();
  const answers = await Promise.all(
    ['rewardful', 'tolt', 'rewardful', 'tolt'].map((source) =>
      sendRows(service, made, source === 'tolt' ? sent.toReversed() : sent, { source, pay_approved: true }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const after = await importedCounts(service, made);
  for (const table of ['memberships', 'links', 'coupons', 'customers', 'commissions']) {
    expect([table, (after[table] ?? 0) - (before[table] ?? 0)]).toEqual([table, 30]);
  }
});

it('undoing twice at the same time, while rows are sent, leaves no half of a row', async () => {
  const made = await ownedProgram(service);
  const before = await importedCounts(service, made);
  const sent = rows();
  const { body } = await sendRows(service, made, sent);
  const importId = body.data.import.id;
  const answers = await Promise.all([
    undoImport(service, made, importId),
    undoImport(service, made, importId),
    sendRows(service, made, sent.slice(0, 5)),
  ]);
  expect(answers.slice(0, 2).map(({ body: { data } }) => data.status)).toEqual(['undone', 'undone']);
  expect([200, 409]).toContain(answers[2]?.status);
  const next = await sendRows(service, made, sent.slice(0, 1));
  await undoImport(service, made, next.body.data.import.id);
  expect(await importedCounts(service, made)).toEqual(before);
});
