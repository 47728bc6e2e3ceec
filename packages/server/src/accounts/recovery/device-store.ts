import type { Queryable } from '../../db/db.ts';

/** Remembers a device, and returns whether it is new to an account that has others. */
export async function insertDevice(db: Queryable, userId: string, deviceHash: string, now: Date): Promise<boolean> {
  const [row] = await db.query<{ isNew: boolean }>(
    `with others as (select 1 from known_devices where user_id = $1),
       known as (
         insert into known_devices (user_id, device_hash, last_seen_at) values ($1, $2, $3)
         on conflict (user_id, device_hash) do update set last_seen_at = excluded.last_seen_at
         returning xmax = 0 as inserted
       )
     select inserted and exists (select from others) as "isNew" from known`,
    [userId, deviceHash, now],
  );
  return row?.isNew ?? false;
}

/** Whether the account has been used on the device before: the one with this id or, before anyone has signed in, this address. */
export async function hasDevice(
  db: Queryable,
  account: { userId: string } | { email: string },
  deviceHash: string,
): Promise<boolean> {
  const [column, value] = 'userId' in account ? ['id', account.userId] : ['email', account.email];
  const rows = await db.query(
    `select from known_devices d join users u on u.id = d.user_id where u.${column} = $1 and d.device_hash = $2`,
    [value, deviceHash],
  );
  return rows.length > 0;
}

/** Forgets where the account was used. */
export async function deleteDevicesOf(db: Queryable, userId: string): Promise<void> {
  await db.query('delete from known_devices where user_id = $1', [userId]);
}

export async function deleteOldDevices(db: Queryable, before: Date): Promise<void> {
  await db.query('delete from known_devices where last_seen_at < $1', [before]);
}
