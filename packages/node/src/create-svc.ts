import { BackgroundJobs } from './background-jobs.ts';
import { type BatchItem, type BatchPart, type BatchReply, judgeItems, splitBatch } from './batch.ts';
import type {
  ClickBody,
  ClickReply,
  LeadBody,
  LeadReply,
  RefundBody,
  RefundReply,
  SaleBody,
  SaleReply,
} from './bodies.ts';
import { readSettings } from './configuration.ts';
import { deliver, type Target } from './deliver.ts';
import type { SvcEventType } from './events.ts';
import type { CallOptions, FetchLike, SvcOptions } from './options.ts';
import { type Answer, type Event, judgeAnswer, type Outcome } from './outcome.ts';
import { type EventPage, type EventsOptions, readFeed, type SvcEvent } from './read-feed.ts';
import { createReporter } from './reporter.ts';
import { SvcError } from './svc-error.ts';

/** Reports events. No function that does throws or rejects, and none takes longer than its timeout. Reading the feed does. */
export type Svc = {
  /** Reports a click, where no tracker runs. Save its `click_id` in the cookie `svc_click_id`. */
  click(body: ClickBody, options?: CallOptions): Promise<Outcome<ClickReply>>;
  /** Reports a signup. */
  lead(body: LeadBody, options?: CallOptions): Promise<Outcome<LeadReply>>;
  /** Reports a payment. Safe to repeat with the same `transaction_id`. */
  sale(body: SaleBody, options?: CallOptions): Promise<Outcome<SaleReply>>;
  /** Reports a refund. A partial one is safe to repeat with the same `refund_id`. */
  refund(body: RefundBody, options?: CallOptions): Promise<Outcome<RefundReply>>;
  /** Reports many events with few requests. Their outcomes are in the order of the items, each for itself. */
  batch(items: readonly BatchItem[], options?: CallOptions): Promise<Outcome<unknown>[]>;
  /** Waits for the calls that are retried in the background, before a process ends. */
  flush(): Promise<void>;
  /**
   * The events of the program, oldest first, and new ones as they happen: `for await (const event of svc.events({ after }))`.
   * Rejects with a `SvcError` when trying again cannot help: `SvcEventsGoneError` if events after the cursor are no longer kept.
   */
  events<Type extends SvcEventType = SvcEventType>(
    options?: EventsOptions<Type>,
  ): AsyncGenerator<SvcEvent<Type>, void, undefined>;
  /** The same in pages, each with the cursor to store beside what you made of its events. */
  eventPages<Type extends SvcEventType = SvcEventType>(
    options?: EventsOptions<Type>,
  ): AsyncGenerator<EventPage<Type>, void, undefined>;
};

const TIMEOUT_MS = 3_000;
const BATCH_TIMEOUT_MS = 30_000;
const RETRY_FOR_MS = 120_000;
/** More calls than this are not kept after their timeout. */
const MAX_IN_BACKGROUND = 1_000;

