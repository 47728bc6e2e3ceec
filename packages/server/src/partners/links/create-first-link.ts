import { randomBytes } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { Transaction } from '../../db/db.ts';
import { announce } from '../../outbox/announce.ts';
import { LINK_ROWS } from './link-list-store.ts';
import { insertFirstLink } from './link-store.ts';

/**
 * Gives a new partner a link to start with, once. Partners who have or had a link get none. The short link is random: it is
 * public and stays in the addresses that visitors opened, so it says nothing about the person.
 */
export async function createFirstLink(
  tx: Transaction,
  ctx: Context,
  partner: { programId: number; partnerId: number },
): Promise<void> {
  const id = await insertFirstLink(tx, partner, randomBytes(6).toString('hex'), ctx.now());
  if (id === null) return;
  const event = { type: 'link.created', programId: partner.programId, id } as const;
  announce(ctx, tx, [{ rows: LINK_ROWS, events: [event] }]);
}
