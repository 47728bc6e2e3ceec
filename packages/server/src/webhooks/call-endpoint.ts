import type { Context } from '../context.ts';
import type { Encryption } from '../encryption.ts';
import { eventIdOf } from '../feed/render-event.ts';
import { CallFailed, type CallOut } from '../outbound/call-out.ts';
import type { Answer } from './attempt.ts';
import type { Sending } from './delivery-store.ts';
import { bodyFor, headersFor } from './message.ts';

export type CallContext = Pick<Context, 'now' | 'log'> & { encryption: Encryption; callOut: CallOut };

const KEPT_BYTES = 4_096;

/** Sends an event to an endpoint, signed for now. Whatever happens is an answer. */
export async function callEndpoint(ctx: CallContext, sending: Sending): Promise<Answer> {
  if (sending.event === null) return failed('The event is no longer kept.');
  try {
    const { url, format, event } = sending;
    const body = bodyFor(format, event);
    const headers = headersFor(eventIdOf(sending.eventId), body, validSecrets(ctx, sending), ctx.now());
    const answer = await ctx.callOut.call({ method: 'POST', url, headers, body });
    return { status: answer.status, headers: answer.headers, body: keptOf(answer), error: null };
  } catch (error) {
    if (error instanceof CallFailed) return failed(error.message);
    ctx.log.error({ err: error, delivery: sending.id }, 'A webhook could not be sent');
    return failed('The service could not send the event because of an internal error.');
  }
}

const failed = (error: string): Answer => ({ status: null, headers: null, body: null, error });

function validSecrets({ encryption, now }: CallContext, sending: Sending): string[] {
  const { secretSealed, oldSecretSealed, oldSecretUntil } = sending;
  const isOldValid = oldSecretUntil !== null && oldSecretUntil > now();
  return [secretSealed, ...(oldSecretSealed && isOldValid ? [oldSecretSealed] : [])].map(encryption.open);
}

/** The beginning of an answer as the database can hold it. What is compressed would not be readable. */
function keptOf({ headers, body }: { headers: Record<string, string>; body: string }): string | null {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') return null;
  const start = Buffer.from(body).subarray(0, KEPT_BYTES);
  // A character that was cut in two is left out.
  return new TextDecoder().decode(start, { stream: true }).replaceAll('\0', '\ufffd');
}
