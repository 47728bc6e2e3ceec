import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { wrongUsage } from '../failure.ts';
import { readIfExists, setValues, writeSecret } from '../project/env-file.ts';
import type { Session } from '../session.ts';

/** The secret that forwarded events are signed with, and whether it stays the same next time. */
type WebhookSecret = { secret: string; isKept: boolean };

const SECRET = 'SVC_WEBHOOK_SECRET';
const ADDRESS = 'SVC_FORWARD_TO';

/** The secret that was passed, or the project's, which is made the first time and kept in `.svc/.env`. */
export async function webhookSecret(session: Session, given: string | undefined): Promise<WebhookSecret> {
  if (given !== undefined) return { secret: requireSecret(given, '--secret'), isKept: false };
  const kept = session.project[SECRET];
  if (kept) return { secret: requireSecret(kept, `${SECRET} in .svc/.env`), isKept: true };
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  return { secret, isKept: await keep(session, { [SECRET]: secret }) };
}

/** The address that `svc listen` forwarded to the last time in this project. */
export const keptAddress = ({ project }: Session) => project[ADDRESS];

/** Lets `svc trigger` send to the same address. */
export async function keepAddress(session: Session, url: string): Promise<void> {
  if (keptAddress(session) !== url) await keep(session, { [ADDRESS]: url });
}

function requireSecret(secret: string, from: string): string {
  try {
    new Webhook(secret);
    return secret;
  } catch {
    throw wrongUsage(`${from} is not a webhook secret: it is whsec_ and base64.`);
  }
}

/** Writes the variables to the key file, if this folder has one. Returns whether it does. */
async function keep({ cwd }: Session, values: Record<string, string>): Promise<boolean> {
  const path = join(cwd, '.svc', '.env');
  if (!(await stat(path).catch(() => undefined))?.isFile()) return false;
  await writeSecret(path, setValues((await readIfExists(path)) ?? '', values));
  return true;
}
