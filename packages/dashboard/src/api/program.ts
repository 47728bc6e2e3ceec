import type { Row } from './client.ts';
import { useApiQuery } from './hooks.ts';

export type ListedProgram = Row<'managePrograms'>;

/** Whether the user owns the program’s workspace. */
export function useIsOwner(programId: number): boolean {
  const programs = useApiQuery('managePrograms');
  return programs.data?.data.find(({ id, role }) => id === programId && role !== 'partner')?.role === 'owner';
}

/** The name of a partner of the program, or null while it is unknown. */
export function usePartnerName(programId: number, partnerId: string | undefined): string | null {
  const params = { program_id: programId, partner_id: partnerId ?? '' };
  const partner = useApiQuery('managePartner', { params }, { enabled: partnerId !== undefined, keepPrevious: false });
  if (partner.error?.status === 404) return 'Unknown partner';
  return partner.data?.data.name ?? null;
}
