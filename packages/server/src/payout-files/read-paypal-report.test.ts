import { describe, expect, it } from 'vitest';
import { readPaypalReport } from './read-paypal-report.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const UNREGISTERED =
  'PayPal says that nobody has an account with this email address. Sign up at PayPal with it, or correct the address.';

it('reads a report by the titles of its columns', () => {
  const report =
    '\uFEFF"Payout Batch ID","Transaction ID","Recipient","Amount","Currency","Unique ID","Status","Reason Code","Reason"\r\n' +
    '"5UXD2E8A7EBQJ","8AB",a@example.com,"20,00",EUR,P1,Completed,,\r\n' +
    '"5UXD2E8A7EBQJ","8AC",b@example.com,"1.020,00",EUR,P2,UNCLAIMED,14765,"No account, yet"\r\n' +
    '"5UXD2E8A7EBQJ","8AD",c@example.com,"5,00",EUR,P3,Denied,XYZ,Not today\r\n' +
    ',,,,,,,,\r\n' +
    'Total,,,"1.045,00",EUR,,,,\r\n';
  expect(readPaypalReport(bytes(report))).toEqual({
    reportId: '5UXD2E8A7EBQJ',
    rows: [
      { endToEndId: 'P1', status: 'paid', code: null, reason: null },
      { endToEndId: 'P2', status: 'accepted', code: '14765', reason: UNREGISTERED },
      { endToEndId: 'P3', status: 'failed', code: 'XYZ', reason: 'Not today' },
    ],
    problems: [],
  });
});

it.each([
  ['Completed', 'paid'],
  ['SUCCESS', 'paid'],
  ['Unclaimed', 'accepted'],
  ['Pending', 'accepted'],
  ['On hold', 'accepted'],
  ['ONHOLD', 'accepted'],
  ['Returned', 'returned'],
  ['Refunded', 'returned'],
  ['Reversed', 'returned'],
  ['Failed', 'failed'],
  ['Denied', 'failed'],
  ['Blocked', 'failed'],
  ['Canceled', 'failed'],
])('%s means %s', (said, status) => {
  const { rows } = readPaypalReport(bytes(`Customer ID,Status\nP1,${said}\n`));
  expect(rows).toEqual([{ endToEndId: 'P1', status, code: null, reason: null }]);
});

it.each([
  [
    'a batch log with tabs, after a summary',
    'Mass Payment\t12\n\nRecipient\tSender item ID\tTransaction status\na@b.c\tP1\tSUCCESS',
  ],
  ['semicolons', 'sender_item_id;transaction_status\nP1;SUCCESS\n'],
  ['old line ends', 'Customer ID,Status\rP1,Completed\r'],
])('reads %s', (_, report) => {
  expect(readPaypalReport(bytes(report))).toEqual({
    reportId: null,
    rows: [{ endToEndId: 'P1', status: 'paid', code: null, reason: null }],
    problems: [],
  });
});

describe('what it does not know', () => {
  it('is left out and named', () => {
    const report = 'Customer ID,Status\nP1,Teleported\n,Completed\nP2,Completed\nP2,Failed\nP3,constructor\n';
    expect(readPaypalReport(bytes(report))).toEqual({
      reportId: null,
      rows: [],
      problems: [
        'The status "Teleported" of P1 is not known, so it was left out.',
        'Row 3 has a status but no customer ID, so it was left out.',
        'The status "constructor" of P3 is not known, so it was left out.',
        'The report contradicts itself about P2, so it was left out.',
      ],
    });
  });

  it('is a problem of the whole file without its columns', () => {
    const problem = 'The file is not a PayPal report: it has no columns for the customer ID and the status.';
    for (const text of ['', 'a,b,c\n1,2,3\n', 'Status\nCompleted\n', '<Document/>']) {
      expect(readPaypalReport(bytes(text))).toEqual({ reportId: null, rows: [], problems: [problem] });
    }
  });
});

it('a payment that came back later in the report is returned, in any order', () => {
  const rows = ['P1,Completed', 'P1,Returned', 'P1,Pending'];
  for (const order of [rows, rows.toReversed(), [rows[1], rows[0], rows[2]]]) {
    const report = readPaypalReport(bytes(`Customer ID,Status\n${order.join('\n')}\n`));
    expect(report.rows.map(({ status }) => status)).toEqual(['returned']);
    expect(report.problems).toEqual([]);
  }
});

it.each([
  ['rows', `Customer ID,Status\n${'\n'.repeat(50_000)}`],
  ['rows with old line ends', '\r'.repeat(50_001)],
  ['cells', ','.repeat(2_000_001)],
])('refuses more %s than a report of the largest run has, without reading them', (_, text) => {
  expect(readPaypalReport(bytes(text))).toEqual({
    reportId: null,
    rows: [],
    problems: ['The file has more than 50,000 rows or 2,000,000 cells, which no report of a run has.'],
  });
});
