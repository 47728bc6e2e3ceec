import { routes } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import { mayToolCall } from './tool-scope.ts';

const allowed = (...scopes: ('read' | 'write')[]) => routes.filter((route) => mayToolCall(route, scopes));

describe('what a tool may call for an application', () => {
  it('with `read`, is what reads: GET, and two questions that have a body', () => {
    const others = allowed('read').filter(({ method }) => method !== 'GET');
    expect(others.map(({ id }) => id).sort()).toEqual(['manageAskAboutOrder', 'manageSimulateTerms']);
    expect(allowed('read').length).toBeGreaterThan(20);
  });

  it('is nothing without a scope', () => {
    expect(allowed()).toEqual([]);
  });

  it('is never a key, an invitation, a role, an address, an erasure or a payment, whatever the scopes', () => {
    const ids = allowed('read', 'write').map(({ id }) => id);
    for (const id of [
      'manageRegenerateKey',
      'manageRequireRotation',
      'manageConnectProcessor',
      'manageAddProcessorSecret',
      'manageMarkFailed',
      'manageMarkPaid',
      'manageMarkPayoutsPaid',
      'manageStartMarkingPaid',
      'manageSavePayoutSettings',
      'manageApprovePayoutRun',
      'manageSendPayoutRun',
      'manageSettlePayoutRun',
      'manageReadStatusReport',
      'manageInvite',
      'manageReissueInvitation',
      'manageSetPayoutMethod',
      'manageDeletePayoutMethod',
      'manageLiftPayoutWait',
      'manageUpdateMember',
      'manageRemoveMember',
      'manageChangeEmail',
      'manageEraseCustomer',
      'manageAddAdjustment',
      'manageAddTerms',
      'manageWithdrawTerms',
      'manageAssignCustomer',
      'manageDeleteProgram',
      'manageDisconnectProcessor',
      'manageRemoveProcessorSecret',
      'cliAuthCallback',
      'cliAuthPoll',
    ]) {
      expect(routes.map((route) => route.id)).toContain(id);
      expect(ids).not.toContain(id);
    }
  });

  it.each([
    ['manageUpdateWorkspace', { second_factor_required: false }, { name: 'Acme' }],
    ['manageInvitePartner', { replace_account: true }, { replace_account: false }],
    ['manageUpdateProgram', { name: 'Acme', commission_rate: 90 }, { add_allowed_origins: ['https://a.test'] }],
  ])('is %s only without the fields that ask for a proof', (id, refused, allowedBody) => {
    const route = routes.find((known) => known.id === id)!;
    expect(mayToolCall(route, ['read', 'write'], refused)).toBe(false);
    expect(mayToolCall(route, ['read', 'write'], allowedBody)).toBe(true);
  });
});
