import { maskEmail } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { listEventsNaming, updateEventTexts } from '../feed/erased-feed-store.ts';
import { listWaitingNaming, type SearchedEvents, updateWaitingTexts } from '../outbox/erased-outbox-store.ts';
import { DELETED_PARTNER, MASKED_DELETED_ADDRESS } from '../partners/erased-partner-store.ts';
import { deleteAnswersTo } from '../webhooks/erased-delivery-store.ts';
import type { Person } from './identify-person.ts';
import { type Identifiers, redactJson } from './redact.ts';

type About = { customerId: number | null; partnerId: number | null };
/** What an event says without the person. */
type Erase = <Value>(value: Value, about: About) => Value;

const BATCH = 500;

/**
 * Removes a customer from what was announced, numbered or not, and from what receivers answered. Every event keeps its number, and
 * says what the lists say about an erased customer.
 */
export async function eraseCustomerFromFeed(
  tx: Queryable,
  programId: number,
  person: Person,
  words: string[],
): Promise<void> {
  const { customerIds, maskedAddresses } = person;
  const searched = { programIds: [programId], customerIds, partnerIds: [], words: [...words, ...maskedAddresses] };
  // Others may have an address that looks the same when it is masked.
  const recognizable = { ...person, words: [...person.words, ...maskedAddresses] };
  await eraseFromEvents(tx, searched, (value, { customerId }) => {
    const isTheirs = customerId !== null && customerIds.includes(customerId);
    const anonymous = isTheirs ? withFields(value, () => true, ANONYMOUS) : value;
    return redactJson(anonymous, isTheirs || customerId === null ? recognizable : person);
  });
}

const ANONYMOUS = { customer_key: null, click_id: null, clicked_at: null, email_masked: null, sub: null };

/** What lists call a deleted partner, as the feed masks it. */
const DELETED = { name: DELETED_PARTNER, email: MASKED_DELETED_ADDRESS };

/** Removes a person who was a partner from what was announced in their programs, and from what receivers answered. */
export async function erasePartnersFromFeed(
  tx: Queryable,
  programIds: number[],
  { partnerIds, name, email }: { partnerIds: number[]; name: string; email: string },
): Promise<void> {
  const isTheirs = (id: unknown) => typeof id === 'number' && partnerIds.includes(id);
  const identifiers: Identifiers = {
    words: [name, email, maskEmail(email)],
    ownsAddress: (address) => address.toLowerCase() === email,
  };
  const searched = { programIds, customerIds: [], partnerIds, words: partnerIds.flatMap(spellingsOf) };
  await eraseFromEvents(tx, searched, (value, { partnerId }) => {
    const named = { partner_name: DELETED.name, partner_email: DELETED.email };
    const renamed = withFields(value, (row) => isTheirs(row.partner_id), named);
    if (!isTheirs(partnerId)) return renamed;
    const ofPartner = (row: Record<string, unknown>) => isTheirs(row.id) || isTheirs(row.partner_id);
    return redactJson(
      withFields(renamed, ofPartner, {
        ...DELETED,
        external_id: null,
        label: null,
        payout_details: null,
        payout_method: null,
      }),
      identifiers,
    );
  });
}

/** How JSON spells that something is of a partner, with and without spaces. */
const spellingsOf = (partnerId: number) =>
  [':', ': '].flatMap((colon) => [',', '}'].map((end) => `"partner_id"${colon}${partnerId}${end}`));

async function eraseFromEvents(tx: Queryable, searched: SearchedEvents, erase: Erase): Promise<void> {
  // First those that wait: what is being numbered meanwhile is in the feed when they are locked.
  for (const { id, customerId, partnerId, ...texts } of await listWaitingNaming(tx, searched)) {
    const about = { customerId, partnerId };
    await updateWaitingTexts(tx, { id, ...about, ...erase(texts, about) });
  }
  let last = { programId: 0, sequence: 0 };
  for (;;) {
    const events = await listEventsNaming(tx, searched, last, BATCH);
    const named: typeof events = [];
    for (const event of events) {
      const { facts, gone, more } = event;
      const erased = erase({ facts, gone, more }, event);
      const isChanged = JSON.stringify(erased) !== JSON.stringify({ facts, gone, more });
      if (isChanged) await updateEventTexts(tx, { ...event, ...erased });
      if (isChanged || isAbout(event, searched)) named.push(event);
      last = event;
    }
    await deleteAnswersTo(tx, named);
    if (events.length < BATCH) return;
  }
}

const isAbout = ({ customerId, partnerId }: About, { customerIds, partnerIds }: SearchedEvents) =>
  (customerId !== null && customerIds.includes(customerId)) || (partnerId !== null && partnerIds.includes(partnerId));

/** A JSON value with other values in fields that rows of it have. */
function withFields<Value>(
  value: Value,
  isMeant: (row: Record<string, unknown>) => boolean,
  fields: Record<string, unknown>,
): Value {
  if (Array.isArray(value)) return value.map((item) => withFields(item, isMeant, fields)) as Value;
  if (value === null || typeof value !== 'object') return value;
  const row = value as Record<string, unknown>;
  const meant = isMeant(row);
  return Object.fromEntries(
    Object.entries(row).map(([name, item]) => [
      name,
      meant && Object.hasOwn(fields, name) ? fields[name] : withFields(item, isMeant, fields),
    ]),
  ) as Value;
}
