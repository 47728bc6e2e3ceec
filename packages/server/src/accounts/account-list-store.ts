import type { WorkspaceRole } from '@svc/contract';
import type { Queryable } from '../db/db.ts';

export type ListedAccount = {
  id: string;
  email: string;
  name: string;
  workspaceId: number | null;
  role: WorkspaceRole | null;
  /** In how many workspaces the account is a partner. */
  partnerOf: number;
  suspendedAt: Date | null;
  createdAt: Date;
};

/** Accounts in the order of their addresses, from after an address on. */
export function listAccounts(db: Queryable, after: string, limit: number): Promise<ListedAccount[]> {
  return db.query<ListedAccount>(
    `select u.id, u.email, u.name, m.advertiser_id as "workspaceId", m.role,
       (select count(*) from partners p where p.user_id = u.id) as "partnerOf", u.suspended_at as "suspendedAt",
       u.created_at as "createdAt"
     from users u left join workspace_members m on m.user_id = u.id
     where u.email > $1 order by u.email limit $2`,
    [after, limit],
  );
}
