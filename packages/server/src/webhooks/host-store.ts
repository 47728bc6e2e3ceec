import type { Queryable } from '../db/db.ts';

/**
 * Leases those of the hosts that no other node is sending to, and returns all that this node holds of them. A node that stops
 * without a word loses its leases after a while. They follow the clock of the database, the same for all nodes.
 */
export async function leaseHosts(db: Queryable, node: string, hosts: string[], leaseMs: number): Promise<string[]> {
  if (hosts.length === 0) return [];
  const rows = await db.query<{ host: string }>(
    `insert into webhook_hosts as h (host, node, leased_until)
     select due.host, $1::uuid, clock_timestamp() + $3 * interval '1 millisecond'
     from (select distinct host from unnest($2::text[]) host order by 1) due
     on conflict (host) do update set node = excluded.node, leased_until = excluded.leased_until
     where h.node = excluded.node or h.leased_until <= clock_timestamp()
     returning host`,
    [node, hosts, leaseMs],
  );
  return rows.map(({ host }) => host);
}

/** Keeps the lease of a host; returns false if another node has it by now. */
export async function renewLease(db: Queryable, host: string, node: string, leaseMs: number): Promise<boolean> {
  const rows = await db.query(
    `update webhook_hosts set leased_until = clock_timestamp() + $3 * interval '1 millisecond'
     where host = $1 and node = $2 returning host`,
    [host, node, leaseMs],
  );
  return rows.length > 0;
}

/** Until when another node may be sending to the host in this column; null if it is free. */
export const leasedUntil = (host: string) =>
  `(select h.leased_until from webhook_hosts h where h.host = ${host} and h.leased_until > clock_timestamp())`;

export async function deleteLease(db: Queryable, host: string, node: string): Promise<void> {
  await db.query('delete from webhook_hosts where host = $1 and node = $2', [host, node]);
}

/** Ends all leases: for a store that no other node uses. */
export async function deleteLeases(db: Queryable): Promise<void> {
  await db.query('delete from webhook_hosts', []);
}
