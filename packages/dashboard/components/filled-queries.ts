import { onlineManager, QueryClient } from '@tanstack/react-query';
import type { Call, Reply, RouteName } from '../src/api/client.ts';
import { APPLICANT, PARTNERS, partnerDetails } from './sample-records.ts';

/** What components read from the service is there before they ask, and stays. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
      retry: false,
      networkMode: 'always',
    },
  },
});
// The progress of a bulk action is loaded again while it runs, except offline.
queryClient.setQueryDefaults(['manageBulkActions'], { networkMode: 'online' });
onlineManager.setOnline(false);

function fill<Name extends RouteName>(name: Name, request: Call<Name>, reply: Reply<Name>): void {
  queryClient.setQueryData([name, request], reply);
}

const program = { domain: 'acme.test', commission: '20% per sale', brand_color: null, logo_url: null };

fill(
  'managePrograms',
  {},
  {
    data: [
      { ...program, id: 1, name: 'Acme', role: 'owner', status: 'active' },
      { ...program, id: 2, name: 'Globex', role: 'viewer', status: 'active' },
    ],
  },
);
fill(
  'manageSecondFactors',
  {},
  {
    data: {
      authenticator_app: true,
      recovery_codes_left: 8,
      passkeys: [{ id: 'key', name: 'Laptop', created_at: null, last_used_at: null }],
    },
  },
);
fill(
  'manageViews',
  { params: { program_id: 1 } },
  {
    data: [
      {
        id: 1,
        list: 'commissions',
        name: 'To approve',
        query: 'status=pending',
        created_at: '2026-03-01T10:00:00.000Z',
      },
      {
        id: 2,
        list: 'commissions',
        name: 'Large ones of this quarter, not paid yet',
        query: 'sort=-commission_cents',
        created_at: '2026-03-02T10:00:00.000Z',
      },
    ],
  },
);
fill('manageViews', { params: { program_id: 2 } }, { data: [] });
const bulk = { total: 8_990, changed: 2_200, skipped: [], started_by: 'Robin', created_at: '2026-03-01T10:00:00.000Z' };
fill(
  'manageBulkActions',
  { params: { program_id: 1 }, query: { limit: 10 } },
  {
    data: [
      {
        ...bulk,
        id: 2,
        kind: 'review_commissions',
        change: { action: 'approve' },
        status: 'running',
        stop_reason: null,
        finished_at: null,
      },
      // Results are shown for a day.
      {
        ...bulk,
        id: 1,
        kind: 'mark_payouts_paid',
        change: {},
        status: 'stopped',
        stop_reason: 'requested',
        finished_at: '2999-01-01T00:00:00.000Z',
      },
    ],
    meta: { next_cursor: null, limit: 10 },
  },
);
for (const partner of PARTNERS) {
  const params = { program_id: 1, partner_id: String(partner.id) };
  fill('managePartner', { params }, { data: { ...partner, ...partnerDetails } });
}
const applied = { status: 'applied', limit: 1 } as const;
fill(
  'managePartners',
  { params: { program_id: 1 }, query: applied },
  { data: [APPLICANT], meta: { next_cursor: null, limit: 1 } },
);
fill(
  'managePartners',
  { params: { program_id: 2 }, query: applied },
  { data: [APPLICANT], meta: { next_cursor: 'more', limit: 1 } },
);
// What the combobox of partners finds before anything is typed.
queryClient.setQueryData(
  ['options', 'partners', 1, ''],
  PARTNERS.map(({ id, name }) => ({ value: String(id), label: name })),
);
