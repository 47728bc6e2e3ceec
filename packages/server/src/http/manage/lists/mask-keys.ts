import { maskEmail } from '@svc/contract';
import type { ProgramAccess } from '../../callers/program-access.ts';

/** Some brands use e-mail addresses as customer keys. Partners see those masked, like any other e-mail address. */
export function maskKeys<Row extends { customerKey: string | null }>({ role }: ProgramAccess, rows: Row[]): Row[] {
  if (role !== 'partner') return rows;
  return rows.map((row) => ({
    ...row,
    customerKey: row.customerKey?.includes('@') ? maskEmail(row.customerKey) : row.customerKey,
  }));
}
