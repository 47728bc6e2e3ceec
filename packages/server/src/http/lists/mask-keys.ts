import { type CommissionKind, maskEmail } from '@svc/contract';
import type { ProgramAccess } from '../callers/program-access.ts';

/** Some brands use e-mail addresses as customer keys. Partners see those masked, like any other e-mail address. */
export function maskKeys<Row extends { customer_key: string | null }>({ role }: ProgramAccess, rows: Row[]): Row[] {
  if (role !== 'partner') return rows;
  return rows.map((row) => ({
    ...row,
    customer_key: row.customer_key?.includes('@') ? maskEmail(row.customer_key) : row.customer_key,
  }));
}

type PaidRow = { kind: CommissionKind; customer_id: number | null; customer_key: string | null };

/** The same for what partners are paid. An override is about a customer of another partner, whom they do not see at all. */
export function maskPaidRows<Row extends PaidRow>(access: ProgramAccess, rows: Row[]): Row[] {
  if (access.role !== 'partner') return rows;
  return maskKeys(
    access,
    rows.map((row) => (row.kind === 'override' ? { ...row, customer_id: null, customer_key: null } : row)),
  );
}
