import { childrenAt, readXml, textAt, type XmlElement } from './read-xml.ts';
import { type ReportRow, reasonOf, withoutRepeats } from './report-row.ts';

type Verdict = { status: 'accepted' | 'paid' | 'failed'; code: string | null; reason: string | null };

export type BankReport = {
  /** The bank's id of this report. Null if the file is no report. */
  reportId: string | null;
  /** The id of the message that it answers; `readMessageId` says to which run it belongs. */
  originalMessageId: string | null;
  rows: (ReportRow & Verdict)[];
  /** What is true of every payout of that message that has no row. Null if the bank says nothing about them. */
  others: Verdict | null;
  /** Payouts about which the report says something that we do not understand, so that `others` does not hold for them. */
  unclear: string[];
  problems: string[];
};

const NO_REPORT = { reportId: null, originalMessageId: null, rows: [], others: null, unclear: [] };

/** By item means that the transactions say it. */
const STATUSES: Readonly<Record<string, Verdict['status'] | 'by item'>> = {
  RCVD: 'accepted',
  PDNG: 'accepted',
  ACTC: 'accepted',
  ACCP: 'accepted',
  ACSP: 'accepted',
  ACWC: 'accepted',
  ACWP: 'accepted',
  ACFC: 'accepted',
  ACSC: 'paid',
  ACCC: 'paid',
  RJCT: 'failed',
  PART: 'by item',
};

/** Reads a bank's answer to a SEPA file (`pain.002`, any version). Changes nothing and guesses nothing: what is unclear is a problem. */
export function readPain002(bytes: Uint8Array): BankReport {
  const read = readXml(bytes);
  if ('problem' in read) return { ...NO_REPORT, problems: [read.problem] };
  const report = childrenAt(read.root[1], 'CstmrPmtStsRpt')[0];
  const group = report && childrenAt(report, 'OrgnlGrpInfAndSts')[0];
  if (!report || !group) return { ...NO_REPORT, problems: ['The file is not a payment status report (pain.002).'] };

  const problems: string[] = [];
  const unclear: string[] = [];
  const batches = childrenAt(report, 'OrgnlPmtInfAndSts');
  const listed = batches
    .flatMap((batch) => childrenAt(batch, 'TxInfAndSts'))
    .flatMap((transaction) => {
      const endToEndId = textAt(transaction, 'OrgnlEndToEndId');
      const verdict = verdictOf(transaction, 'TxSts', problems);
      if (endToEndId && !verdict && textAt(transaction, 'TxSts') !== undefined) unclear.push(endToEndId);
      if (!endToEndId) problems.push('A transaction has no original end-to-end ID, so it was left out.');
      return endToEndId && verdict ? [{ endToEndId, ...verdict }] : [];
    });
  const { rows, contradicted, problems: contradictions } = withoutRepeats(listed);

  // A file of ours has one batch, so what is said about the batch goes before what is said about the whole message.
  const ofBatches = batches.filter((batch) => textAt(batch, 'PmtInfSts') !== undefined);
  const [verdict = null, ...further] = (ofBatches.length > 0 ? ofBatches : [group]).map((level) =>
    verdictOf(level, level === group ? 'GrpSts' : 'PmtInfSts', problems),
  );
  if (further.length > 0) problems.push('The report is about several batches. Only the listed transactions were read.');
  return {
    reportId: textAt(report, 'GrpHdr', 'MsgId') ?? null,
    originalMessageId: textAt(group, 'OrgnlMsgId') ?? null,
    rows: rows as BankReport['rows'],
    others: further.length > 0 ? null : verdict,
    unclear: [...unclear, ...contradicted],
    problems: [...problems, ...contradictions],
  };
}

function verdictOf(element: XmlElement, field: string, problems: string[]): Verdict | null {
  const said = textAt(element, field);
  if (said === undefined) return null;
  const status = Object.hasOwn(STATUSES, said) ? STATUSES[said] : undefined;
  if (status === undefined) problems.push(`The status ${said.slice(0, 20)} is not known, so it was left out.`);
  if (status === undefined || status === 'by item') return null;
  const reason = childrenAt(element, 'StsRsnInf')[0];
  const code = reason ? (textAt(reason, 'Rsn', 'Cd') ?? textAt(reason, 'Rsn', 'Prtry') ?? null) : null;
  const words = reason ? childrenAt(reason, 'AddtlInf').map(({ text }) => text) : [];
  return { status, code, reason: reasonOf(code, words.join(' ') || null) };
}
