import { randomBytes } from 'node:crypto';
import { TEST_LINK_PREFIX } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { slugOf } from '../programs/slug.ts';
import { insertFirstLink } from './link-store.ts';

/** Gives a new partner a link to start with, once. Partners who have or had a link get none. */
export async function createFirstLink(
  tx: Queryable,
  partner: { programId: number; partnerId: number; name: string },
  now: Date,
): Promise<void> {
  const shortLinks = shortLinksFor(partner.name);
  await insertFirstLink(tx, partner, shortLinks, now);
  // Someone else may have taken the same short link at the same moment. Then the next one is free; otherwise this is a no-op.
  await insertFirstLink(tx, partner, shortLinks, now);
}

/** Short links to choose from: the partner's name, the name with a random end, and a random one. */
function shortLinksFor(name: string): string[] {
  const random = randomBytes(5).toString('hex');
  const slug = slugOf(name).slice(0, 40).replace(/-$/, '');
  const isUsable = /[a-z0-9]/i.test(name.normalize('NFKD')) && !slug.startsWith(TEST_LINK_PREFIX);
  return isUsable ? [slug, `${slug}-${random.slice(0, 4)}`, random] : [random];
}
