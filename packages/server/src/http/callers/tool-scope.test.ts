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
      'manageMarkPaid',
      'manageMarkPayoutsPaid',
      'manageInvite',
      'manageReissueInvitation',
      'manageInvitePartner',
      'manageUpdateMember',
      'manageRemoveMember',
      'manageChangeEmail',
      'manageUpdateMe',
      'manageUpdateWorkspace',
      'manageEraseCustomer',
      'cliAuthCallback',
      'cliAuthPoll',
    ]) {
      expect(routes.map((route) => route.id)).toContain(id);
      expect(ids).not.toContain(id);
    }
  });
});
