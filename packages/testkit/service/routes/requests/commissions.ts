import { OPERATOR } from '../../../../server/src/audit/audit-store.ts';
import { reviewCommission } from '../../../../server/src/commissions/review-commissions.ts';
import type { TestProgram, TestService } from '../../service.ts';
import { newId, sold } from '../../sold.ts';
import type { RequestParts } from './parts.ts';

export const COMMISSION_REQUESTS: RequestParts = {
  bodies: {
    manageApproveMany: async (service, created) => ({ ids: [(await sold(service, created)).commissionId] }),
    manageRejectMany: async (service, created) => ({ ids: [(await sold(service, created)).commissionId] }),
    async manageReviewCommissions(service, created) {
      await sold(service, created);
      return { action: 'approve', filter: {}, count: 1 };
    },
    manageAssignCustomer: (_service, { partnerId }) => ({
      partner_id: partnerId,
      reason: 'Called us before clicking',
    }),
  },
  params: {
    async commission_id(service, created, routeId) {
      const commissionId = Number((await sold(service, created)).commissionId);
      if (routeId === 'manageRestore') {
        await reviewCommission(service.ctx, created.program, commissionId, { action: 'reject', actor: OPERATOR });
      }
      return commissionId;
    },
    sale_id: async (service, created) => (await sold(service, created)).saleId,
    transaction_id: async (service, created) => (await sold(service, created)).transactionId,
    customer_id: customerIdOf,
    customer_key: customerKeyOf,
  },
  queries: {
    manageSearch: () => 'q=user-1',
    manageExplain: () => 'customer_key=user-1',
    managePerformance: () => 'group_by=partner',
    manageBreakdown: () => 'by=partner',
    manageExportBreakdown: () => 'by=partner',
  },
};

/** The id of a customer who clicked the link of the program's partner. */
export async function customerIdOf(service: TestService, { link }: TestProgram): Promise<number> {
  return Number((await service.clickId(link)).split('_')[1]);
}

/** The key of a customer of the program who has signed up. */
export async function customerKeyOf(service: TestService, created: TestProgram): Promise<string> {
  const key = newId('user');
  await service.customer(created, key);
  return key;
}
