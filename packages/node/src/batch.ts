import type { LeadBody, RefundBody, SaleBody } from './bodies.ts';
import { type Answer, judgeAnswer, type Outcome } from './outcome.ts';
import { SvcError } from './svc-error.ts';

/** One event of a batch: the body of its route, and which one it is. */
export type BatchItem =
  | ({ type: 'lead' } & LeadBody)
  | ({ type: 'sale' } & SaleBody)
  | ({ type: 'refund' } & RefundBody);

/** What the service answers: for each item, in order, the status and body that its own route would have given. */
export type BatchReply = { data?: { results?: ({ index: number } & Answer)[] } };

/** A request of a batch, and how many of its items it holds. */
export type BatchPart = { count: number; body: string };

const MAX_ITEMS = 1_000;
/** A little less than the 1 MiB that the service accepts. */
const MAX_BYTES = 1_000_000;

/** The bodies of the requests that report all items, in order, each within the limits of the service. */
export function splitBatch(items: readonly BatchItem[]): BatchPart[] {
  const parts: string[][] = [];
  let bytes = MAX_BYTES;
  for (const item of items) {
    const text = JSON.stringify(item);
    const size = new TextEncoder().encode(text).length + 1;
    const last = parts.at(-1);
    if (last && last.length < MAX_ITEMS && bytes + size <= MAX_BYTES) {
      last.push(text);
      bytes += size;
    } else {
      parts.push([text]);
      bytes = size;
    }
  }
  return parts.map((texts) => ({ count: texts.length, body: `{"items":[${texts.join(',')}]}` }));
}

/** The outcome of each item, from the outcomes of the requests. After a request that failed, no other is sent. */
export function judgeItems(
  items: readonly BatchItem[],
  parts: BatchPart[],
  outcomes: Outcome<BatchReply>[],
  acceptsDuplicates: boolean,
): Outcome<unknown>[] {
  const last = outcomes.at(-1) as Outcome<BatchReply>;
  // Without parts, nothing could be sent at all.
  const counts = parts.length > 0 ? parts.map(({ count }) => count) : [items.length];
  let first = 0;
  return counts.flatMap((count, part) => {
    const outcome = outcomes[part] ?? last;
    const types = items.slice(first, first + count).map((item) => item?.type);
    first += count;
    if (outcome.outcome !== 'recorded') return types.map(() => outcome);
    const results = new Map(outcome.reply.data?.results?.map((result) => [result.index, result]));
    return types.map((type, index) => {
      const result = results.get(index);
      return result ? judgeAnswer(type, result, acceptsDuplicates) : { ok: false, outcome: 'failed', error: NO_RESULT };
    });
  });
}

const NO_RESULT = new SvcError('The service did not say what became of this item', {
  code: 'unexpected_response',
  isRetryable: true,
});
