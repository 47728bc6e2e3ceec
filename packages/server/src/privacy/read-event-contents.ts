import type { Queryable } from '../db/db.ts';
import type { Encryption } from '../encryption.ts';
import { listKeptContents } from '../payments/events/erased-event-store.ts';
import { objectOf } from '../payments/processors/lemonsqueezy/evidence.ts';
import { nameOf } from '../payments/processors/lemonsqueezy/ids.ts';
import { lemonsqueezy } from '../payments/processors/lemonsqueezy/lemonsqueezy.ts';
import type { Person } from './identify-person.ts';
import { type Identifiers, isNamedIn } from './redact.ts';

const BATCH = 200;

/** Events about a person, among those up to an id. */
export type FoundEvents = { ids: number[]; lastId: number };

/** Continues a search for the events of payment processors whose content names the person. */
export async function readEventsAbout(
  db: Queryable,
  encryption: Encryption,
  programId: number,
  person: Identifiers & Pick<Person, 'references'>,
  { ids, lastId }: FoundEvents,
): Promise<FoundEvents> {
  const found = { ids: [...ids], lastId };
  for await (const { id, content } of readEventContents(db, encryption, programId, lastId)) {
    if (isNamedIn(content, person) || isOfLemonCustomer(content, person.references)) found.ids.push(id);
    found.lastId = id;
  }
  return found;
}

/** Whether the content is about one of these customers of Lemon Squeezy, who are plain numbers there. */
function isOfLemonCustomer(content: unknown, references: string[]): boolean {
  const customer = nameOf('customer', objectOf(content)?.attributes.customer_id);
  return customer !== null && references.includes(`${lemonsqueezy.referencePrefix}${customer}`);
}

/** The kept contents of the program's events after an id, in the order of their ids. */
async function* readEventContents(
  db: Queryable,
  encryption: Encryption,
  programId: number,
  afterId: number,
): AsyncGenerator<{ id: number; content: unknown }> {
  let last = afterId;
  for (;;) {
    const events = await listKeptContents(db, programId, last, BATCH);
    for (const { id, payloadSealed } of events) {
      last = id;
      yield { id, content: readContent(encryption, payloadSealed) };
    }
    if (events.length < BATCH) return;
  }
}

/** Null for content that was encrypted with another secret, which nobody can read. */
export function readContent(encryption: Encryption, sealed: string): unknown {
  try {
    return JSON.parse(encryption.open(sealed));
  } catch {
    return null;
  }
}
