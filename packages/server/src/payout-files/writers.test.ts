import { describe, expect, it } from 'vitest';
import { makeFiles } from './make-files.ts';
import type { Destination, FileRun, Payer, PayoutItem } from './payout-item.ts';

// What each file looks like, written out from the descriptions of PayPal, Wise, the European Payments Council and Nacha.

const run: FileRun = { runNumber: 12, programName: 'Acme Tools', at: new Date('2026-11-17T21:46:28.500Z') };
const payer: Payer = {
  name: 'Müller & Söhne GmbH',
  iban: 'DE89 3704 0044 0532 0130 00',
  ach: {
    company_id: '1234567890',
    company_name: 'Acme Tools',
    odfi_routing: '121000248',
    destination_name: 'Wells Fargo',
  },
};

const item = (payoutId: number, destination: Destination, rest: Partial<PayoutItem> = {}): PayoutItem => ({
  endToEndId: `P${payoutId}`,
  amountCents: 12_345,
  currency: 'USD',
  destination,
  holderName: 'Juan Núñez',
  holderKind: 'person',
  country: 'US',
  partnerId: 7,
  partnerName: 'Juan',
  note: 'Commissions for October',
  ...rest,
});

const toPaypal = (payoutId: number, rest: Partial<PayoutItem> = {}, email = 'juan@example.com') =>
  item(payoutId, { kind: 'paypal', email }, rest);
const toIban = (payoutId: number, rest: Partial<PayoutItem> = {}, iban = 'AT611904300234573201') =>
  item(payoutId, { kind: 'iban', iban }, { currency: 'EUR', country: 'AT', ...rest });
const toUsBank = (payoutId: number, rest: Partial<PayoutItem> = {}) =>
  item(
    payoutId,
    { kind: 'us_bank', routing_number: '021000021', account_number: '000123456789', account_type: 'checking' },
    rest,
  );

const text = (bytes: Uint8Array | undefined) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
const made = (items: PayoutItem[], by: Payer = payer) => {
  const { files, notCarried, spellings } = makeFiles(items, by, run);
  const listed = files.map(({ bytes, ...file }) => file);
  return { text: (at: number) => text(files[at]?.bytes), files: listed, notCarried, spellings };
};

describe('paypal.csv', () => {
  it('has seven columns, no header, and nothing that only spreadsheets need', () => {
    const { text, files, notCarried } = made([
      toPaypal(1, { note: '=SUM(A1) "quoted", and\nlonger' }),
      toPaypal(2, { amountCents: 5, note: '' }, '+juan@example.com'),
    ]);
    expect(text(0)).toBe(
      'juan@example.com,123.45,USD,P1,"=SUM(A1) ""quoted"", and longer",PAYPAL,\r\n' +
        '+juan@example.com,0.05,USD,P2,Acme Tools,PAYPAL,\r\n',
    );
    expect(files[0]).toEqual({ name: 'paypal.csv', currency: 'USD', part: 1, rows: 2, totalCents: 12_350 });
    expect(notCarried).toEqual([]);
  });

  it('has the decimal sign of the payer', () => {
    const { text } = made([toPaypal(1, { currency: 'EUR', amountCents: 545 })], { ...payer, paypal_decimal: ',' });
    expect(text(0)).toBe('juan@example.com,"5,45",EUR,P1,Commissions for October,PAYPAL,\r\n');
  });

  it('has one currency, and whole units where PayPal takes no decimals', () => {
    const { text, files, notCarried } = made([
      toPaypal(1, { currency: 'JPY', amountCents: 4_900 }),
      toPaypal(2, { currency: 'HUF', amountCents: 490_000 }),
      toPaypal(3, { currency: 'TWD', amountCents: 12_345 }),
    ]);
    expect(files.map(({ name, currency, totalCents }) => [name, currency, totalCents])).toEqual([
      ['paypal.csv', 'HUF', 490_000],
      ['paypal.csv', 'JPY', 4_900],
      ['payouts.csv', null, null],
    ]);
    expect(text(0)).toBe('juan@example.com,4900,HUF,P2,Commissions for October,PAYPAL,\r\n');
    expect(text(1)).toBe('juan@example.com,4900,JPY,P1,Commissions for October,PAYPAL,\r\n');
    expect(notCarried).toEqual([
      {
        endToEndId: 'P3',
        reason: 'PayPal pays TWD in whole units only. Add an adjustment that rounds the amount, or pay it another way.',
      },
    ]);
  });

  it('cuts notes after 400 characters', () => {
    expect(made([toPaypal(1, { note: 'ä'.repeat(401) })]).text(0)).toContain(`,${'ä'.repeat(400)},PAYPAL,`);
  });
});

