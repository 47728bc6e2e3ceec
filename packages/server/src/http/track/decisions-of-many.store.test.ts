import { describe, expect, it } from 'vitest';
import { decisionsDuring, type StoredDecision } from '../../../test/decisions.ts';
import { useService } from '../../../test/service.ts';
import { newId, sold } from '../../../test/sold.ts';

const service = useService();

describe('of many attempts at once each leaves its own decision', () => {
  const count = (decisions: StoredDecision[]) =>
    Object.fromEntries(
      [...new Set(decisions.map(({ reason }) => reason))].map((reason) => [
        reason,
        decisions.filter((decision) => decision.reason === reason).length,
      ]),
    );

  it('sales with one transaction_id: one recorded, the others refused as duplicates', async () => {
    const on = await service.program();
    await service.customer(on, 'user_1');
    const sent = { transaction_id: newId('order'), amount_cents: 100, customer_key: 'user_1' };
    const decisions = await decisionsDuring(service, () =>
      Promise.all(Array.from({ length: 20 }, () => service.sale(sent, { key: on.apiKey }))),
    );
    expect(count(decisions)).toEqual({ sale_attributed: 1, duplicate_transaction: 19 });
    expect(new Set(decisions.map(({ request_id }) => request_id)).size).toBe(20);
  });

  it('leads of one click: one recorded, the others refused for their status', async () => {
    const on = await service.program();
    const clickId = await service.clickId(on.link);
    const decisions = await decisionsDuring(service, () =>
      Promise.all(Array.from({ length: 20 }, () => service.lead({ click_id: clickId }, { key: on.apiKey }))),
    );
    expect(count(decisions)).toEqual({ lead_recorded: 1, lead_status_refused: 19 });
  });

  it('refunds of one sale: one reversal, the others already refunded', async () => {
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

describe('identifiers of other programs stay out of decisions', () => {
  const strangers = { customer_id: null, partner_id: null, sale_id: null };

  it('a lead with the click of another program', async () => {
    const [on, other] = [await service.program(), await service.program()];
    const clickId = await service.customer(other, 'user_1');
    const decisions = await decisionsDuring(service, () =>
      service.lead({ click_id: clickId, customer_key: 'user_1' }, { key: on.apiKey }),
    );
    expect(decisions).toMatchObject([{ program_id: on.program.id, reason: 'other_program', ...strangers }]);
    expect(decisions[0]?.facts).toEqual({ mode: 'server', lead_auth: 'browser_allowed' });
  });

  it.each(['click_id', 'customer_key'])('a sale to the customer of a sister program, named by %s', async (by) => {
    const other = await service.program();
    const on = await service.program({ workspaceId: other.workspaceId });
    const customerKey = newId('user');
    const clickId = await service.customer(other, customerKey);
    const sent = { transaction_id: newId('order'), amount_cents: 100 };
    const named = by === 'click_id' ? { click_id: clickId } : { customer_key: customerKey };
    const decisions = await decisionsDuring(service, () => service.sale({ ...sent, ...named }, { key: on.apiKey }));
    expect(decisions).toMatchObject([{ program_id: on.program.id, reason: 'attributed_elsewhere', ...strangers }]);
    for (const fact of ['customer_status', 'clicked_at', 'signed_up_at', 'converted_at']) {
      expect(decisions[0]?.facts[fact] ?? null).toBeNull();
    }
  });

  it('a sale under the transaction_id of another program', async () => {
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

  it('a refund of the sale of another program', async () => {
    const [on, other] = [await service.program(), await service.program()];
    const { transactionId } = await sold(service, other);
    const decisions = await decisionsDuring(service, () =>
      service.refund({ transaction_id: transactionId }, { key: on.apiKey }),
    );
    expect(decisions).toMatchObject([{ program_id: on.program.id, reason: 'sale_not_found', ...strangers }]);
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
