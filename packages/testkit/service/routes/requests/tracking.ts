import { idTokenOf, startedLogin } from '../../accounts.ts';
import type { TestProgram } from '../../service.ts';
import type { RequestParts } from './parts.ts';

const saleOf = ({ link }: TestProgram) => ({
  transaction_id: `txn-${link}`,
  amount_cents: 4900,
  customer_key: 'user-1',
});

export const TRACKING_REQUESTS: RequestParts = {
  bodies: {
    trackClick: (_service, { link }) => ({ affiliate_url: `https://acme.test/?aff=${link}` }),
    trackLead: async (service, { link }) => ({ click_id: await service.clickId(link) }),
    async trackSale(service, created) {
      await service.customer(created, 'user-1');
      return saleOf(created);
    },
    async trackRefund(service, created) {
      await service.customer(created, 'user-1');
      const sale = saleOf(created);
      await service.sale(sale, { key: created.apiKey });
      return { transaction_id: sale.transaction_id };
    },
    async trackBatch(service, created) {
      await service.customer(created, 'user-1');
      return { items: [{ type: 'sale', ...saleOf(created) }] };
    },
    cliAuthCallback: async (service, { owner }) => ({
      state: await startedLogin(service),
      id_token: await idTokenOf(service, owner.userId),
    }),
    cliInit: () => ({ name: 'Acme', domain: 'acme.test', commission_type: 'percent', commission_rate: 20 }),
    cliTestEvent: () => ({ event_type: 'click' }),
  },
  queries: { cliAuthPoll: async (service) => `state=${await startedLogin(service)}` },
};
