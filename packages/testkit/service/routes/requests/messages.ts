import { insertMessage, insertRecipients } from '../../../../server/src/messages/message-store.ts';
import type { OwnedProgram } from '../../accounts.ts';
import type { TestProgram, TestService } from '../../service.ts';
import { newId } from '../../sold.ts';
import type { RequestParts } from './parts.ts';

/** Only people with a proven address write to others. */
const proveAddress = (service: TestService, { owner }: OwnedProgram) =>
  service.sql('update users set email_verified = true where id = $1', [owner.userId]);

export const MESSAGE_REQUESTS: RequestParts = {
  bodies: {
    manageStartMessage: () => ({ subject: 'News', text: 'Hello {name}', filter: { q: 'nobody' }, count: 0 }),
    manageTestMessage: () => ({ subject: 'News', text: 'Hello {name}' }),
    manageUpdateMailOpenings: () => ({ invitation: newId('Welcome'), welcome: 'Good to have you.' }),
    managePreviewMail: () => ({ mail: 'invitation', opening: 'Hello' }),
    manageTestMail: () => ({ mail: 'invitation', opening: 'Hello' }),
  },
  first: {
    manageMessages: messageIdOf,
    manageStartMessage: proveAddress,
    manageTestMessage: proveAddress,
    manageTestMail: proveAddress,
  },
  params: { message_id: messageIdOf },
};

/** The id of a message that a partner of the program could not get. */
export async function messageIdOf(service: TestService, { program, partnerId }: TestProgram): Promise<number> {
  const message = { subject: 'News', text: 'Hello', total: 1, sentBy: null };
  const limit = { since: service.time, max: Number.MAX_SAFE_INTEGER, now: service.time };
  const id = (await insertMessage(service.ctx.db, program.id, message, limit)) ?? 0;
  await insertRecipients(service.ctx.db, id, [{ partnerId, outcome: 'no_account' }]);
  return id;
}