it('wise.csv has the columns of the template for payments by email', () => {
  const { text, files } = made([
    item(1, { kind: 'wise', email: 'juan@example.com' }, { currency: 'GBP' }),
    item(
      2,
      { kind: 'wise', email: 'wang@example.com' },
      { currency: 'GBP', holderName: '王, 明', holderKind: 'company' },
    ),
  ]);
  expect(text(0)).toBe(
    'name,recipientEmail,paymentReference,receiverType,amountCurrency,amount,sourceCurrency,targetCurrency\r\n' +
      'Juan Núñez,juan@example.com,P1,PRIVATE,target,123.45,GBP,GBP\r\n' +
      '"王, 明",wang@example.com,P2,BUSINESS,target,123.45,GBP,GBP\r\n',
  );
  expect(files[0]).toEqual({ name: 'wise.csv', currency: 'GBP', part: 1, rows: 2, totalCents: 24_690 });
});

describe('sepa.xml', () => {
  const SEPA = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">
<CstmrCdtTrfInitn>
<GrpHdr>
<MsgId>R12-P4</MsgId>
<CreDtTm>2026-11-17T21:46:28Z</CreDtTm>
<NbOfTxs>2</NbOfTxs>
<CtrlSum>123.46</CtrlSum>
<InitgPty><Nm>Mueller + Soehne GmbH</Nm></InitgPty>
</GrpHdr>
<PmtInf>
<PmtInfId>R12-P4</PmtInfId>
<PmtMtd>TRF</PmtMtd>
<NbOfTxs>2</NbOfTxs>
<CtrlSum>123.46</CtrlSum>
<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>
<ReqdExctnDt><Dt>2026-11-17</Dt></ReqdExctnDt>
<Dbtr><Nm>Mueller + Soehne GmbH</Nm></Dbtr>
<DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct>
<DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt>
<ChrgBr>SLEV</ChrgBr>
<CdtTrfTxInf>
<PmtId><EndToEndId>P4</EndToEndId></PmtId>
<Amt><InstdAmt Ccy="EUR">123.45</InstdAmt></Amt>
<Cdtr><Nm>Juan Nunez</Nm></Cdtr>
<CdtrAcct><Id><IBAN>AT611904300234573201</IBAN></Id></CdtrAcct>
<RmtInf><Ustrd>Commissions for October</Ustrd></RmtInf>
</CdtTrfTxInf>
<CdtTrfTxInf>
<PmtId><EndToEndId>P3</EndToEndId></PmtId>
<Amt><InstdAmt Ccy="EUR">0.01</InstdAmt></Amt>
<CdtrAgt><FinInstnId><BICFI>COBADEFFXXX</BICFI></FinInstnId></CdtrAgt>
<Cdtr><Nm>Zhukov</Nm></Cdtr>
<CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct>
<RmtInf><Ustrd>P3</Ustrd></RmtInf>
</CdtTrfTxInf>
</PmtInf>
</CstmrCdtTrfInitn>
</Document>
`;

  it('has transfers with ids of ours, in letters that SEPA allows, and says which were spelled differently', () => {
    const destination = { kind: 'iban', iban: 'de89370400440532013000', bic: 'coba de ff xxx' } as const;
    const { text, files, spellings } = made([
      toIban(4),
      item(3, destination, { currency: 'EUR', amountCents: 1, holderName: 'Жуков', note: '十月' }),
    ]);
    expect(text(0)).toBe(SEPA);
    expect(files[0]).toEqual({ name: 'sepa.xml', currency: 'EUR', part: 1, rows: 2, totalCents: 12_346 });
    expect(spellings).toEqual([
      { endToEndId: null, field: 'payer_name', from: 'Müller & Söhne GmbH', to: 'Mueller + Soehne GmbH' },
      { endToEndId: 'P4', field: 'holder_name', from: 'Juan Núñez', to: 'Juan Nunez' },
      { endToEndId: 'P3', field: 'holder_name', from: 'Жуков', to: 'Zhukov' },
      { endToEndId: 'P3', field: 'note', from: '十月', to: 'P3' },
    ]);
  });

  it('names the bank of the payer if its BIC is known', () => {
    const agent = '<DbtrAgt><FinInstnId><BICFI>COBADEFF</BICFI></FinInstnId></DbtrAgt>';
    expect(made([toIban(1)], { ...payer, bic: 'cobadeff' }).text(0)).toContain(agent);
  });
});

describe('nacha.txt', () => {
  it('has a batch for persons and one for companies, and whole blocks of ten lines', () => {
    const savings = { routing_number: '121000248', account_number: '1234', account_type: 'savings' } as const;
    const { text, files, spellings } = made([
      item(20, { kind: 'us_bank', ...savings }, { holderKind: 'company', holderName: 'Smith & Sons Fine Tools, Inc.' }),
      toUsBank(21),
      toUsBank(22, { amountCents: 99_999_999, holderName: 'jane doe' }),
    ]);
    expect(text(0).split('\r\n')).toEqual([
      '101 12100024812345678902611172146A094101WELLS FARGO            ACME TOOLS             R12     ',
      '5220ACME TOOLS                          1234567890PPDCOMMISSION      261118   1121000240000001',
      '622021000021000123456789     0000012345P21            JUAN NUNEZ              0121000240000001',
      '622021000021000123456789     0099999999P22            JANE DOE                0121000240000002',
      '822000000200042000040000000000000001000123441234567890                         121000240000001',
      '5220ACME TOOLS                          1234567890CCDCOMMISSION      261118   1121000240000002',
      '6321210002481234             0000012345P20            SMITH & SONS FINE TOOL  0121000240000003',
      '822000000100121000240000000000000000000123451234567890                         121000240000002',
      '9000002000001000000030016300028000000000000000100024689                                       ',
      '9'.repeat(94),
      '',
    ]);
    expect(files[0]).toEqual({ name: 'nacha.txt', currency: 'USD', part: 1, rows: 3, totalCents: 100_024_689 });
    expect(spellings).toEqual([
      { endToEndId: 'P20', field: 'holder_name', from: 'Smith & Sons Fine Tools, Inc.', to: 'SMITH & SONS FINE TOOL' },
      { endToEndId: 'P21', field: 'holder_name', from: 'Juan Núñez', to: 'JUAN NUNEZ' },
    ]);
  });

  it("cuts the payer's name after 16 characters, and says so", () => {
    const ach = { ...payer.ach!, company_name: 'Acme International Tools' };
    const { text, spellings } = made([toUsBank(1, { holderName: 'Jane Doe' })], { ...payer, ach });
    expect(text(0).split('\r\n')[1]?.slice(0, 20)).toBe('5220ACME INTERNATION');
    expect(spellings).toEqual([
      { endToEndId: null, field: 'payer_name', from: 'Acme International Tools', to: 'ACME INTERNATION' },
    ]);
  });

  it.each([
    ['2026-11-19T23:59:00Z', '261120'],
    ['2026-11-20T00:00:00Z', '261123'],
    ['2026-11-21T12:00:00Z', '261123'],
    ['2026-11-22T12:00:00Z', '261123'],
    ['2026-12-31T12:00:00Z', '270101'],
  ])('a file of %s takes effect on the next workday, %s', (at, day) => {
    const { files } = makeFiles([toUsBank(1)], payer, { ...run, at: new Date(at) });
    expect(text(files[0]?.bytes).split('\r\n')[1]?.slice(69, 75)).toBe(day);
  });
});

it('payouts.csv has every payout, in all currencies, and is safe to open in a spreadsheet', () => {
  const { text, files } = made([
    item(1, { kind: 'other', text: '=HYPERLINK("https://example.com")' }, { currency: 'KWD', country: 'KW' }),
    toUsBank(2, { partnerName: '+Juan' }),
    item(3, { kind: 'iban', iban: 'AT611904300234573201', bic: 'RLNWATWW' }, { currency: 'JPY', note: 'a;b' }),
  ]);
  expect(files.at(-1)).toEqual({ name: 'payouts.csv', currency: null, part: 1, rows: 3, totalCents: null });
  expect(text(1)).toBe(
    '\uFEFFpayment_id,partner_id,partner_name,amount,amount_cents,currency,method,account,bank_code,account_type,' +
      'holder_name,holder_kind,country,note\r\n' +
      `P1,7,Juan,12.345,12345,KWD,other,"'=HYPERLINK(""https://example.com"")",,,Juan Núñez,person,KW,Commissions for October\r\n` +
      "P2,7,'+Juan,123.45,12345,USD,us_bank,000123456789,021000021,checking,Juan Núñez,person,US,Commissions for October\r\n" +
      'P3,7,Juan,12345,12345,JPY,iban,AT611904300234573201,RLNWATWW,,Juan Núñez,person,US,"a;b"\r\n',
  );
});

it('an empty run has no files', () => {
  expect(makeFiles([], payer, run)).toEqual({ files: [], notCarried: [], spellings: [] });
});

describe('what no file can carry has a reason that a person can act on', () => {
  const { iban, ach, ...poor } = payer;
  const ACH = { company_id: '1234567890', company_name: 'Acme', odfi_routing: '121000248', destination_name: 'Bank' };
  const usBank = (routing_number: string, account_number: string) =>
    item(1, { kind: 'us_bank', routing_number, account_number, account_type: 'checking' });

  it.each<[string, PayoutItem, Payer, string]>([
    ['no payer IBAN', toIban(1), poor, 'The payout settings have no payer IBAN. Add it, then make the run again.'],
    [
      'a wrong payer IBAN',
      toIban(1),
      { ...payer, iban: 'DE88370400440532013000' },
      'The payer IBAN in the payout settings is wrong. Correct it, then make the run again.',
    ],
    [
      'a payer without a Latin name',
      toIban(1),
      { ...payer, name: '王' },
      'The payer name in the payout settings must be in Latin letters. Write it as your bank knows you.',
    ],
    [
      'a name without a Latin reading',
      toIban(1, { holderName: 'José 王小明' }),
      payer,
      'The account holder has letters that banks cannot read: 王 小 明. The partner has to enter the name in Latin letters.',
    ],
    [
      'a name that is no name',
      toIban(1, { holderName: '🙂' }),
      payer,
      'There is no account holder. The partner has to enter the name in Latin letters.',
    ],
    [
      'wrong check digits',
      toIban(1, {}, 'AT621904300234573201'),
      payer,
      'The IBAN does not pass its check digits. The partner has to correct it.',
    ],
    [
      'an account outside of SEPA',
      toIban(1, {}, 'TR330006100519786457841326'),
      payer,
      'Accounts in TR cannot be paid this way. Ask the partner for another payout method.',
    ],
    [
      'another currency than the euro',
      toIban(1, { currency: 'USD' }),
      payer,
      'USD cannot be paid this way. Pay it another way, or ask the partner for another payout method.',
    ],
    [
      'a billion euros',
      toIban(1, { amountCents: 100_000_000_000 }),
      payer,
      'A SEPA transfer can be at most 999,999,999.99 EUR. Pay it another way.',
    ],
    [
      'no ACH data',
      toUsBank(1),
      poor,
      'The payout settings have no ACH data of the payer. Add it, then make the run again.',
    ],
    [
      'a company ID that is too short',
      toUsBank(1),
      { ...payer, ach: { ...ACH, company_id: '12345678' } },
      'The ACH company ID in the payout settings must have 9 or 10 letters and digits. Your bank assigns it.',
    ],
    [
      "a wrong routing number of the payer's bank",
      toUsBank(1),
      { ...payer, ach: { ...ACH, odfi_routing: '121000249' } },
      'The routing number of your bank in the payout settings is wrong. Correct it, then make the run again.',
    ],
    [
      'a million dollars',
      toUsBank(1, { amountCents: 100_000_000 }),
      payer,
      'An ACH payment can be at most 999,999.99 USD. Pay it another way.',
    ],
    [
      'a wrong routing number',
      usBank('021000022', '1234'),
      payer,
      'The routing number does not pass its check digit. The partner has to correct it.',
    ],
    [
      'letters in an account number',
      usBank('021000021', '12X4'),
      payer,
      'The account number is wrong. The partner has to correct it.',
    ],
    [
      'a PayPal address that is none',
      toPaypal(1, {}, 'juan'),
      payer,
      'The PayPal address is not an email address. The partner has to correct it.',
    ],
    [
      'a country without PayPal',
      toPaypal(1, { country: 'PK' }),
      payer,
      'Accounts in PK cannot be paid this way. Ask the partner for another payout method.',
    ],
    [
      'a Wise account without a holder',
      item(1, { kind: 'wise', email: 'juan@example.com' }, { holderName: ' ' }),
      payer,
      'The payout method has no account holder. The partner has to enter one.',
    ],
    ['an amount of zero', toPaypal(1, { amountCents: 0 }), payer, 'The amount is not positive.'],
    [
      'an amount that cannot be totaled',
      toPaypal(1, { amountCents: Number.MAX_SAFE_INTEGER }),
      payer,
      'The amount is too large for one payment. Pay it another way.',
    ],
  ])('%s', (_, payout, by, reason) => {
    const { files, notCarried } = made([payout], by);
    expect(notCarried).toEqual([{ endToEndId: 'P1', reason }]);
    expect(files.map(({ name }) => name)).toEqual(['payouts.csv']);
  });
});