/** A client for one program. Without options, its settings come from the variables `SVC_API_KEY` and `SVC_API_URL`. */
export function createSvc(given?: SvcOptions): Svc {
  // Code without types may pass null.
  const options = given ?? {};
  const { retryForMs = RETRY_FOR_MS, acceptDuplicates = true } = options;
  const jobs = new BackgroundJobs();
  const report = createReporter(options);

  const judge = <Reply>(event: Event, answer: Answer): Outcome<Reply> => {
    report.warnings(answer.body);
    return judgeAnswer(event, answer, acceptDuplicates);
  };

  /** Sends the requests one after the other, until one fails. */
  function start<Reply, Result>(
    event: Event,
    write: () => string[],
    { timeoutMs, idempotencyKey = crypto.randomUUID() }: CallOptions & { timeoutMs: number },
    collect: (outcomes: Outcome<Reply>[]) => Result,
  ): Promise<Result> {
    const refuse = (error: SvcError) => {
      report.failure(error, event);
      return Promise.resolve(collect([{ ok: false, outcome: 'failed', error }]));
    };
    const settings = readSettings(options, event);
    const bodies = writeBodies(write);
    if (settings instanceof SvcError) return refuse(settings);
    if (bodies instanceof SvcError) return refuse(bodies);
    if (!/^[\x20-\x7e]{1,255}$/.test(idempotencyKey)) {
      return refuse(invalid('idempotencyKey must be 1 to 255 printable ASCII characters'));
    }
    const address = (route: Event) => `${settings.apiUrl}/api/v1/track/${route}`;
    const mayGoOn = retryForMs > 0 && jobs.size < MAX_IN_BACKGROUND;
    const done: Outcome<Reply>[] = [];
    const isStopped = () => done.at(-1)?.ok === false;
    return jobs.run({
      timeoutMs,
      async work(release) {
        for (const [index, body] of bodies.entries()) {
          if (isStopped()) break;
          const outcome = await deliver<Reply>({
            fetch: options.fetch ?? (fetch as FetchLike),
            headers: {
              ...settings.headers,
              ...(event !== 'click' && { 'Idempotency-Key': index ? `${idempotencyKey}-${index}` : idempotencyKey }),
            },
            to: { url: address(event), body, judge: (answer) => judge(event, answer) },
            // Leads are limited by address, which servers of a platform share with strangers. A batch is limited by key.
            orElse: event === 'lead' ? inBatch(address('batch'), event, body) : undefined,
            retryMs: mayGoOn ? Math.max(retryForMs, timeoutMs) : timeoutMs,
            onWait: release,
          });
          done.push(outcome);
        }
        return collect(done);
      },
      whenLate: (error) => collect([...done, { ok: false, outcome: mayGoOn ? 'pending' : 'failed', error }]),
      lateError: () => new SvcError(`No answer within ${timeoutMs} ms`, { code: 'timeout', isRetryable: true }),
      onEnd(_result, wasLate) {
        const last = done.at(-1);
        if (wasLate && mayGoOn) for (const outcome of done) report.outcome(outcome, event);
        if (last?.ok === false) report.failure(last.error, event);
      },
    });
  }

  /** The same event as the only item of a batch. */
  function inBatch<Reply>(url: string, type: 'lead', body: string): Target<Reply> {
    const item = { type, ...JSON.parse(body) } as BatchItem;
    return {
      url,
      body: JSON.stringify({ items: [item] }),
      judge(answer) {
        const outcome = judge<BatchReply>('batch', answer);
        if (outcome.outcome !== 'recorded') return outcome as Outcome<Reply>;
        return judgeItems([item], [], [outcome], acceptDuplicates)[0] as Outcome<Reply>;
      },
    };
  }

  const call = <Reply>(event: Event, body: object, given: CallOptions): Promise<Outcome<Reply>> => {
    const timeoutMs = given.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS;
    return start<Reply, Outcome<Reply>>(
      event,
      () => [JSON.stringify(body ?? {})],
      { ...given, timeoutMs },
      ([outcome]) => outcome as Outcome<Reply>,
    );
  };

  function batch(items: readonly BatchItem[], given: CallOptions): Promise<Outcome<unknown>[]> {
    if (!Array.isArray(items)) report.failure(invalid('batch takes an array of events'), 'batch');
    if (!Array.isArray(items) || items.length === 0) return Promise.resolve([]);
    const timeoutMs = given.timeoutMs ?? options.timeoutMs ?? BATCH_TIMEOUT_MS;
    let parts: BatchPart[] = [];
    const write = () => {
      parts = splitBatch(items);
      return parts.map(({ body }) => body);
    };
    return start<BatchReply, Outcome<unknown>[]>('batch', write, { ...given, timeoutMs }, (outcomes) =>
      judgeItems(items, parts, outcomes, acceptDuplicates),
    );
  }

  const eventPages: Svc['eventPages'] = (given = {}) => readFeed(options, given, report.warnings);

  async function* events<Type extends SvcEventType>(given: EventsOptions<Type> = {}) {
    for await (const { events } of eventPages(given)) {
      for (const event of events) {
        if (given.signal?.aborted) return;
        yield event;
      }
    }
  }

  return {
    click: (body, given) => call('click', body, given ?? {}),
    lead: (body, given) => call('lead', body, given ?? {}),
    sale: (body, given) => call('sale', body, given ?? {}),
    refund: (body, given) => call('refund', body, given ?? {}),
    batch: (items, given) => batch(items, given ?? {}),
    flush: () => jobs.end(),
    events,
    eventPages,
  };
}

/** A body that JSON cannot hold is the caller's mistake, and must not break the caller either. */
function writeBodies(write: () => string[]): string[] | SvcError {
  try {
    return write();
  } catch (error) {
    return invalid(`The event cannot be written as JSON: ${error}`);
  }
}

function invalid(message: string): SvcError {
  return new SvcError(message, { code: 'invalid_request', isRetryable: false });
}
