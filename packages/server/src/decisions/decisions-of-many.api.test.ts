import { decisionsDuring, type StoredDecision } from '@svc/testkit/service/decisions.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

describe('concurrent attempts leave one decision each', () => {
  const count = (decisions: StoredDecision[]) =>
    Object.fromEntries(
      [...new Set(decisions.map(({ reason }) => reason))].map((reason) => [
        reason,
        decisions.filter((decision) => decision.reason === reason).length,
      ]),
    );

  it('for sales with the same transaction_id: one recorded, the others refused as duplicates', async () => {
    const on = await service.program();
    await service.customer(on, 'user_1');
    const sent = { transaction_id: newId('order'), amount_cents: 100, customer_key: 'user_1' };
    const decisions = await decisionsDuring(service, () =>
      Promise.all(Array.from({ length: 20 }, () => service.sale(sent, { key: on.apiKey }))),
    );
    expect(count(decisions)).toEqual({ sale_attributed: 1, duplicate_transaction: 19 });
    expect(new Set(decisions.map(({ request_id }) => request_id)).size).toBe(20);
  });

  it('for leads of the same click: one recorded, the others refused for their status', async () => {
    const on = await service.program();
    const clickId = await service.clickId(on.link);
    const decisions = await decisionsDuring(service, () =>
      Promise.all(Array.from({ length: 20 }, () => service.lead({ click_id: clickId }, { key: on.apiKey }))),
    );
    expect(count(decisions)).toEqual({ lead_recorded: 1, lead_status_refused: 19 });
  });

  it('for refunds of the same sale: one reversal, the others already refunded', async () => {
    const on = await service.program();
    const { transactionId } = await sold(service, on);
    const decisions = await decisionsDuring(service, () =>
      Promise.all(
        Array.from({ length: 10 }, () => service.refund({ transaction_id: transactionId }, { key: on.apiKey })),
      ),
    );
    expect(count(decisions)).toEqual({ commission_reversed: 1, already_refunded: 9 });
  });
});

describe('a decision does not reveal', () => {
  const NOBODY = { customer_id: null, partner_id: null, sale_id: null };

  it('the customer of another program, for a lead with its click', async () => {
    const [on, other] = [await service.program(), await service.program()];
    const clickId = await service.customer(other, 'user_1');
    const decisions = await decisionsDuring(service, () =>
      service.lead({ click_id: clickId, customer_key: 'user_1' }, { key: on.apiKey }),
    );
    expect(decisions).toMatchObject([{ program_id: on.program.id, reason: 'other_program', ...NOBODY }]);
    expect(decisions[0]?.facts).toEqual({ mode: 'server', lead_auth: 'browser_allowed' });
  });

  it.each(['click_id', 'customer_key'])('the customer of a sibling program, for a sale by %s', async (by) => {
    const other = await service.program();
    const on = await service.program({ workspaceId: other.workspaceId });
    const customerKey = newId('user');
    const clickId = await service.customer(other, customerKey);
    const sent = { transaction_id: newId('order'), amount_cents: 100 };
    const named = by === 'click_id' ? { click_id: clickId } : { customer_key: customerKey };
    const decisions = await decisionsDuring(service, () => service.sale({ ...sent, ...named }, { key: on.apiKey }));
    expect(decisions).toMatchObject([{ program_id: on.program.id, reason: 'attributed_elsewhere', ...NOBODY }]);
    for (const fact of ['customer_status', 'clicked_at', 'signed_up_at', 'converted_at']) {
      expect(decisions[0]?.facts[fact] ?? null).toBeNull();
    }
  });

  it('the sale of another program, for a sale with its transaction_id', async () => {
    const [on, other] = [await service.program(), await service.program()];
    const { transactionId } = await sold(service, other);
    await service.customer(on, 'user_1');
    const body = { transaction_id: transactionId, amount_cents: 1, customer_key: 'user_1' };
    const decisions = await decisionsDuring(service, async () => {
      expect((await service.sale(body, { key: on.apiKey })).status).toBe(409);
    });
    expect(decisions).toMatchObject([
      { program_id: on.program.id, reason: 'transaction_of_other_program', partner_id: on.partnerId, sale_id: null },
    ]);
  });

  it('the sale of another program, for a refund', async () => {
    const [on, other] = [await service.program(), await service.program()];
    const { transactionId } = await sold(service, other);
    const decisions = await decisionsDuring(service, () =>
      service.refund({ transaction_id: transactionId }, { key: on.apiKey }),
    );
    expect(decisions).toMatchObject([{ program_id: on.program.id, reason: 'sale_not_found', ...NOBODY }]);
    expect(decisions[0]?.facts).toEqual({});
  });

  it('the e-mail of a lead', async () => {
    const on = await service.program();
    const clickId = await service.clickId(on.link);
    const decisions = await decisionsDuring(service, () =>
      service.lead({ click_id: clickId, email: 'jane.roe@example.com' }, { key: on.apiKey }),
    );
    expect(decisions).toHaveLength(1);
    expect(JSON.stringify(decisions)).not.toContain('jane.roe');
  });
});
