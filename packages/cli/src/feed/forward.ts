import { Webhook } from 'standardwebhooks';
import { wrongUsage } from '../failure.ts';

type Forwarded = {
  /** What the receiver answered; null without an answer. */
  status: number | null;
  /** Why there was no answer. */
  error: string | null;
  duration_ms: number;
};

type Sendable = { id: string };

const TIMEOUT_MS = 15_000;

/** The address that events are forwarded to. */
export function forwardUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url.href;
  throw wrongUsage(`--forward-to must be a web address, such as http://localhost:3000/hook, not "${text}".`);
}

/** Sends an event like the service would: the same body, headers and signature, one attempt, no redirects. Never throws. */
export async function forward(url: string, event: Sendable, secret: string, signal?: AbortSignal): Promise<Forwarded> {
  const body = JSON.stringify(event);
  const now = new Date();
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'svc-webhooks',
    'webhook-id': event.id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(event.id, now, body),
  };
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const request = {
    method: 'POST',
    headers,
    body,
    redirect: 'manual' as const,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  };
  const startedAt = performance.now();
  const since = () => Math.round(performance.now() - startedAt);
  try {
    const response = await fetch(url, request);
    await response.body?.cancel();
    return { status: response.status, error: null, duration_ms: since() };
  } catch (error) {
    return { status: null, error: reasonOf(error), duration_ms: since() };
  }
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as {
    name?: string;
    message?: string;
    cause?: { code?: string; message?: string };
  };
  if (name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} s`;
  return `no answer (${cause?.code ?? cause?.message ?? message})`;
}

/** Whether the service would count it as delivered. */
export const isDelivered = ({ status }: Forwarded) => status !== null && status >= 200 && status < 300;

/** The end of the line about an event: what the receiver answered, and after how long. */
export const outcomeOf = ({ status, error, duration_ms: ms }: Forwarded) => `${error ?? status}  ${ms} ms`;
