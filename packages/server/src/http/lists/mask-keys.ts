import { type CommissionKind, maskEmail } from '@svc/contract';
import type { ProgramAccess } from '../../callers/program-access.ts';

/** Some brands use e-mail addresses as customer keys. Partners see those masked, like any other e-mail address. */
export function maskKeys<Row extends { customerKey: string | null }>({ role }: ProgramAccess, rows: Row[]): Row[] {
  if (role !== 'partner') return rows;
  return rows.map((row) => ({
    ...row,
    customerKey: row.customerKey?.includes('@') ? maskEmail(row.customerKey) : row.customerKey,
  }));
}

type PaidRow = { kind: CommissionKind; customerId: number | null; customerKey: string | null };

/** The same for what partners are paid. An override is about a customer of another partner, whom they do not see at all. */
export function maskPaidRows<Row extends PaidRow>(access: ProgramAccess, rows: Row[]): Row[] {
  if (access.role !== 'partner') return rows;
  return maskKeys(
    access,
    rows.map((row) => (row.kind === 'override' ? { ...row, customerId: null, customerKey: null } : row)),
  );
}
