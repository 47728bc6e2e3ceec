import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import type { MailKind } from '@svc/contract';
import type { Queryable } from '../db/db.ts';

/** What is counted: mails of a kind to an address, or of a workspace, since the beginning of a stretch of time. */
export type Counted = { of: string; kind: MailKind; since: Date };

export const ofWorkspace = (workspaceId: number) => `workspace ${workspaceId}`;

/**
 * An address is counted as a hash, and as the mailbox that most providers make of it: without case, dots and `+tags`. A domain can
 * be written in any number of ways, with letters of other widths or invisible ones, and is counted as what it is looked up as.
 */
export function ofAddress(address: string): string {
  const [, name = '', domain = ''] = /^(.*)@(.*)$/s.exec(address.trim().toLowerCase()) ?? ['', address, ''];
  const host = (domainToASCII(domain) || domain).replace(/\.$/, '');
  const mailbox = `${name.replace(/\+.*/s, '').replaceAll('.', '')}@${host}`;
  return `address ${createHash('sha256').update(mailbox).digest('hex')}`;
}

/** Tests that people send to themselves take nothing from what others may send them. */
export const ofTests = (address: string) => `tests to ${ofAddress(address)}`;

/** Counts a mail; false when there were `max` already. The statement decides, so that several nodes allow no more than one. */
export async function countMail(db: Queryable, { of, kind, since }: Counted, max: number): Promise<boolean> {
  const counted = await db.query(
    `insert into mail_counts as c (counted, kind, since, count) values ($1, $2, $3, 1)
     on conflict (counted, kind, since) do update set count = c.count + 1 where c.count < $4 returning count`,
    [of, kind, since, max],
  );
  return counted.length > 0;
}

export async function deleteCountsOf(db: Queryable, address: string): Promise<void> {
  await db.query('delete from mail_counts where counted = any ($1)', [[ofAddress(address), ofTests(address)]]);
}

export async function deleteOldCounts(db: Queryable, before: Date): Promise<void> {
  await db.query('delete from mail_counts where since < $1', [before]);
}
