import { type ImportedPartner, type ImportOutcome, type ImportRowResult, importedPartner } from '@svc/contract';

type Message = ImportRowResult['messages'][number];

/** A row that could be read, and what has become of it so far. */
export type RowInProgress = {
  row: number;
  data: ImportedPartner;
  partner: { id: number; membershipId: number } | null;
  result: ImportRowResult;
  /** The row with the same address above it, if there is one. */
  repeats: RowInProgress | null;
};

/** A part of a row, with whom it is for. */
export type PartOf<Part> = { part: Part; row: RowInProgress; partnerId: number; membershipId: number };

const resultOf = (row: number): ImportRowResult => ({
  row,
  outcome: 'unchanged',
  partner_id: null,
  messages: [],
  links: [],
  coupons: [],
  customers: [],
  balances: [],
});

/** Reads a row. One that does not fit is refused with a message for each field that is wrong. */
export function readRow(sent: unknown, row: number): RowInProgress | ImportRowResult {
  const parsed = importedPartner.safeParse(sent);
  if (parsed.success) return { row, data: parsed.data, partner: null, result: resultOf(row), repeats: null };
  const messages = parsed.error.issues.slice(0, MAX_MESSAGES).map(({ path, message }) => ({
    field: path.length === 0 ? null : fieldOf(path),
    message,
  }));
  return refusedRow(resultOf(row), ...messages);
}

const MAX_MESSAGES = 20;

/** `links[0].code` */
function fieldOf(path: PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${String(step)}`))
    .join('');
}

/** Says that nothing of the row is imported, and why. */
export function refusedRow(result: ImportRowResult, ...messages: Message[]): ImportRowResult {
  result.outcome = 'refused';
  result.messages.push(...messages);
  return result;
}

/** The address as addresses are compared. */
export const addressOf = ({ data }: RowInProgress) => data.partner.email.toLowerCase();

/** Connects rows with the first one above them that has the same address. */
export function connectRepeats(rows: RowInProgress[]): void {
  const first = new Map<string, RowInProgress>();
  for (const row of rows) {
    const address = addressOf(row);
    row.repeats = first.get(address) ?? null;
    if (!row.repeats) first.set(address, row);
  }
}

/** The parts of all rows whose partners were taken, in order. */
export function partsOf<Part>(rows: RowInProgress[], parts: (data: ImportedPartner) => Part[]): PartOf<Part>[] {
  return rows.flatMap((row) => {
    const { partner, data } = row;
    if (!partner) return [];
    return parts(data).map((part) => ({ part, row, partnerId: partner.id, membershipId: partner.membershipId }));
  });
}

/** The outcome of something that is there now. */
export function outcomeOf({ isNew, isAdded }: { isNew: boolean; isAdded: boolean }): ImportOutcome {
  if (isNew) return 'created';
  return isAdded ? 'merged' : 'unchanged';
}

/** A row whose partner is not new has merged something if one of its parts changed, or the row that it repeats did. */
export function settleRow({ result, repeats }: RowInProgress): void {
  if (result.outcome !== 'unchanged') return;
  const parts = [...result.links, ...result.coupons, ...result.customers, ...result.balances];
  const isChanged = parts.some(({ outcome }) => outcome === 'created' || outcome === 'merged');
  const isRepeated = repeats !== null && ['created', 'merged'].includes(repeats.result.outcome);
  if (isChanged || isRepeated) result.outcome = 'merged';
}
