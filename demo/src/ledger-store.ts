import type { Service } from '@svc/server/app';

type Db = Service['ctx']['db'];

export type Ledger = {
  clicks: { id: number; partner: string; at: string }[];
  customers: {
    id: number;
    status: string;
    customer_key: string | null;
    email: string | null;
    partner: string | null;
  }[];
  sales: { id: number; transaction_id: string; amount_cents: number; refunded_cents: number; currency: string }[];
  commissions: {
    id: number;
    sale_id: number;
    partner: string;
    commission_cents: number;
    deducted_cents: number;
    currency: string;
    stage: string;
    reversal: string;
  }[];
};

/** What the service has stored for the program since this time, oldest first, as it was at one moment. */
export function readLedger(db: Db, programId: number, since: Date): Promise<Ledger> {
  const params = [programId, since];
  return db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only');
    const [clicks, customers, sales, commissions] = await Promise.all([
      tx.query<Ledger['clicks'][number]>(
        `select c.id, p.name as partner, c.clicked_at as at from clicks c join partners p on p.id = c.partner_id
         where c.program_id = $1 and c.clicked_at >= $2 order by c.id`,
        params,
      ),
      tx.query<Ledger['customers'][number]>(
        `select c.id, c.status, c.customer_key, c.email_masked as email, p.name as partner
         from customers c left join partners p on p.id = c.partner_id where c.program_id = $1 and c.created_at >= $2
         order by c.id`,
        params,
      ),
      tx.query<Ledger['sales'][number]>(
        `select id, processor_event_id as transaction_id, amount_cents, refunded_cents, currency
         from sales where program_id = $1 and created_at >= $2 order by id`,
        params,
      ),
      tx.query<Ledger['commissions'][number]>(
        `select c.id, c.sale_id, p.name as partner, c.commission_cents, c.deducted_cents, c.currency, c.stage, c.reversal
         from commissions c join partners p on p.id = c.partner_id where c.program_id = $1 and c.created_at >= $2
         order by c.id`,
        params,
      ),
    ]);
    return { clicks, customers, sales, commissions };
  });
}
