import { randomBytes } from 'node:crypto';
import type { Queryable } from '../../db/db.ts';
import { insertFirstLink } from './link-store.ts';

/**
 * Gives a new partner a link to start with, once. Partners who have or had a link get none. The short link is random: it is
 * public and stays in the addresses that visitors opened, so it says nothing about the person.
 */
export async function createFirstLink(
  tx: Queryable,
  partner: { programId: number; partnerId: number },
  now: Date,
): Promise<void> {
  await insertFirstLink(tx, partner, randomBytes(6).toString('hex'), now);
}
