import { eventLine } from '../feed/event-line.ts';
import { followFeed } from '../feed/follow-feed.ts';
import { forward, forwardUrl, outcomeOf } from '../feed/forward.ts';
import { sequenceOf } from '../feed/numbers.ts';
import { keepAddress, webhookSecret } from '../feed/project-webhook.ts';
import { programKey, type Session } from '../session.ts';

export type ListenOptions = { forwardTo: string; secret?: string; after?: string; types?: string };

/** Forwards the events of the program to an address of this machine as they happen, signed like webhooks, until Ctrl-C. */
export async function listen(session: Session, options: ListenOptions): Promise<void> {
  const { out } = session;
  const url = forwardUrl(options.forwardTo);
  const after = sequenceOf(options.after);
  programKey(session);
  const { secret, isKept } = await webhookSecret(session, options.secret);
  const signal = session.untilInterrupted();
  const start = { ...(after === undefined ? { last: 0 } : { after }), ...(options.types && { types: options.types }) };
  let last = after;
  const began = ({ meta }: { meta: { next_cursor: number } }) => {
    last ??= meta.next_cursor;
    out.note(`Signing with ${secret}${isKept ? ', which is SVC_WEBHOOK_SECRET in .svc/.env.' : '.'}`);
    out.note(`Forwarding events after ${last} to ${url}. Press Ctrl-C to stop.`);
  };
  await keepAddress(session, url);
  for await (const event of followFeed(session, start, signal, began)) {
    // Not aborted by Ctrl-C: the receiver may be in the middle of it.
    const forwarded = await forward(url, event, secret);
    last = event.sequence;
    out.item({ event, ...forwarded }, `${eventLine(event)}  -> ${outcomeOf(forwarded)}`);
  }
  if (last === undefined) return;
  out.note(`Stopped after event ${last}. To continue there: \`svc listen --forward-to ${url} --after ${last}\``);
}
