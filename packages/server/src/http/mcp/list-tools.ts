import {
  manageCommissions,
  manageCustomers,
  manageLinks,
  managePartners,
  managePayouts,
  manageSales,
  type RouteDefinition,
} from '@svc/contract';
import { z } from 'zod';
import { ofProgram, programId, type Tool } from './tool.ts';

type List = { what: string; for: Tool['for']; route: RouteDefinition & { query: z.ZodObject } };

const LISTS: List[] = [
  { what: 'partners', for: 'brand', route: managePartners },
  { what: 'links', for: 'everyone', route: manageLinks },
  { what: 'customers', for: 'everyone', route: manageCustomers },
  { what: 'sales', for: 'everyone', route: manageSales },
  { what: 'commissions', for: 'everyone', route: manageCommissions },
  { what: 'payouts', for: 'everyone', route: managePayouts },
];

/** One tool for each list, with the filters of its route. */
export const listTools: Tool[] = LISTS.map(({ what, for: audience, route }) => ({
  name: `list_${what}`,
  title: route.summary,
  description: `${route.description} Amounts are in cents. Page with \`cursor\`.`,
  for: audience,
  input: z.strictObject({ program_id: programId, ...route.query.shape }),
  does: {
    reads: (call, { program_id, ...query }) => call(route, { params: ofProgram({ program_id }), query }),
  },
}));
