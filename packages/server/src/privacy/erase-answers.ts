import type { Queryable } from '../db/db.ts';
import type { Encryption } from '../encryption.ts';
import { listAnswersForUpdate, updateErasedAnswer } from '../idempotency/idempotency-store.ts';
import { readContent } from './read-event-contents.ts';
import { type Identifiers, isNamedIn, redactJson } from './redact.ts';

const BATCH = 200;

/** Removes the person from answers that are kept for repeated requests. A repetition still changes nothing. */
export async function eraseFromAnswers(
  tx: Queryable,
  encryption: Encryption,
  programId: number,
  person: Identifiers,
): Promise<void> {
  let lastId = 0;
  for (;;) {
    const answers = await listAnswersForUpdate(tx, programId, lastId, BATCH);
    for (const { id, sealed } of answers) {
      lastId = id;
      const answer = readContent(encryption, sealed);
      if (isNamedIn(answer, person)) {
        await updateErasedAnswer(tx, id, encryption.seal(JSON.stringify(redactJson(answer, person))));
      }
    }
    if (answers.length < BATCH) return;
  }
}
