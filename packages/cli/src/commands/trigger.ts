import { randomUUID } from 'node:crypto';
import { exampleEvent, type FeedEventType } from '@svc/contract';
import { FAILED, wrongUsage } from '../failure.ts';
import { forward, forwardUrl, isDelivered, outcomeOf } from '../feed/forward.ts';
import { keptAddress, webhookSecret } from '../feed/project-webhook.ts';
import type { Session } from '../session.ts';

export type TriggerOptions = { forwardTo?: string; secret?: string };

/** Sends a made-up event to an address of this machine, signed like a webhook. The service has no part in it. */
export async function trigger(session: Session, type: FeedEventType, options: TriggerOptions): Promise<number> {
  const address = options.forwardTo ?? keptAddress(session);
  if (address === undefined) {
    throw wrongUsage(
      'Pass --forward-to <url>.',
      'In a project where `svc listen` has run, its address is the default.',
    );
  }
  const url = forwardUrl(address);
  const { secret, isKept } = await webhookSecret(session, options.secret);
  if (!isKept && options.secret === undefined) session.out.note(`Signing with ${secret}.`);
  const event = {
    ...exampleEvent(type),
    id: `evt_${randomUUID().replaceAll('-', '')}`,
    timestamp: new Date().toISOString(),
    program_id: Number(session.project.SVC_PROGRAM_ID) || 1,
    // No real event has it, so nobody takes this one for the next one.
    sequence: 0,
  };
  const forwarded = await forward(url, event, secret);
  session.out.result({ event, ...forwarded }, `${type}  ${event.id}  -> ${outcomeOf(forwarded)}`);
  return isDelivered(forwarded) ? 0 : FAILED;
}
