import type { FileRun, ItemTo, Payer, PayoutItem } from './payout-item.ts';
import { nachaName } from './write-nacha.ts';
import { sepaPayerName, sepaTexts } from './write-sepa.ts';

/** A text that a bank gets in other letters or shortened. What is about the payer has no payout. */
export type Spelling = {
  endToEndId: string | null;
  field: 'holder_name' | 'note' | 'payer_name';
  from: string;
  to: string;
};

/** What banks will read otherwise than it was written, to be shown before a run is approved. The same note is listed once. */
export function listSpellings(items: PayoutItem[], payer: Payer, run: FileRun): Spelling[] {
  const toIban = items.filter((item): item is ItemTo<'iban'> => item.destination.kind === 'iban');
  const toUsBank = items.filter((item): item is ItemTo<'us_bank'> => item.destination.kind === 'us_bank');
  const notes = new Map<string, Spelling>();
  const names: Spelling[] = [];
  for (const item of toIban) {
    const { endToEndId, holderName } = item;
    const { name, note } = sepaTexts(item, run);
    const from = item.note || run.programName;
    names.push({ endToEndId, field: 'holder_name', from: holderName, to: name });
    if (!notes.has(from)) notes.set(from, { endToEndId, field: 'note', from, to: note });
  }
  for (const item of toUsBank) {
    // Capitals alone are no other spelling.
    const [from, to] = [item.holderName, nachaName(item)];
    if (from.toUpperCase() !== to) names.push({ endToEndId: item.endToEndId, field: 'holder_name', from, to });
  }
  const payerName: Spelling[] =
    toIban.length > 0 ? [{ endToEndId: null, field: 'payer_name', from: payer.name, to: sepaPayerName(payer) }] : [];
  return [...payerName, ...names, ...notes.values()].filter(({ from, to }) => from !== to);
}
