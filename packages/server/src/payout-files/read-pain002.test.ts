import { findXmlSchema } from '@svc/testkit';
import { describe, expect, it } from 'vitest';
import { readPain002 } from './read-pain002.ts';

const schema = findXmlSchema('pain.002.001.10');
const missing = 'missing' in schema ? schema.missing : null;
if (missing) console.warn(`Skipped: ${missing}.`);

const bytes = (text: string) => new TextEncoder().encode(text);

/** A report as banks send it, around what it says about the message and its batches. */
const report = (group: string, batches = '') => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10">
  <CstmrPmtStsRpt>
    <GrpHdr><MsgId>BANK-4711</MsgId><CreDtTm>2026-11-18T06:00:00Z</CreDtTm></GrpHdr>
    <OrgnlGrpInfAndSts>
      <OrgnlMsgId>R12-P100</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>${group}
    </OrgnlGrpInfAndSts>${batches}
  </CstmrPmtStsRpt>
</Document>`;

const batch = (inside: string) =>
  `<OrgnlPmtInfAndSts><OrgnlPmtInfId>R12-P100</OrgnlPmtInfId>${inside}</OrgnlPmtInfAndSts>`;
const transaction = (id: string, status: string, reason = '') =>
  `<TxInfAndSts><OrgnlEndToEndId>${id}</OrgnlEndToEndId><TxSts>${status}</TxSts>${reason}</TxInfAndSts>`;
const because = (code: string, words = '') => `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn>${words}</StsRsnInf>`;

const CLOSED = 'The bank says that the account is closed. Add another payout method.';
const PARTLY = report(
  '<GrpSts>PART</GrpSts>',
  batch(
    transaction('P100', 'ACSC') +
      transaction('P101', 'RJCT', because('AC04', '<AddtlInf>Konto erloschen</AddtlInf>')) +
      transaction('P102', 'PDNG'),
  ),
);

it('reads what a bank says about each payment', () => {
  expect(readPain002(bytes(PARTLY))).toEqual({
    reportId: 'BANK-4711',
    originalMessageId: 'R12-P100',
    rows: [
      { endToEndId: 'P100', status: 'paid', code: null, reason: null },
      { endToEndId: 'P101', status: 'failed', code: 'AC04', reason: CLOSED },
      { endToEndId: 'P102', status: 'accepted', code: null, reason: null },
    ],
    others: null,
    unclear: [],
    problems: [],
  });
});

it('reads what a bank says about the whole message', () => {
  const rejected = report(`<GrpSts>RJCT</GrpSts>${because('FF01')}`);
  const reason =
    "The bank says that the brand's file has an error. You do not need to do anything. The brand has to pay again.";
  expect(readPain002(bytes(rejected))).toEqual({
    reportId: 'BANK-4711',
    originalMessageId: 'R12-P100',
    rows: [],
    others: { status: 'failed', code: 'FF01', reason },
    unclear: [],
    problems: [],
  });
});

describe('what is said about the batch', () => {
  it('goes before what is said about the message, and transactions before both', () => {
    const accepted = report(
      '<GrpSts>PART</GrpSts>',
      batch(`<PmtInfSts>ACSC</PmtInfSts>${transaction('P101', 'RJCT', because('AC04'))}`),
    );
    const { rows, others, problems } = readPain002(bytes(accepted));
    expect(rows).toEqual([{ endToEndId: 'P101', status: 'failed', code: 'AC04', reason: CLOSED }]);
    expect(others).toEqual({ status: 'paid', code: null, reason: null });
    expect(problems).toEqual([]);
  });

  it('is not spread over several batches, because ours have one', () => {
    const two = report('', batch('<PmtInfSts>ACSC</PmtInfSts>') + batch('<PmtInfSts>RJCT</PmtInfSts>'));
    const { others, problems } = readPain002(bytes(two));
    expect(others).toBeNull();
    expect(problems).toEqual(['The report is about several batches. Only the listed transactions were read.']);
  });
});

it.each([
  ['RCVD', 'accepted'],
  ['ACTC', 'accepted'],
  ['ACCP', 'accepted'],
  ['ACSP', 'accepted'],
  ['ACWC', 'accepted'],
  ['PDNG', 'accepted'],
  ['ACSC', 'paid'],
  ['ACCC', 'paid'],
  ['RJCT', 'failed'],
])('%s means %s', (said, status) => {
  const { rows } = readPain002(bytes(report('', batch(transaction('P1', said)))));
  expect(rows).toEqual([{ endToEndId: 'P1', status, code: null, reason: null }]);
});

it('repeats the words of the bank for a code that we do not know', () => {
  const proprietary =
    '<StsRsnInf><Rsn><Prtry>X9</Prtry></Rsn><AddtlInf>Ask A&amp;B</AddtlInf><AddtlInf>now</AddtlInf></StsRsnInf>';
  const { rows } = readPain002(bytes(report('', batch(transaction('P1', 'RJCT', proprietary)))));
  expect(rows).toEqual([{ endToEndId: 'P1', status: 'failed', code: 'X9', reason: 'Ask A&B now' }]);
});

it('reads other versions and prefixes', () => {
  const prefixed = PARTLY.replaceAll('pain.002.001.10', 'pain.002.001.03')
    .replaceAll(/<(\/?)([A-Z])/g, '<$1b:$2')
    .replace('xmlns=', 'xmlns:b=');
  expect(readPain002(bytes(prefixed))).toEqual(readPain002(bytes(PARTLY)));
});

it('reads an encoding other than UTF-8', () => {
  const latin = report('', batch(transaction('P1', 'RJCT', because('X', '<AddtlInf>Schließung</AddtlInf>'))));
  const encoded = Buffer.from(latin.replace('UTF-8', 'ISO-8859-1'), 'latin1');
  expect(readPain002(encoded).rows[0]?.reason).toBe('Schließung');
  expect(readPain002(Buffer.from(latin, 'latin1')).problems).toEqual([
    'The file is not text in the encoding that it names.',
  ]);
});

it('leaves out what it does not know, and says so', () => {
  const { rows, unclear, problems } = readPain002(
    bytes(
      report(
        '',
        batch(
          transaction('P1', 'XXXX') +
            '<TxInfAndSts><OrgnlInstrId>7</OrgnlInstrId><TxSts>ACSC</TxSts></TxInfAndSts>' +
            transaction('P2', 'ACSC') +
            transaction('P2', 'RJCT') +
            transaction('P3', 'ACSP') +
            transaction('P3', 'ACSC') +
            transaction('P4', 'constructor'),
        ),
      ),
    ),
  );
  expect(rows).toEqual([{ endToEndId: 'P3', status: 'paid', code: null, reason: null }]);
  expect(unclear).toEqual(['P1', 'P4', 'P2']);
  expect(problems).toEqual([
    'The status XXXX is not known, so it was left out.',
    'A transaction has no original end-to-end ID, so it was left out.',
    'The status constructor is not known, so it was left out.',
    'The report contradicts itself about P2, so it was left out.',
  ]);
});

const BOMB = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><Document><b>&b;</b></Document>`;

