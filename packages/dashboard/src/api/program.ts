import type { Row } from './client.ts';
import { useApiQuery } from './hooks.ts';

export type ListedProgram = Row<'managePrograms'>;

/** Whether the user owns the program’s workspace. Only owners manage API keys, the team and payment processors. */
export function useIsOwner(programId: number): boolean {
  const programs = useApiQuery('managePrograms');
  return programs.data?.data.find(({ id, role }) => id === programId && role !== 'partner')?.role === 'owner';
}

/** The newest hundred active partners as options of a select. */
export function usePartnerOptions(programId: number): [id: string, name: string][] {
  const query = { status: 'active', limit: 100 } as const;
  const partners = useApiQuery('managePartners', { params: { program_id: programId }, query });
  return (partners.data?.data ?? []).map(({ id, name }) => [String(id), name]);
}
