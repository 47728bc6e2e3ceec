import type { MailKind } from '@svc/contract';
import { createEncryption } from '../../server/src/encryption.ts';
import { deriveSecret } from '../../server/src/secret.ts';
import { TEST_SECRET, type TestService } from './service.ts';

/** What the mails of a kind say that wait in the queue, oldest first: all of them, or those for an account. */
export async function queuedMails(
  service: TestService,
  kind: MailKind,
  userId: string | null = null,
): Promise<Record<string, unknown>[]> {
  const { open } = createEncryption(deriveSecret(TEST_SECRET, 'mail'));
  const mails = await service.sql<{ content: string }>(
    `select content_sealed as content from mails
     where kind = $1 and ($2::text is null or user_id = $2) and content_sealed is not null order by id`,
    [kind, userId],
  );
  return mails.map(({ content }) => JSON.parse(open(content)));
}
