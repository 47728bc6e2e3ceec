import type { Row } from './client.ts';
import { useRead } from './hooks.ts';

export type ListedProgram = Row<'managePrograms'>;

/** Whether the person owns the program's workspace; only owners see and change keys, members and the processor. */
export function useIsOwner(programId: number): boolean {
  const programs = useRead('managePrograms');
  return programs.data?.data.find(({ id, role }) => id === programId && role !== 'partner')?.role === 'owner';
}

/** Partners of a program as choices of a filter: the newest hundred, which a search box goes beyond. */
export function usePartnerChoices(programId: number): [string, string][] {
  const partners = useRead('managePartners', { params: { program_id: programId }, query: { limit: 100 } });
  return (partners.data?.data ?? []).map(({ id, name }) => [String(id), name]);
}
