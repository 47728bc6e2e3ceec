import { SEPA_COUNTRIES } from '@svc/contract';
import type { CheckedFile } from './payout-item.ts';
import { childrenAt, readXml, textAt, type XmlElement } from './read-xml.ts';

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';

/** Reads a `pain.001.001.09` file back, and says what a bank would refuse, which the schema of the message only does in part. */
export function checkSepa(bytes: Uint8Array): CheckedFile {
  const read = readXml(bytes);
  if ('problem' in read) return { problems: [read.problem], payouts: [] };
  const [name, document] = read.root;
  const message = childrenAt(document, 'CstmrCdtTrfInitn')[0];
  const [batch, ...more] = message ? childrenAt(message, 'PmtInf') : [];
  if (name !== 'Document' || document.attributes.xmlns !== NAMESPACE || !message || !batch || more.length > 0) {
    return { problems: ['The file is not a pain.001.001.09 message with one batch.'], payouts: [] };
  }
  const transfers = childrenAt(batch, 'CdtTrfTxInf');
  const checked = transfers.map(checkTransfer);
  const payouts = checked.flatMap(({ payment }) => payment ?? []);
  const problems = [
    ...checkHeader(message),
    ...checkBatch(batch),
    ...checked.flatMap((transfer) => transfer.problems),
    ...checkTotals('The header', childrenAt(message, 'GrpHdr')[0], transfers.length, payouts),
    ...checkTotals('The batch', batch, transfers.length, payouts),
    ...repeated(transfers.map((transfer) => textAt(transfer, 'PmtId', 'EndToEndId') ?? '')).map(
      (id) => `The end-to-end ID ${id} is used more than once.`,
    ),
  ];
  return { problems, payouts };
}

function checkHeader(message: XmlElement): string[] {
  const created = textAt(message, 'GrpHdr', 'CreDtTm') ?? '';
  return [
    ...checkId('The message ID', textAt(message, 'GrpHdr', 'MsgId')),
    ...(isTime(created) ? [] : ['The header has no valid time of creation.']),
    ...checkText('The initiating party', textAt(message, 'GrpHdr', 'InitgPty', 'Nm'), 70),
  ];
}

function checkBatch(batch: XmlElement): string[] {
  const date = textAt(batch, 'ReqdExctnDt', 'Dt') ?? '';
  const bic = textAt(batch, 'DbtrAgt', 'FinInstnId', 'BICFI');
  const hasAgent = bic !== undefined || textAt(batch, 'DbtrAgt', 'FinInstnId', 'Othr', 'Id') === 'NOTPROVIDED';
  const isSepa = textAt(batch, 'PmtTpInf', 'SvcLvl', 'Cd') === 'SEPA' && textAt(batch, 'PmtMtd') === 'TRF';
  return [
    ...checkId('The batch ID', textAt(batch, 'PmtInfId')),
    ...(isSepa ? [] : ['The batch does not ask for SEPA transfers.']),
    ...(textAt(batch, 'ChrgBr') === 'SLEV' ? [] : ['The batch does not share the charges as SEPA requires (SLEV).']),
    ...(isTime(`${date}T00:00:00Z`) ? [] : ['The batch has no valid execution date (ReqdExctnDt/Dt).']),
    ...checkText("The payer's name", textAt(batch, 'Dbtr', 'Nm'), 70),
    ...checkIban("The payer's IBAN", textAt(batch, 'DbtrAcct', 'Id', 'IBAN')),
    ...(hasAgent ? [] : ["The payer's bank is missing. Without a BIC it is NOTPROVIDED."]),
    ...checkBic("The payer's BIC", bic),
  ];
}

type CheckedTransfer = { problems: string[]; payment: CheckedFile['payouts'][number] | null };

function checkTransfer(transfer: XmlElement, index: number): CheckedTransfer {
  const where = `Transfer ${index + 1}`;
  const amount = childrenAt(transfer, 'Amt', 'InstdAmt')[0];
  const id = textAt(transfer, 'PmtId', 'EndToEndId');
  const iban = textAt(transfer, 'CdtrAcct', 'Id', 'IBAN');
  const isAmount = /^(0|[1-9][0-9]{0,8})\.[0-9]{2}$/.test(amount?.text ?? '') && amount?.text !== '0.00';
  const problems = [
    ...checkId(`${where}: the end-to-end ID`, id),
    ...(amount?.attributes.Ccy === 'EUR' ? [] : [`${where}: the amount is not in EUR.`]),
    ...(isAmount
      ? []
      : [`${where}: "${amount?.text ?? ''}" is not an amount from 0.01 to 999999999.99 with two decimals.`]),
    ...checkText(`${where}: the name`, textAt(transfer, 'Cdtr', 'Nm'), 70),
    ...checkIban(`${where}: the IBAN`, iban),
    ...(iban && !SEPA_COUNTRIES.includes(iban.slice(0, 2))
      ? [`${where}: SEPA does not reach ${iban.slice(0, 2)}.`]
      : []),
    ...checkBic(`${where}: the BIC`, textAt(transfer, 'CdtrAgt', 'FinInstnId', 'BICFI')),
    ...checkText(`${where}: the note`, textAt(transfer, 'RmtInf', 'Ustrd'), 140),
  ];
  const amountCents = Number(amount?.text.replace('.', ''));
  return { problems, payment: isAmount && id ? { endToEndId: id, amountCents } : null };
}

function checkTotals(
  where: string,
  element: XmlElement | undefined,
  count: number,
  payouts: CheckedFile['payouts'],
): string[] {
  const cents = payouts.reduce((sum, { amountCents }) => sum + BigInt(amountCents), 0n);
  const sum = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
  const said = { count: element && textAt(element, 'NbOfTxs'), sum: element && textAt(element, 'CtrlSum') };
  return [
    ...(said.count === String(count) ? [] : [`${where} says ${said.count ?? 'no'} transfers; there are ${count}.`]),
    ...(said.sum === sum ? [] : [`${where} has the control sum ${said.sum ?? 'none'}; the amounts add up to ${sum}.`]),
  ];
}

function checkId(what: string, id = ''): string[] {
  const isValid = /^[A-Za-z0-9\-?:().,'+ /]{1,35}$/.test(id) && !id.startsWith('/') && !id.includes('//');
  return isValid ? [] : [`${what} must have 1 to 35 letters of SEPA, and no slash at its start or twice.`];
}

function checkText(what: string, text = '', maxChars: number): string[] {
  if (text === '') return [`${what} is missing.`];
  if (text.length > maxChars) return [`${what} has more than ${maxChars} characters.`];
  return /^[A-Za-z0-9/\-?:().,'+ ]+$/.test(text) ? [] : [`${what} has letters that SEPA does not allow: ${text}`];
}

function checkBic(what: string, bic: string | undefined): string[] {
  return bic === undefined || /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(bic) ? [] : [`${what} is not a BIC.`];
}

/** ISO 7064: with the first four characters at its end and letters as 10 to 35, the number leaves 1 when divided by 97. */
function checkIban(what: string, iban = ''): string[] {
  if (!/^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/.test(iban)) return [`${what} is missing or has a wrong form.`];
  const digits = (iban.slice(4) + iban.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n ? [] : [`${what} does not pass its check digits.`];
}

const isTime = (text: string): boolean =>
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/.test(text) && !Number.isNaN(Date.parse(text));

function repeated(ids: string[]): string[] {
  const seen = new Set<string>();
  return [...new Set(ids.filter((id) => seen.size === seen.add(id).size))];
}
