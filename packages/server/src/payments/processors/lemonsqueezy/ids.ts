import { idOf } from '../fields.ts';

type Kind = 'order' | 'invoice' | 'subscription' | 'customer';

/** Ids are plain numbers, the same for things of different kinds, and could be a shop's own. They get a name in front. */
export function nameOf(kind: Kind, id: unknown): string | null {
  const text = typeof id === 'number' && Number.isSafeInteger(id) ? String(id) : idOf(id);
  return text === null || !/^\d{1,20}$/.test(text) ? null : `ls_${kind}_${text}`;
}