it.each([
  ['an entity bomb', BOMB, 'The file declares a document type, which bank messages do not.'],
  ['no XML', 'P1,paid', 'The file is not valid XML.'],
  ['nothing', '', 'The file is not valid XML.'],
  ['half of a report', PARTLY.slice(0, 400), 'The file is not valid XML.'],
  [
    'a hundred thousand elements in each other',
    '<a>'.repeat(100_000) + '</a>'.repeat(100_000),
    'The file is not valid XML.',
  ],
  [
    'another message',
    '<Document><CstmrCdtTrfInitn/></Document>',
    'The file is not a payment status report (pain.002).',
  ],
])('refuses %s', (_, text, problem) => {
  expect(readPain002(bytes(text))).toEqual({
    reportId: null,
    originalMessageId: null,
    rows: [],
    others: null,
    unclear: [],
    problems: [problem],
  });
});

it('refuses more elements than a report of the largest run has, without reading them', () => {
  const many = `<Document>${'<a/>'.repeat(1_000_000)}</Document>`;
  expect(readPain002(bytes(many)).problems).toEqual([
    'The file has more than 1,000,000 tags, which no report of a run has.',
  ]);
});

it('does not expand entities that nobody declared', () => {
  const { rows } = readPain002(
    bytes(report('', batch(transaction('P1', 'RJCT', because('X', '<AddtlInf>&b;</AddtlInf>'))))),
  );
  expect(rows.map(({ reason }) => reason)).toEqual(['&b;']);
});

it.skipIf(missing)(
  `the reports of these tests are what the schema allows${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    if ('missing' in schema) return;
    expect(schema.validate([bytes(PARTLY), bytes(report('<GrpSts>RJCT</GrpSts>'))])).toEqual(new Map());
  },
);
