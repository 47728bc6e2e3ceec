import { manage, memberOf, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { asOwner } from '@svc/testkit/service/payments/paid.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';

const service = useService();

const PAYER = {
  name: 'Acme GmbH',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  ach: { company_id: '1234567890', company_name: 'Acme', odfi_routing: '021000021', destination_name: 'Bank' },
};

it('the IBAN of the payer is shown to those who may change it, and masked to the others who see the settings', async () => {
  const made = await ownedProgram(service);
  const saved = await asOwner(service, made, 'PUT', '/payout-settings', { payer: PAYER });
  expect(saved.body.data.payer).toEqual(PAYER);
  expect((await asOwner(service, made, 'GET', '/payout-settings')).body.data.payer).toEqual(PAYER);
  for (const role of ['member', 'finance'] as const) {
    const { token } = await memberOf(service, made.workspaceId, role);
    const { status, body } = await service.call('GET', manage(made, '/payout-settings'), { key: token });
    expect([role, status, body.data.payer]).toEqual([role, 200, { ...PAYER, iban: 'DE****3000' }]);
  }
});

it('a payer without an IBAN is shown as it is', async () => {
  const made = await ownedProgram(service);
  await asOwner(service, made, 'PUT', '/payout-settings', { payer: { name: 'Acme' } });
  const { token } = await memberOf(service, made.workspaceId, 'finance');
  const { body } = await service.call('GET', manage(made, '/payout-settings'), { key: token });
  expect(body.data.payer).toEqual({ name: 'Acme' });
});
