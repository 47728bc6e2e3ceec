import type { RouteDefinition } from '@svc/contract';
import type { Answer, CallOptions, TestProgram, TestService } from './service.ts';

/** A request that its route answers with 200 as it stands, on a program of its own. */
export type ValidRequest = TestProgram & {
  body: Record<string, unknown> | undefined;
  /** Sends the request, or what is given in place of its parts; with the program's key where the route looks at one. */
  send(changed?: CallOptions): Promise<Answer>;
  /** What the program has, but for its decisions: what a refused request must leave as it was. */
  stored(): Promise<Record<string, number>>;
};

export async function validRequest(service: TestService, route: RouteDefinition): Promise<ValidRequest> {
  const created = await service.program();
  const body = await validBody(service, route, created);
  const key = route.auth === 'browser' ? undefined : created.apiKey;
  return {
    ...created,
    body,
    send: (changed) => service.call(route.method, route.path, { key, body, ...changed }),
    async stored() {
      const { decisions, ...rows } = await service.counts(created.program.id);
      return rows;
    },
  };
}

async function validBody(service: TestService, { id }: RouteDefinition, created: TestProgram) {
  const { link, apiKey: key } = created;
  const sale = { transaction_id: `txn-${link}`, amount_cents: 4900, customer_key: 'user-1' };
  switch (id) {
    case 'trackClick':
      return { affiliate_url: `https://acme.test/?aff=${link}` };
    case 'trackLead':
      return { click_id: await service.clickId(link) };
    case 'trackSale':
      await service.customer(created, 'user-1');
      return sale;
    case 'trackRefund':
      await service.customer(created, 'user-1');
      await service.sale(sale, { key });
      return { transaction_id: sale.transaction_id };
    default:
      return undefined;
  }
}
