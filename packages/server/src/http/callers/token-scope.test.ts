import { routes, type TokenScope } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import { scopeOf } from './token-scope.ts';

const allowed = (...scopes: TokenScope[]) => routes.filter((route) => scopes.some((scope) => scopeOf(route) === scope));

describe('what a token with scopes may call', () => {
  it('with `read`, is what reads: GET, and a question that has a body', () => {
    const others = allowed('read').filter(({ method }) => method !== 'GET');
    expect(others.map(({ id }) => id).sort()).toEqual(['manageSimulateTerms']);
    expect(allowed('read').length).toBeGreaterThan(20);
    // They have the links of invitations.
    for (const id of ['manageBulkActionRows', 'manageExportBulkActionRows']) {
      expect(allowed('read').map((route) => route.id)).not.toContain(id);
    }
  });

  it('with `track`, is what a server reports and how it checks that, and nothing of the management API', () => {
    expect(
      allowed('track')
        .map(({ id }) => id)
        .sort(),
    ).toEqual([
      ...[
        'cliStatus',
        'cliTestEvent',
        'readiness',
        'trackBatch',
        'trackClick',
        'trackLead',
        'trackRefund',
        'trackSale',
      ],
    ]);
  });

  it('is never a key, an invitation, a role, an address, an erasure or a payment, whatever the scopes', () => {
    const ids = allowed('read', 'write', 'track').map(({ id }) => id);
    for (const id of [
      'manageRegenerateKey',
      'manageAddApiKey',
      'manageRetireApiKey',
      'manageAddToken',
      'listEvents',
      'manageAccept',
      'manageConfirmEmail',
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
      'managePayoutFile',
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
    expect(scopeOf(route, refused)).toBeNull();
    expect(scopeOf(route, allowedBody)).toBe('write');
  });
});
