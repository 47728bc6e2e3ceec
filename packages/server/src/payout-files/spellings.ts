import type { FileRun, ItemTo, Payer, PayoutItem } from './payout-item.ts';
import { nachaName, nachaPayerName } from './write-nacha.ts';
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
  return [...sepaSpellings(toIban, payer, run), ...achSpellings(toUsBank, payer)];
}

function sepaSpellings(items: ItemTo<'iban'>[], payer: Payer, run: FileRun): Spelling[] {
  if (items.length === 0) return [];
  const names: Spelling[] = [{ endToEndId: null, field: 'payer_name', from: payer.name, to: sepaPayerName(payer) }];
  const notes = new Map<string, Spelling>();
  for (const item of items) {
    const { endToEndId, holderName } = item;
    const { name, note } = sepaTexts(item, run);
    const from = item.note || run.programName;
    names.push({ endToEndId, field: 'holder_name', from: holderName, to: name });
    if (!notes.has(from)) notes.set(from, { endToEndId, field: 'note', from, to: note });
  }
  return [...names, ...notes.values()].filter(({ from, to }) => from !== to);
}

/** Capitals alone are no other spelling. */
function achSpellings(items: ItemTo<'us_bank'>[], payer: Payer): Spelling[] {
  if (items.length === 0) return [];
  const payerName = { endToEndId: null, from: payer.ach?.company_name ?? '', to: nachaPayerName(payer) };
  const names = items.map((item) => ({ endToEndId: item.endToEndId, from: item.holderName, to: nachaName(item) }));
  return [
    { ...payerName, field: 'payer_name' as const },
    ...names.map((name) => ({ ...name, field: 'holder_name' as const })),
  ].filter(({ from, to }) => from.toUpperCase() !== to);
}
