import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ImportOutcome,
  MAX_IMPORT_PARTS,
  MAX_IMPORT_ROWS,
  MAX_LARGE_BODY_BYTES,
  manageImport,
  type ReplyOf,
} from '@svc/contract';
import { RETRY_DELAYS } from '../api/retry.ts';
import { Failure } from '../failure.ts';
import type { Session } from '../session.ts';
import type { Access } from './access.ts';
import type { Row } from './row.ts';

type Reply = ReplyOf<typeof manageImport>['data'];
type RowResult = Reply['rows'][number];

const PARTS = ['links', 'coupons', 'customers', 'balances'] as const;
type Counted = 'partners' | (typeof PARTS)[number];

/** What became of the rows: how many of each kind, and what was refused. */
export type Sent = {
  import: Reply['import'];
  outcomes: Record<Counted, Record<ImportOutcome, number>>;
  refused: { partner: string; what: string; message: string }[];
  /** Codes that another program uses, and that work on the sites of this program. */
  aliases: string[];
  /** Whom each code leads to. */
  codes: {
    email: string;
    code: string;
    short_link: string | null;
    partner_id: number | null;
    refused: string | null;
  }[];
};

export type Sending = Access & {
  source: string;
  dryRun: boolean;
  payApproved?: boolean;
  onBatch: (rows: number) => void;
};

/** Leaves room for what is around the rows. */
const MAX_BATCH_BYTES = MAX_LARGE_BODY_BYTES - 20_000;

/** Rows in requests of a size that the service takes. A partner with several rows stays in order. */
export function batchesOf(rows: Row[]): Row[][] {
  const batches: Row[][] = [];
  let [room, parts] = [0, 0];
  for (const row of rows) {
    const bytes = Buffer.byteLength(JSON.stringify(row)) + 1;
    const batch = batches.at(-1);
    const own = PARTS.reduce((count, part) => count + row[part].length, 0);
    if (batch && batch.length < MAX_IMPORT_ROWS && bytes <= room && own <= parts) batch.push(row);
    else {
      batches.push([row]);
      [room, parts] = [MAX_BATCH_BYTES, MAX_IMPORT_PARTS];
    }
    room -= bytes;
    parts -= own;
  }
  return batches;
}

/** Sends the rows. Sending them again changes nothing, so a request without an answer is simply repeated. */
export async function sendRows(session: Session, rows: Row[], sending: Sending): Promise<Sent> {
  const none = (): Record<ImportOutcome, number> => ({ created: 0, merged: 0, unchanged: 0, refused: 0 });
  const outcomes = { partners: none(), links: none(), coupons: none(), customers: none(), balances: none() };
  const sent: Sent = { import: null, outcomes, refused: [], aliases: [], codes: [] };
  for (const batch of batchesOf(rows)) {
    const { import: found, rows: results } = await sendBatch(session, batch, sending);
    sent.import = found ?? sent.import;
    for (const result of results) count(sent, batch[result.row]?.partner.email ?? '', result);
    sending.onBatch(batch.length);
  }
  return sent;
}

async function sendBatch(session: Session, rows: Row[], sending: Sending): Promise<Reply> {
  const { params, token, source, dryRun, payApproved = false, signal } = sending;
  const body = { source, rows, dry_run: dryRun, pay_approved: payApproved };
  for (let retries = 0; ; retries += 1) {
    try {
      return (await session.api.call(manageImport, { params, token, body, signal })).data;
    } catch (error) {
      const seconds = RETRY_DELAYS[retries];
      if (signal.aborted || !mayPass(error) || seconds === undefined) throw error;
      session.out.note(`${(error as Failure).message} Sending these rows again in ${seconds} s.`);
      await sleep(seconds * 1000, undefined, { signal });
    }
  }
}

const mayPass = (error: unknown) =>
  error instanceof Failure && (error.parts.code === 'no_answer' || (error.parts.status ?? 0) >= 500);

function count(sent: Sent, partner: string, result: RowResult): void {
  sent.outcomes.partners[result.outcome] += 1;
  const refuse = (what: string, message: string) => sent.refused.push({ partner, what, message });
  if (result.outcome === 'refused') {
    for (const { field, message } of result.messages) refuse(field ?? 'row', message);
    return;
  }
  for (const part of PARTS) {
    for (const each of result[part]) {
      sent.outcomes[part][each.outcome] += 1;
      if (each.outcome === 'refused') refuse(nameOf(each), each.message ?? 'refused');
    }
  }
  for (const { code, alias, short_link, outcome, message } of result.links) {
    if (alias) sent.aliases.push(code);
    const refused = outcome === 'refused' ? (message ?? 'refused') : null;
    sent.codes.push({ email: partner, code, short_link, partner_id: result.partner_id, refused });
  }
}

function nameOf(part: { code: string } | { external_id: string } | { currency: string }): string {
  if ('code' in part) return part.code;
  return 'external_id' in part ? part.external_id : `balance in ${part.currency}`;
}
