import { OPERATOR } from '../../../server/src/audit/audit-store.ts';
import { createEncryption } from '../../../server/src/encryption.ts';
import { connectProcessor } from '../../../server/src/payments/connections/connect-processor.ts';
import { deriveSecret } from '../../../server/src/secret.ts';
import { SECRET, type StripeEvent, signed } from '../payments/stripe.ts';
import type { FirstProgram } from './first-program.ts';
import { type Installation, onStore } from './installations.ts';
import { post, SECRET as SERVICE_SECRET } from './processes.ts';

/** Connects a program of a stopped installation to Stripe. */
export function connectStopped(installation: Installation, { program_id: id }: FirstProgram): Promise<void> {
  const encryption = createEncryption(deriveSecret(SERVICE_SECRET, 'secrets at rest'));
  const settings = { provider: 'stripe', accountId: null, secret: { value: SECRET }, isSandbox: false } as const;
  return onStore(installation, async (db) => {
    const [program] = await db.query<{ workspaceId: number }>(
      'select advertiser_id as "workspaceId" from programs where id = $1',
      [id],
    );
    const ctx = { db, now: () => new Date(), encryption };
    await connectProcessor(ctx, { id, workspaceId: program?.workspaceId ?? 0 }, settings, {
      hasPlatform: false,
      actor: OPERATOR,
    });
  });
}

/** Creates a customer who clicked the program's link and signed up. */
export async function signUpBuyer(url: string, { short_link: link, api_key: key }: FirstProgram, customerKey: string) {
  const { body } = await post(`${url}/api/v1/track/click`, { affiliate_url: `https://example.com/?aff=${link}` });
  await post(`${url}/api/v1/track/lead`, { click_id: body.click_id, customer_key: customerKey }, key);
}

/** Sends an event like Stripe does, and returns the status, or null without a response. */
export async function sendTo(url: string, programId: number, event: StripeEvent): Promise<number | null> {
  const body = JSON.stringify(event);
  const headers = signed(body, new Date());
  const target = `${url}/api/v1/webhooks/stripe/${programId}`;
  const answer = await fetch(target, { method: 'POST', headers, body }).catch(() => null);
  await answer?.body?.cancel().catch(() => undefined);
  return answer?.status ?? null;
}
