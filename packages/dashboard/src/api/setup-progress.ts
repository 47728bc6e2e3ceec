import { useApiQuery } from './hooks.ts';

/** What a new program needs, and which of it has happened. */
export type SetupProgress = Record<'tracker' | 'signups' | 'payments' | 'invited' | 'joined', boolean>;

/** How far a program is set up, if that is known. Only what arrives from the brand’s own site counts. */
export function useSetupProgress(programId: number): { isPending: boolean; progress: SetupProgress | undefined } {
  const params = { program_id: programId };
  const setup = useApiQuery('manageSetup', { params });
  const partners = useApiQuery('managePartners', { params, query: { limit: 1 } });
  const joined = useApiQuery('managePartners', { params, query: { has_account: 'true', limit: 1 } });
  const isPending = [setup, partners, joined].some((query) => query.isPending);
  if (!setup.data || !partners.data || !joined.data) return { isPending, progress: undefined };
  const { click, lead, sale } = setup.data.data;
  const payments = sale?.referred === true;
  const progress = {
    tracker: click !== null,
    // A payment that belongs to a visitor shows that the customer was known, no matter who reported them.
    signups: payments || lead?.referred === true,
    payments,
    invited: partners.data.data.length > 0,
    joined: joined.data.data.length > 0,
  };
  return { isPending, progress };
}
