import { findXmlSchema } from '@svc/testkit';
import { describe, expect, it } from 'vitest';
import { checkSepa } from './check-sepa.ts';

const schema = findXmlSchema('pain.001.001.09');
const missing = 'missing' in schema ? schema.missing : null;
if (missing) console.warn(`Skipped: ${missing}.`);

/** A file as a bank would accept it, written by hand. */
const RIGHT = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">
  <CstmrCdtTrfInitn>
    <GrpHdr>
      <MsgId>R7-P100</MsgId>
      <CreDtTm>2026-11-17T21:46:28Z</CreDtTm>
      <NbOfTxs>2</NbOfTxs>
      <CtrlSum>1000000019.99</CtrlSum>
      <InitgPty><Nm>Acme Tools</Nm></InitgPty>
    </GrpHdr>
    <PmtInf>
      <PmtInfId>R7-P100</PmtInfId>
      <PmtMtd>TRF</PmtMtd>
      <NbOfTxs>2</NbOfTxs>
      <CtrlSum>1000000019.99</CtrlSum>
      <PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>
      <ReqdExctnDt><Dt>2026-11-18</Dt></ReqdExctnDt>
      <Dbtr><Nm>Acme Tools</Nm></Dbtr>
      <DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct>
      <DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt>
      <ChrgBr>SLEV</ChrgBr>
      <CdtTrfTxInf>
        <PmtId><EndToEndId>P100</EndToEndId></PmtId>
        <Amt><InstdAmt Ccy="EUR">20.00</InstdAmt></Amt>
        <Cdtr><Nm>Jose Munoz</Nm></Cdtr>
        <CdtrAcct><Id><IBAN>AT611904300234573201</IBAN></Id></CdtrAcct>
        <RmtInf><Ustrd>Commissions for October</Ustrd></RmtInf>
      </CdtTrfTxInf>
      <CdtTrfTxInf>
        <PmtId><EndToEndId>P101</EndToEndId></PmtId>
        <Amt><InstdAmt Ccy="EUR">999999999.99</InstdAmt></Amt>
        <Cdtr><Nm>Anna O'Neill (Ltd.)</Nm></Cdtr>
        <CdtrAcct><Id><IBAN>GB82WEST12345698765432</IBAN></Id></CdtrAcct>
        <RmtInf><Ustrd>Commissions for October</Ustrd></RmtInf>
      </CdtTrfTxInf>
    </PmtInf>
  </CstmrCdtTrfInitn>
