import { describe, expect, it } from 'vitest';
import { checkNacha } from './check-nacha.ts';
import { checkPayoutsCsv } from './check-payouts-csv.ts';
import { checkPaypal } from './check-paypal.ts';
import { checkWise } from './check-wise.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('a PayPal file', () => {
  const RIGHT = 'a@example.com,20.00,EUR,P1,"Thanks, Anna",PAYPAL,\r\nb@example.com,0.05,EUR,P2,,PAYPAL,\r\n';

  it('is read back', () => {
    expect(checkPaypal(bytes(RIGHT))).toEqual({
      problems: [],
      payouts: [
        { endToEndId: 'P1', amountCents: 2_000 },
        { endToEndId: 'P2', amountCents: 5 },
      ],
    });
  });

  it.each([
    ['a header', 'a@example.com,20.00,EUR,P1', 'email,20.00,EUR,P1', 'Row 1: "email" is not an email address.'],
    ['two currencies', '0.05,EUR', '0.05,USD', 'Row 2: is in USD, the rows before it are in EUR.'],
    ['one decimal', '20.00', '20.0', 'Row 1: "20.0" is not a positive amount in EUR with "." as decimal sign.'],
    [
      'the other decimal sign',
      '20.00',
      '"20,00"',
      'Row 1: "20,00" is not a positive amount in EUR with "." as decimal sign.',
    ],
    ['an amount of zero', '0.05', '0.00', 'Row 2: "0.00" is not a positive amount in EUR with "." as decimal sign.'],
    ['a repeated id', 'P2', 'P1', 'Row 2: the customer ID P1 was used before.'],
    ['an id with a space', 'P2', 'P 2', 'Row 2: the customer ID must have 1 to 30 characters and no spaces.'],
    ['a long id', 'P2', 'P'.repeat(31), 'Row 2: the customer ID must have 1 to 30 characters and no spaces.'],
    ['a long note', 'Thanks, Anna', 'x'.repeat(401), 'Row 1: the note has more than 400 characters.'],
    ['no wallet', 'P2,,PAYPAL', 'P2,,', 'Row 2: the wallet is "" instead of PAYPAL.'],
    ['a spreadsheet apostrophe', '"Thanks, Anna"', "'=1+1", 'Row 1: has the apostrophe that only spreadsheets need.'],
    ['a missing column', 'P2,,PAYPAL,', 'P2,,PAYPAL', 'Row 2: has 6 columns instead of 7.'],
    ['a byte order mark', 'a@', '\uFEFFa@', 'The file begins with a byte order mark.'],
  ])('with %s is refused', (_, from, to, problem) => {
    expect(checkPaypal(bytes(RIGHT.replace(from, to))).problems).toEqual([problem]);
  });

  it('has whole units in JPY, HUF and TWD, and the decimal sign of the payer', () => {
    const row = (amount: string, currency: string) => bytes(`a@example.com,${amount},${currency},P1,,PAYPAL,\r\n`);
    expect(checkPaypal(row('4900', 'JPY'))).toEqual({
      problems: [],
      payouts: [{ endToEndId: 'P1', amountCents: 4_900 }],
    });
    expect(checkPaypal(row('4900', 'HUF'))).toEqual({
      problems: [],
      payouts: [{ endToEndId: 'P1', amountCents: 490_000 }],
    });
    expect(checkPaypal(row('"5,45"', 'EUR'), ',').payouts).toEqual([{ endToEndId: 'P1', amountCents: 545 }]);
    expect(checkPaypal(row('4900.00', 'TWD')).problems).toHaveLength(1);
  });

  it('has at most 5,000 rows, and at least one', () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, index) => `a@example.com,1.00,EUR,P${index},,PAYPAL,\r\n`).join('');
    expect(checkPaypal(bytes(rows(5_000))).problems).toEqual([]);
    expect(checkPaypal(bytes(rows(5_001))).problems).toEqual(['The file has 5001 rows; PayPal takes 5,000.']);
    expect(checkPaypal(bytes('')).problems).toEqual(['The file has no rows.']);
  });
});

describe('a file for Wise', () => {
  const HEADER =
    'name,recipientEmail,paymentReference,receiverType,amountCurrency,amount,sourceCurrency,targetCurrency\r\n';
  const RIGHT = `${HEADER}Anna,a@example.com,P1,PRIVATE,target,20.00,EUR,EUR\r\nBob,b@example.com,P2,BUSINESS,target,0.05,EUR,EUR\r\n`;

  it('is read back', () => {
    expect(checkWise(bytes(RIGHT))).toEqual({
      problems: [],
      payouts: [
        { endToEndId: 'P1', amountCents: 2_000 },
        { endToEndId: 'P2', amountCents: 5 },
      ],
    });
  });

  it.each([
    ['another header', 'recipientEmail', 'email', `The header must be ${HEADER.trim()}.`],
    ['two currencies', '0.05,EUR,EUR', '0.05,USD,USD', 'Row 3: is in USD, the rows before it are in EUR.'],
    ['an exchange', '0.05,EUR,EUR', '0.05,USD,EUR', 'Row 3: pays EUR from USD.'],
    [
      'an amount of another kind',
      'PRIVATE,target',
      'PRIVATE,source',
      'Row 2: the amount must be what the receiver gets.',
    ],
    ['a repeated reference', 'P2', 'P1', 'Row 3: the reference P1 was used before.'],
    ['no name', 'Anna', '', 'Row 2: has no name.'],
    ['a leading zero', '20.00', '020.00', 'Row 2: "020.00" is not a positive amount in EUR.'],
    ['an unknown receiver', 'PRIVATE', 'PERSON', 'Row 2: "PERSON" is not a type of receiver.'],
  ])('with %s is refused', (_, from, to, problem) => {
    expect(checkWise(bytes(RIGHT.replace(from, to))).problems).toEqual([problem]);
  });

  it('has at most 1,000 rows', () => {
    const rows = Array.from({ length: 1_001 }, (_, index) => `A,a@example.com,P${index},PRIVATE,target,1,JPY,JPY\r\n`);
    expect(checkWise(bytes(HEADER + rows.slice(1).join(''))).problems).toEqual([]);
    expect(checkWise(bytes(HEADER + rows.join(''))).problems).toEqual(['The file has 1001 rows; Wise takes 1,000.']);
  });
});

