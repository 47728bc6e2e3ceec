import { OPERATOR } from '../../../../server/src/audit/audit-store.ts';
import { createGroup } from '../../../../server/src/partners/groups/change-group.ts';
import { addTerms } from '../../../../server/src/terms/add-terms.ts';
import type { OwnedProgram } from '../../accounts.ts';
import type { TestProgram, TestService } from '../../service.ts';
import { newId } from '../../sold.ts';
import type { RequestParts } from './parts.ts';

const newGroup = () => ({ name: newId('Gold'), tier: { of: 'revenue', in: 'month', at_least: 500_000 } });

/** A rule for every sale, and one for every lead. */
export const RULES = [
  {
    on: 'sale' as const,
    when: { customer: 'new' as const },
    pays: { type: 'percent' as const, rate: 25 },
    caps: { per_customer_cents: 10_000 },
  },
  {
    on: 'lead' as const,
    pays: { type: 'fixed' as const, rate: 5 },
    caps: { per_partner_month_cents: 100_000 },
    credit: { amount_cents: 500 },
  },
];

export const TERMS_REQUESTS: RequestParts = {
  bodies: {
    manageAddGroup: newGroup,
    manageUpdateGroup: newGroup,
    manageAddTerms: () => ({ rules: RULES, note: 'More for everyone' }),
    manageSimulateTerms: () => ({ rules: RULES, from: '2020-01-01', to: '2030-01-01' }),
  },
  params: { group_id: groupIdOf, version: scheduledTerms },
  queries: { managePartnerTerms: (_service, { partnerId }) => `partner_id=${partnerId}` },
};

/** The id of an empty group of the program. */
export async function groupIdOf(service: TestService, { program }: TestProgram): Promise<number> {
  return (await createGroup(service.ctx, program, { name: newId('Silver'), tier: null }, OPERATOR)).id;
}

/** The number of a version of the terms that begins tomorrow. */
async function scheduledTerms(service: TestService, { program, owner }: OwnedProgram): Promise<number> {
  const since = new Date(service.time.getTime() + 86_400_000);
  const terms = { rules: RULES, since, note: undefined, backdate: false };
  return (await addTerms(service.ctx, program.id, terms, { userId: owner.userId, requestId: null })).version;
}