</Document>
`;

const bytes = (text: string) => new TextEncoder().encode(text);
const changed = (from: string, to: string) => {
  expect(RIGHT).toContain(from);
  return bytes(RIGHT.replace(from, to));
};
const LONG_ID = 'P'.repeat(36);

/** The wrong files that were tried with the official schema, which finds only some of them. */
const WRONG = [
  {
    what: 'a date without Dt',
    file: () => changed('<ReqdExctnDt><Dt>2026-11-18</Dt></ReqdExctnDt>', '<ReqdExctnDt>2026-11-18</ReqdExctnDt>'),
    problems: ['The batch has no valid execution date (ReqdExctnDt/Dt).'],
    bySchema: true,
  },
  {
    what: 'six decimals',
    file: () => changed('>20.00<', '>20.000001<'),
    problems: [
      'Transfer 1: "20.000001" is not an amount from 0.01 to 999999999.99 with two decimals.',
      'The header has the control sum 1000000019.99; the amounts add up to 999999999.99.',
      'The batch has the control sum 1000000019.99; the amounts add up to 999999999.99.',
    ],
    bySchema: true,
  },
  {
    what: 'an id of 36 characters',
    file: () => changed('<EndToEndId>P100<', `<EndToEndId>${LONG_ID}<`),
    problems: ['Transfer 1: the end-to-end ID must have 1 to 35 letters of SEPA, and no slash at its start or twice.'],
    bySchema: true,
  },
  {
    what: 'no bank of the payer',
    file: () => changed('<DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt>', ''),
    problems: ["The payer's bank is missing. Without a BIC it is NOTPROVIDED."],
    bySchema: true,
  },
  {
    what: 'wrong check digits of an IBAN',
    file: () => changed('AT611904300234573201', 'AT621904300234573201'),
    problems: ['Transfer 1: the IBAN does not pass its check digits.'],
    bySchema: false,
  },
  {
    what: 'a wrong control sum',
    file: () => changed('<CtrlSum>1000000019.99</CtrlSum>', '<CtrlSum>1000000019.98</CtrlSum>'),
    problems: ['The header has the control sum 1000000019.98; the amounts add up to 1000000019.99.'],
    bySchema: false,
  },
  {
    what: 'letters that SEPA does not allow',
    file: () => changed('Jose Munoz', 'José Muñoz 王'),
    problems: ['Transfer 1: the name has letters that SEPA does not allow: José Muñoz 王'],
    bySchema: false,
  },
];

it('accepts a right file, and reads its payments', () => {
  expect(checkSepa(bytes(RIGHT))).toEqual({
    problems: [],
    payouts: [
      { endToEndId: 'P100', amountCents: 2_000 },
      { endToEndId: 'P101', amountCents: 99_999_999_999 },
    ],
  });
});

it.each(WRONG)('refuses $what', ({ file, problems }) => {
  expect(checkSepa(file()).problems).toEqual(problems);
});

it.skipIf(missing)(`the schema accepts three of the wrong files${missing ? ` (skipped: ${missing})` : ''}`, () => {
  if ('missing' in schema) return;
  const found = schema.validate([bytes(RIGHT), ...WRONG.map(({ file }) => file())]);
  const accepted = WRONG.filter((_, index) => !found.has(index + 1));
  expect(found.has(0)).toBe(false);
  expect(accepted.map(({ what }) => what)).toEqual(WRONG.filter(({ bySchema }) => !bySchema).map(({ what }) => what));
  expect(accepted).toHaveLength(3);
});

describe('also refuses', () => {
  it.each([
    ['a repeated id', '<EndToEndId>P101<', '<EndToEndId>P100<', 'The end-to-end ID P100 is used more than once.'],
    ['another currency', 'Ccy="EUR">20.00', 'Ccy="USD">20.00', 'Transfer 1: the amount is not in EUR.'],
    ['a wrong count', '<NbOfTxs>2<', '<NbOfTxs>3<', 'The header says 3 transfers; there are 2.'],
    ['a name of 71 letters', 'Jose Munoz', 'x'.repeat(71), 'Transfer 1: the name has more than 70 characters.'],
    ['no name', '<Cdtr><Nm>Jose Munoz</Nm></Cdtr>', '', 'Transfer 1: the name is missing.'],
    [
      'a slash at the start of an id',
      '<MsgId>R7',
      '<MsgId>/R7',
      'The message ID must have 1 to 35 letters of SEPA, and no slash at its start or twice.',
    ],
    ['a long note', 'Commissions for October', 'x'.repeat(141), 'Transfer 1: the note has more than 140 characters.'],
    ['charges of another kind', 'SLEV', 'SHAR', 'The batch does not share the charges as SEPA requires (SLEV).'],
    ['urgent transfers', '<Cd>SEPA<', '<Cd>URGP<', 'The batch does not ask for SEPA transfers.'],
    [
      'a day that does not exist',
      '2026-11-18',
      '2026-13-18',
      'The batch has no valid execution date (ReqdExctnDt/Dt).',
    ],
    [
      'an account outside of SEPA',
      'AT611904300234573201',
      'TR330006100519786457841326',
      'Transfer 1: SEPA does not reach TR.',
    ],
  ])('%s', (_, from, to, problem) => {
    expect(checkSepa(changed(from, to)).problems).toEqual([problem]);
  });

  it.each([
    ['nothing', '', 'The file is not valid XML.'],
    ['half of a file', RIGHT.slice(0, 700), 'The file is not valid XML.'],
    ['another message', '<Document><Other/></Document>', 'The file is not a pain.001.001.09 message with one batch.'],
    [
      'a document type',
      `<!DOCTYPE a [<!ENTITY b "c">]>${RIGHT.slice(39)}`,
      'The file declares a document type, which bank messages do not.',
    ],
  ])('%s', (_, text, problem) => {
    expect(checkSepa(bytes(text))).toEqual({ problems: [problem], payouts: [] });
  });
});
