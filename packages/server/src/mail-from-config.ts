import type { MailKind } from '@svc/contract';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import type { DueWorker } from './db/due-work.ts';
import { createEncryption } from './encryption.ts';
import { createMailQueue, type MailQueue } from './mail/mail-queue.ts';
import { openMailWorker } from './mail/mail-worker.ts';
import { openTransport } from './mail/open-transport.ts';
import { deriveSecret } from './secret.ts';

const sealed = (secret: string) => createEncryption(deriveSecret(secret, 'mail'));

/** The key of the signatures in mailed links. Unsubscribe links work even if the installation no longer sends mail. */
export const linkSecretOf = (secret: string) => deriveSecret(secret, 'mailed links');

/** The queue of an installation that sends mail; undefined for one that does not. */
export function createConfiguredQueue(
  { mail, baseUrl }: Config,
  secret: string,
  onRefused?: (kind: MailKind) => void,
): MailQueue | undefined {
  if (!mail) return undefined;
  const { seal } = sealed(secret);
  return createMailQueue({ seal, linkSecret: linkSecretOf(secret), baseUrl, ...(onRefused && { onRefused }) });
}

type WorkerParts = {
  config: Config;
  ctx: Context;
  secret: string;
  createResetUrl: (address: string) => Promise<string | null>;
  onMail: (kind: MailKind, outcome: string) => void;
};

/** Opens the worker that sends what is queued; undefined where the installation sends no mail. */
export async function openConfiguredWorker(parts: WorkerParts): Promise<DueWorker | undefined> {
  const { config, ctx, secret, createResetUrl, onMail } = parts;
  if (!config.mail || !ctx.mail) return undefined;
  const { linkSecret, baseUrl } = ctx.mail;
  return openMailWorker({
    ...ctx,
    transport: await openTransport(config.mail.smtpUrl),
    sender: { from: config.mail.from, baseUrl, linkSecret },
    unseal: sealed(secret).open,
    createResetUrl,
    onMail,
  });
}
