import type { TestService } from './service.ts';

export type StoredDecision = {
  id: number;
  program_id: number;
  kind: string;
  outcome: string;
  reason: string;
  facts: Record<string, unknown>;
  source: string;
  customer_id: number | null;
  partner_id: number | null;
  sale_id: number | null;
  transaction_id: string | null;
  customer_key: string | null;
  click_id: string | null;
  additional_data: Record<string, unknown> | null;
  request_id: string | null;
  is_test: boolean;
  created_at: Date;
};

/** All decisions, of any program, that are stored while `work` runs. */
export async function decisionsDuring(service: TestService, work: () => Promise<unknown>): Promise<StoredDecision[]> {
  const [last] = await service.sql<{ id: number }>('select coalesce(max(id), 0) as id from decisions');
  await work();
  return service.sql<StoredDecision>('select * from decisions where id > $1 order by id', [last?.id]);
}

/** The id of the customer in a click id. */
export const customerIdOf = (clickId: string) => Number(clickId.split('_')[1]);
