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

/** What a row of each list has. */
const WHAT: Record<string, string> = {
  partners: 'Partners with their status and numbers',
  links: 'Referral links with their numbers',
  customers: 'Customers, with the partner whom they are attributed to',
  sales: 'Sales with their commission',
  commissions: 'Commissions with their sale, status and stage',
  payouts: 'Payouts with their status',
};

type List = { what: string; for: Tool['for']; route: RouteDefinition & { query: z.ZodObject } };

const LISTS: List[] = [
  { what: 'partners', for: 'brand', route: managePartners },
  { what: 'links', for: 'everyone', route: manageLinks },
  { what: 'customers', for: 'everyone', route: manageCustomers },
  { what: 'sales', for: 'everyone', route: manageSales },
  { what: 'commissions', for: 'everyone', route: manageCommissions },
  { what: 'payouts', for: 'everyone', route: managePayouts },
];

/** Assistants ask for a partner or a customer when they need one, and read on each commission why it is held. */
const forAssistants = ({ expand: _, hold_reason: __, ...shape }: z.ZodRawShape) => shape;

/** One tool for each list, with the filters of its route. */
export const listTools: Tool[] = LISTS.map(({ what, for: audience, route }) => ({
  name: `list_${what}`,
  title: route.summary,
  description: `${WHAT[what]}.`,
  for: audience,
  input: z.strictObject({ program_id: programId, ...forAssistants(route.query.shape) }),
  does: {
    reads: (call, { program_id, ...query }) => call(route, { params: ofProgram({ program_id }), query }),
  },
}));
