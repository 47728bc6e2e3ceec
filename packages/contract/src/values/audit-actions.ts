/** Everything that the audit log records, with the words that a filter shows. */
export const AUDIT_ACTIONS = {
  'account.created': 'Account created',
  'account.password_changed': 'Password changed',
  'account.password_reset': 'Password reset',
  'account.profile_changed': 'Profile changed',
  'account.restored': 'Account restored',
  'account.suspended': 'Account suspended',
  'commission.approved': 'Commissions approved',
  'commission.rejected': 'Commissions rejected',
  'commission.restored': 'Rejections undone',
  'invitation.created': 'Team invitation sent',
  'invitation.reissued': 'Team invitation renewed',
  'invitation.revoked': 'Team invitation revoked',
  'key.regenerated': 'API key regenerated',
  'key.rotation_required': 'API key rotation required',
  'link.changed': 'Link changed',
  'link.created': 'Link created',
  'link.deleted': 'Link deleted',
  'member.joined': 'Team member joined',
  'member.left': 'Team member left',
  'member.removed': 'Team member removed',
  'member.role_changed': 'Role changed',
  'partner.account_replaced': 'Partner handed over',
  'partner.account_replacement_invited': 'Partner hand-over started',
  'partner.added': 'Partner added',
  'partner.applied': 'Partner applied',
  'partner.invitation_accepted': 'Partner invitation accepted',
  'partner.invitation_revoked': 'Partner invitation revoked',
  'partner.invited': 'Partner invited',
  'partner.joined': 'Partner joined',
  'partner.note_added': 'Note added',
  'partner.note_deleted': 'Note deleted',
  'partner.status_changed': 'Partner status changed',
  'payout.cancelled': 'Payout canceled',
  'payout.created': 'Payout created',
  'payout.marked_paid': 'Payouts marked as paid',
  'processor.account_assigned': 'Processor account assigned',
  'processor.connected': 'Payment processor connected',
  'processor.disconnected': 'Payment processor disconnected',
  'processor.event_replayed': 'Processor events replayed',
  'processor.secret_added': 'Signing secret added',
  'processor.secret_removed': 'Signing secret removed',
  'program.created': 'Program created',
  'program.deleted': 'Program deleted',
  'program.join_link_renewed': 'Join link renewed',
  'program.join_page_changed': 'Join page changed',
  'program.logo_changed': 'Logo changed',
  'program.settings_changed': 'Settings changed',
  'program.status_changed': 'Program status changed',
  'program.test_chain_run': 'Test run',
  'program.test_link_created': 'Test link created',
  'token.approved': 'Terminal sign-in approved',
  'token.created': 'Account token created',
  'token.revoked': 'Account token revoked',
  'view.deleted': 'View deleted',
  'view.saved': 'View saved',
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** What a change can be about. */
export const AUDIT_SUBJECTS = [
  'account',
  'commission',
  'invitation',
  'link',
  'member',
  'partner',
  'payout',
  'processor',
  'program',
  'token',
  'view',
] as const;

export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];

/** Who can change something: a signed-in person, their account token, a program key, the operator, or a job of the service. */
export const ACTOR_KINDS = ['person', 'token', 'key', 'operator', 'job'] as const;

export type ActorKind = (typeof ACTOR_KINDS)[number];
