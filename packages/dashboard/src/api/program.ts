import type { Row } from './client.ts';
import { useRead } from './hooks.ts';

export type ListedProgram = Row<'managePrograms'>;

/** Whether the person owns the program's workspace; only owners see and change keys, members and the processor. */
export function useIsOwner(programId: number): boolean {
  const programs = useRead('managePrograms');
  return programs.data?.data.find(({ id, role }) => id === programId && role !== 'partner')?.role === 'owner';
}

/** Active partners of a program as choices: the newest hundred, which a search box goes beyond. */
export function usePartnerChoices(programId: number): [string, string][] {
  const query = { status: 'active', limit: 100 } as const;
  const partners = useRead('managePartners', { params: { program_id: programId }, query });
  return (partners.data?.data ?? []).map(({ id, name }) => [String(id), name]);
}
