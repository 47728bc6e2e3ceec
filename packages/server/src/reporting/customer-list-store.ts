import type { CustomerStatus } from '@svc/contract';
import type { Queryable } from '../db/db.ts';

export type ListedCustomer = {
  id: number;
  clickedAt: Date | null;
  customerKey: string | null;
  status: CustomerStatus;
  partnerId: number | null;
  emailMasked: string | null;
  createdAt: Date;
};

export type CustomerFilter = {
  status?: CustomerStatus;
  partnerId: number | null;
  customerKey?: string;
  beforeId: number | null;
  limit: number;
};

export function listCustomers(db: Queryable, programId: number, filter: CustomerFilter): Promise<ListedCustomer[]> {
  return db.query<ListedCustomer>(
    `select id, clicked_at as "clickedAt", customer_key as "customerKey", status, partner_id as "partnerId",
       email_masked as "emailMasked", created_at as "createdAt"
     from customers
     where program_id = $1 and not is_test and ($2::text is null or status = $2)
       and ($3::bigint is null or partner_id = $3) and ($4::text is null or customer_key = $4)
       and ($5::bigint is null or id < $5)
     order by id desc limit $6`,
    [programId, filter.status ?? null, filter.partnerId, filter.customerKey ?? null, filter.beforeId, filter.limit],
  );
}
