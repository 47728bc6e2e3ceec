import { useApiQuery } from './hooks.ts';

/** What a new program needs, and which of it has happened. */
export type SetupProgress = Record<'tracker' | 'signups' | 'payments' | 'invited' | 'joined', boolean>;

/** How far a program is set up; undefined while that is not known. Only what arrives from the brand’s own site counts. */
export function useSetupProgress(programId: number): SetupProgress | undefined {
  const params = { program_id: programId };
  const setup = useApiQuery('manageSetup', { params }).data?.data;
  const partners = useApiQuery('managePartners', { params, query: { limit: 1 } }).data?.data;
  const joined = useApiQuery('managePartners', { params, query: { has_account: 'true', limit: 1 } }).data?.data;
  if (!setup || !partners || !joined) return undefined;
  const payments = setup.sale?.referred === true;
  return {
    tracker: setup.click !== null,
    // A payment that belongs to a visitor shows that the customer was known, no matter who reported them.
    signups: payments || setup.lead?.referred === true,
    payments,
    invited: partners.length > 0,
    joined: joined.length > 0,
  };
}
