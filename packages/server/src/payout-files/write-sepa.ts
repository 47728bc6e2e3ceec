import { bicProblem, formatDecimal, withoutSpacing } from '@svc/contract';
import { ibanCountry, ibanProblem } from './iban.ts';
import { type FileRun, type ItemTo, messageIdOf, type Payer } from './payout-item.ts';
import { toSepaText } from './transliterate.ts';

/** SEPA has no limit, but banks do. Most of them take this many. */
export const SEPA_MAX_ROWS = 5_000;

const MAX_AMOUNT_CENTS = 99_999_999_999;
const MAX_NAME_CHARS = 70;
const MAX_NOTE_CHARS = 140;

/** Why the payer's settings do not suffice for SEPA, as a sentence; null if they do. */
export function sepaPayerProblem({ name, iban, bic }: Payer): string | null {
  if (!iban) return 'The payout settings have no payer IBAN. Add it, then make the run again.';
  if (ibanProblem(iban)) return 'The payer IBAN in the payout settings is wrong. Correct it, then make the run again.';
  if (bic && bicProblem(bic)) return 'The payer BIC in the payout settings is wrong. Correct it, or leave it empty.';
  const { text, unreadable } = toSepaText(name, MAX_NAME_CHARS);
  if (unreadable.length > 0 || !/[a-zA-Z0-9]/.test(text)) {
    return 'The payer name in the payout settings must be in Latin letters. Write it as your bank knows you.';
  }
  return null;
}

/** Why a payout cannot be in a SEPA file, as a sentence; null if it can. */
export function sepaProblem({ destination, holderName, amountCents }: ItemTo<'iban'>): string | null {
  if (ibanProblem(destination.iban)) return 'The IBAN does not pass its check digits. The partner has to correct it.';
  if (destination.bic && bicProblem(destination.bic)) return 'The BIC is wrong. The partner has to correct it.';
  if (amountCents > MAX_AMOUNT_CENTS) return 'A SEPA transfer can be at most 999,999,999.99 EUR. Pay it another way.';
  const { text, unreadable } = toSepaText(holderName, MAX_NAME_CHARS);
  if (unreadable.length > 0 || !/[a-zA-Z0-9]/.test(text)) {
    const letters = unreadable.slice(0, 5).join(' ');
    const why = letters
      ? `The account holder has letters that banks cannot read: ${letters}`
      : 'There is no account holder';
    return `${why}. The partner has to enter the name in Latin letters.`;
  }
  return null;
}

/** The name and the note of a transfer as the bank gets them. A note that cannot be read is replaced by the id of the payout. */
export function sepaTexts(item: ItemTo<'iban'>, { programName }: FileRun): { name: string; note: string } {
  return {
    name: toSepaText(item.holderName, MAX_NAME_CHARS).text,
    note: toSepaText(item.note || programName, MAX_NOTE_CHARS).text || item.endToEndId,
  };
}

/** The payer's name as the bank gets it. */
export function sepaPayerName(payer: Payer): string {
  return toSepaText(payer.name, MAX_NAME_CHARS).text;
}

/**
 * A `pain.001.001.09` message with one batch of euro transfers, to be executed as soon as the bank can. Nothing needs escaping: what is
 * not an id, an amount, an IBAN or a BIC has been read in the letters that SEPA allows.
 */
export function writeSepa(items: ItemTo<'iban'>[], payer: Payer, run: FileRun): Uint8Array {
  const [first] = items;
  if (!first) throw new Error('a SEPA file needs a payment');
  const id = messageIdOf(run.runNumber, first);
  const total = items.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const name = sepaPayerName(payer);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">',
    '<CstmrCdtTrfInitn>',
    '<GrpHdr>',
    `<MsgId>${id}</MsgId>`,
    `<CreDtTm>${run.at.toISOString().slice(0, 19)}Z</CreDtTm>`,
    `<NbOfTxs>${items.length}</NbOfTxs>`,
    `<CtrlSum>${formatDecimal(total, 2)}</CtrlSum>`,
    `<InitgPty><Nm>${name}</Nm></InitgPty>`,
    '</GrpHdr>',
    '<PmtInf>',
    `<PmtInfId>${id}</PmtInfId>`,
    '<PmtMtd>TRF</PmtMtd>',
    `<NbOfTxs>${items.length}</NbOfTxs>`,
    `<CtrlSum>${formatDecimal(total, 2)}</CtrlSum>`,
    '<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>',
    `<ReqdExctnDt><Dt>${run.at.toISOString().slice(0, 10)}</Dt></ReqdExctnDt>`,
    `<Dbtr><Nm>${name}</Nm></Dbtr>`,
    `<DbtrAcct><Id><IBAN>${withoutSpacing(payer.iban ?? '')}</IBAN></Id></DbtrAcct>`,
    `<DbtrAgt><FinInstnId>${payer.bic ? bicOf(payer.bic) : '<Othr><Id>NOTPROVIDED</Id></Othr>'}</FinInstnId></DbtrAgt>`,
    '<ChrgBr>SLEV</ChrgBr>',
    ...items.flatMap((item) => transfer(item, run)),
    '</PmtInf>',
    '</CstmrCdtTrfInitn>',
    '</Document>',
  ];
  return new TextEncoder().encode(`${lines.join('\n')}\n`);
}

function transfer(item: ItemTo<'iban'>, run: FileRun): string[] {
  const { iban, bic } = item.destination;
  const { name, note } = sepaTexts(item, run);
  return [
    '<CdtTrfTxInf>',
    `<PmtId><EndToEndId>${item.endToEndId}</EndToEndId></PmtId>`,
    `<Amt><InstdAmt Ccy="EUR">${formatDecimal(item.amountCents, 2)}</InstdAmt></Amt>`,
    ...(bic ? [`<CdtrAgt><FinInstnId>${bicOf(bic)}</FinInstnId></CdtrAgt>`] : []),
    `<Cdtr><Nm>${name}</Nm></Cdtr>`,
    `<CdtrAcct><Id><IBAN>${withoutSpacing(iban)}</IBAN></Id></CdtrAcct>`,
    `<RmtInf><Ustrd>${note}</Ustrd></RmtInf>`,
    '</CdtTrfTxInf>',
  ];
}

const bicOf = (bic: string): string => `<BICFI>${withoutSpacing(bic)}</BICFI>`;

/** The country of a payout by IBAN. */
export const sepaCountry = ({ destination }: ItemTo<'iban'>): string => ibanCountry(destination.iban);
