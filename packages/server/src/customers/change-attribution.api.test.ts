import { type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { customerIdOf } from '@svc/testkit/service/decisions.ts';
import { asOwner } from '@svc/testkit/service/payments/paid.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const assign = (made: OwnedProgram, customerId: number, partner_id: number, reason = 'Ben met them first') =>
  asOwner(service, made, 'POST', `/customers/${customerId}/assign`, { partner_id, reason });
const buy = (made: OwnedProgram, fields: object) =>
  service.sale({ transaction_id: newId('order'), amount_cents: 10_000, ...fields }, { key: made.apiKey });
const paidPartners = async (made: OwnedProgram) =>
  (
    await service.sql<{ id: number }>(
      'select partner_id as id from commissions where program_id = $1 order by commissions.id',
      [made.program.id],
    )
  ).map(({ id }) => id);

describe('POST customers/:customer_id/assign', () => {
  it('moves a customer: later payments are the new partner’s, and what was paid stays', async () => {
    const made = await ownedProgram(service);
    const ben = await service.partner(made.program);
    const clickId = await service.customer(made, 'user_1');
    await buy(made, { customer_key: 'user_1' });
    const before = await service.sql('select * from commissions where program_id = $1', [made.program.id]);
    const { status, body } = await assign(made, customerIdOf(clickId), ben.partnerId);
    expect({ status, data: body.data }).toMatchObject({
      status: 200,
      data: { id: customerIdOf(clickId), click_id: clickId, customer_key: 'user_1', partner_id: ben.partnerId },
    });
    expect(await service.sql('select * from commissions where program_id = $1', [made.program.id])).toEqual(before);
    await buy(made, { customer_key: 'user_1' });
    await buy(made, { click_id: clickId });
    expect(await paidPartners(made)).toEqual([made.partnerId, ben.partnerId, ben.partnerId]);
  });

  it('is told by Explain and in the journey, and is in the audit log with its reason', async () => {
    const made = await ownedProgram(service);
    const ben = await service.partner(made.program);
    const customerId = customerIdOf(await service.customer(made, 'user_1'));
    await assign(made, customerId, ben.partnerId);
    const explained = await asOwner(service, made, 'GET', '/explain?customer_key=user_1');
    expect(explained.body.data.at(-1)).toMatchObject({
      kind: 'assignment',
      outcome: 'recorded',
      reason: 'customer_assigned',
      source: 'person',
      partner_id: ben.partnerId,
      facts: { partner_before_id: made.partnerId, assignment_reason: 'Ben met them first' },
    });
    const journey = await asOwner(service, made, 'GET', `/customers/${customerId}`);
    expect(journey.body.data.journey.at(-1)).toMatchObject({ type: 'assignment', partner_id: ben.partnerId });
    const audit = await service.call('GET', '/api/v1/manage/audit?action=customer.assigned', { key: made.owner.token });
    expect(audit.body.data).toMatchObject([
      {
        before: { partner_id: made.partnerId },
        after: { partner_id: ben.partnerId, reason: 'Ben met them first' },
        subject_id: String(customerId),
      },
    ]);
  });

  it('gives a partner to somebody who signed up without a click', async () => {
    const made = await ownedProgram(service);
    await service.lead({ customer_key: 'user_1' }, { key: made.apiKey });
    expect((await buy(made, { customer_key: 'user_1' })).status).toBe(400);
    const [customer] = await service.sql<{ id: number }>('select id from customers where program_id = $1', [
      made.program.id,
    ]);
    await assign(made, customer?.id as number, made.partnerId);
    expect((await buy(made, { customer_key: 'user_1' })).status).toBe(200);
    expect(await paidPartners(made)).toEqual([made.partnerId]);
  });

  it('holds however old the click is', async () => {
    const made = await ownedProgram(service);
    const click_id = await service.clickId(made.link);
    service.advance({ days: 70 });
    expect((await buy(made, { click_id })).body.data.attributed).toBe(false);
    await assign(made, customerIdOf(click_id), made.partnerId);
    expect((await buy(made, { click_id })).body.data.attributed).toBe(true);
  });

  it('409: a partner who is not active, and nothing changes', async () => {
    const made = await ownedProgram(service);
    const ben = await service.partner(made.program);
    const customerId = customerIdOf(await service.customer(made, 'user_1'));
    await asOwner(service, made, 'PATCH', `/partners/${ben.partnerId}`, { status: 'blocked' });
    const { status, body } = await assign(made, customerId, ben.partnerId);
    expect([status, body.error.message]).toEqual([
      409,
      'This partner is not active in the program. Restore or approve them first.',
    ]);
    const [customer] = await service.sql('select partner_id, assigned_at from customers where id = $1', [customerId]);
    expect(customer).toEqual({ partner_id: made.partnerId, assigned_at: null });
  });
});