describe('a NACHA file', () => {
  const LINES = [
    '101 12100024812345678902611172146A094101WELLS FARGO            ACME TOOLS             R12     ',
    '5220ACME TOOLS                          1234567890PPDCOMMISSION      261118   1121000240000001',
    '622021000021000123456789     0000012345P21            JUAN NUNEZ              0121000240000001',
    '632121000248000123456789     0000000055P22            JANE DOE                0121000240000002',
    '822000000200142000260000000000000000000124001234567890                         121000240000001',
    '9000001000001000000020014200026000000000000000000012400                                       ',
    ...Array.from({ length: 4 }, () => '9'.repeat(94)),
  ];
  const fileOf = (lines: string[]) => bytes(lines.map((line) => `${line}\r\n`).join(''));

  it('is read back', () => {
    expect(checkNacha(fileOf(LINES))).toEqual({
      problems: [],
      payouts: [
        { endToEndId: 'P21', amountCents: 12_345 },
        { endToEndId: 'P22', amountCents: 55 },
      ],
    });
  });

  it.each([
    [
      'a wrong routing number',
      2,
      '021000021',
      '021000022',
      ['Line 3: the routing number does not pass its check digit.'],
    ],
    [
      'another amount',
      2,
      '0000012345',
      '0000012346',
      [
        'Line 5: has the total 000000012400; the amounts add up to 12401.',
        'The end of the file: has the total 000000012400; the amounts add up to 12401.',
      ],
    ],
    [
      'a wrong hash',
      4,
      '0014200026',
      '0014200027',
      ['Line 5: has the hash 0014200027; the routing numbers give 0014200026.'],
    ],
    ['a debit', 2, '622', '627', ['Line 3: 27 is not a credit to an account.']],
    ['a repeated id', 3, 'P22', 'P21', ['Line 4: the ID P21 was used before.']],
    ['a repeated trace', 3, '0000002', '0000001', ['Line 4: the trace number is wrong.']],
    ['small letters', 2, 'JUAN', 'Juan', ['Line 3 has characters other than capitals and digits.']],
    ['letters outside of ASCII', 2, 'NUNEZ ', 'NUÑEZ', ['Line 3 has characters other than capitals and digits.']],
    ['wages', 1, 'COMMISSION', 'PAYROLL   ', ['Line 2: the description is missing or reserved.']],
    ['another kind of batch', 1, 'PPD', 'WEB', ['Line 2: "WEB" is neither PPD nor CCD.']],
    ['a day that does not exist', 1, '261118', '261131', ['Line 2: the effective date is not valid.']],
    [
      'a batch of another company',
      4,
      '1234567890 ',
      '1234567891 ',
      ['Line 5: the control of the batch does not belong to its header.'],
    ],
    ['a wrong number of blocks', 5, '9000001000001', '9000001000002', ['The number of blocks is wrong.']],
  ])('with %s is refused', (_, line, from, to, problems) => {
    const changed = LINES.map((text, index) => (index === line ? text.replace(from, to) : text));
    expect(changed[line]).not.toBe(LINES[line]);
    expect(checkNacha(fileOf(changed)).problems).toEqual(problems);
  });

  it('with lines that are too short, or blocks that are not full, is refused', () => {
    const short = LINES.map((line, index) => (index === 2 ? line.slice(0, -1) : line));
    expect(checkNacha(fileOf(short)).problems[0]).toBe('Line 3 has 93 characters instead of 94.');
    expect(checkNacha(fileOf(LINES.slice(0, -1))).problems).toEqual([
      'The file has 9 lines, which are not whole blocks of ten.',
      'The number of blocks is wrong.',
    ]);
    expect(checkNacha(bytes('')).problems.length).toBeGreaterThan(0);
  });
});

it('a CSV file for people is read back, and refused with a formula or two different amounts', () => {
  const file = (row: string) => bytes(`\uFEFFpayment_id,amount,amount_cents,currency,note\r\n${row}\r\n`);
  expect(checkPayoutsCsv(file("P1,1.234,1234,KWD,'=1"))).toEqual({
    problems: [],
    payouts: [{ endToEndId: 'P1', amountCents: 1_234 }],
  });
  expect(checkPayoutsCsv(file('P1,12.34,1234,USD,=1')).problems).toEqual([
    'Row 2: has a cell that a spreadsheet would run.',
  ]);
  expect(checkPayoutsCsv(file('P1,12.34,1235,USD,a')).problems).toEqual([
    'Row 2: the amount 12.34 USD is not 1235 in its smallest unit.',
  ]);
});
