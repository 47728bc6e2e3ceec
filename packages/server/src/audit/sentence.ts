import {
  type ActorKind,
  type AuditAction,
  type AuditRow,
  type BulkKind,
  ROLES,
  type WorkspaceRole,
} from '@svc/contract';

/** What a sentence about a change is made of. */
export type SaidEvent = Pick<
  AuditRow,
  'actor_kind' | 'actor_name' | 'user_id' | 'action' | 'subject_id' | 'subject_name' | 'before' | 'after'
>;

const nameOf = ({ subject_name: name, subject_id: id }: SaidEvent) => name ?? id;
const isSelf = ({ user_id: userId, subject_id: id }: SaidEvent) => userId !== null && userId === id;
/** `their` for what people do with their own account. */
const whose = (event: SaidEvent) => (isSelf(event) ? 'their' : `${nameOf(event)}’s`);
const roleOf = ({ role }: Record<string, unknown>) => ROLES[role as WorkspaceRole]?.name.toLowerCase() ?? String(role);
const guestOf = ({ subject_name: name }: SaidEvent) => name ?? 'someone';
const fieldsIn = (facts: Record<string, unknown>) =>
  Object.keys(facts)
    .map((name) => name.replaceAll('_', ' '))
    .join(', ');

/** As the settings call them. */
const PAYOUT_FIELDS: Record<string, string> = {
  net_days: 'wait after approval',
  two_persons: 'who approves a run',
  schedule_day: 'day of the draft',
  minimum_cents: 'smallest payout',
  payer_changed: 'payer',
};
function changedPayoutSettings({ after: { payer_changed: isPayerChanged, ...others } }: SaidEvent): string {
  const names = [...Object.keys(others), ...(isPayerChanged ? ['payer_changed'] : [])];
  if (names.length === 0) return 'saved the payout settings as they were';
  return `changed payout settings: ${names.map((name) => PAYOUT_FIELDS[name] ?? name.replaceAll('_', ' ')).join(', ')}`;
}

/** `12 commissions`, or `commission 7` for a single one. */
function several({ after, subject_id: id }: SaidEvent, one: string, many: string): string {
  const count = Number(after.count ?? 1);
  return count === 1 ? `${one} ${id}` : `${count} ${many}`;
}

const browsers = (count: unknown) => (count === 1 ? '1 browser' : `${String(count)} browsers`);

const importedRows = ({ after: { rows } }: SaidEvent) => (rows === 1 ? '1 row' : `${String(rows)} rows`);

const PARTNER_STATUSES: Record<string, string> = { active: 'activated', blocked: 'blocked', removed: 'removed' };

function partnerStatus(event: SaidEvent): string {
  const wasApplication = event.before.status === 'applied';
  if (wasApplication && event.after.status === 'active') return `approved the application of ${nameOf(event)}`;
  if (wasApplication && event.after.status === 'removed') return `declined the application of ${nameOf(event)}`;
  return `${PARTNER_STATUSES[String(event.after.status)] ?? 'changed'} the partner ${nameOf(event)}`;
}

function placementIn(facts: Record<string, unknown>): string {
  const changed = [
    ...('recruiter_id' in facts ? ['recruiter'] : []),
    ...('group_by' in facts || 'group_id' in facts ? ['group'] : []),
  ];
  return changed.join(' and ');
}

function detailsIn(facts: Record<string, unknown>): string {
  return [...('name' in facts ? ['name'] : []), ...('external_id' in facts ? ['external ID'] : [])].join(' and ');
}

const BULK_WORK: Record<BulkKind, string> = {
  review_commissions: 'reviewing commissions',
  mark_payouts_paid: 'marking payouts as paid',
  create_payouts: 'creating payouts',
  change_partners: 'changing partners',
  invite_partners: 'inviting partners',
  resend_invitations: 'sending invitations again',
  change_links: 'changing links',
  change_coupons: 'switching coupons on or off',
  message_partners: 'sending a message to partners',
};

/** `started reviewing commissions: 8,990 in total`, or `stopped …: 2,200 of 8,990 were changed`. */
const bulkAction =
  (done: 'started' | 'stopped') =>
  ({ after: { kind, total, changed, reason } }: SaidEvent): string => {
    const work = BULK_WORK[kind as BulkKind] ?? 'a bulk action';
    if (done === 'started') return `started ${work}: ${String(total)} in total`;
    const verb = reason === 'role_lost' ? 'lost the role for' : 'stopped';
    return `${verb} ${work}: ${String(changed)} of ${String(total)} were changed`;
  };

/** What each change is, after the name of who made it. */
const SAYS: Record<AuditAction, (event: SaidEvent) => string> = {
  'account.authenticator_app_added': (event) => `set up ${whose(event)} authenticator app`,
  'account.authenticator_app_removed': (event) => `turned off ${whose(event)} authenticator app`,
  'account.created': (event) => (isSelf(event) ? 'created their account' : `created the account of ${nameOf(event)}`),
  'account.email_change_confirmed': (event) =>
    `confirmed the change of ${whose(event)} email address at one of two addresses`,
  'account.email_change_requested': (event) => `asked to change ${whose(event)} email address`,
  'account.email_changed': (event) => `changed ${whose(event)} email address`,
  'account.email_verification_requested': (event) => `asked for a link to confirm ${whose(event)} email address`,
  'account.email_verified': (event) => `confirmed ${whose(event)} email address`,
  'account.mail_changed': (event) => `changed which mail is sent to ${isSelf(event) ? 'them' : nameOf(event)}`,
  'account.erased': (event) => (isSelf(event) ? 'deleted their account' : 'deleted an account'),
  'account.passkey_added': (event) => `added a passkey to ${whose(event)} account`,
  'account.passkey_renamed': (event) => `renamed a passkey of ${whose(event)} account`,
  'account.passkey_removed': (event) => `removed a passkey from ${whose(event)} account`,
  'account.password_changed': (event) => `changed ${whose(event)} password`,
  'account.password_reset': (event) => `reset ${whose(event)} password`,
  'account.payout_method_changed': (event) =>
    `${event.before.payout_method === null ? 'added' : 'changed'} ${whose(event)} payout method`,
  'account.payout_method_removed': (event) => `removed ${whose(event)} payout method`,
  'account.profile_changed': (event) => `changed ${whose(event)} profile: ${fieldsIn(event.after)}`,
  'account.recovery_codes_renewed': (event) => `renewed ${whose(event)} recovery codes`,
  'account.reset_link_created': (event) => `created a link for ${whose(event)} new password`,
  'account.restored': (event) => `restored ${whose(event)} account`,
  'account.second_factors_removed': (event) => `removed ${whose(event)} second factors`,
  'account.sessions_ended': (event) => `signed ${whose(event)} account out of ${browsers(event.after.count)}`,
  'account.suspended': (event) => `suspended ${whose(event)} account`,
  'bulk_action.started': bulkAction('started'),
  'bulk_action.stopped': bulkAction('stopped'),
  'commission.adjusted': ({ after, subject_name: name }) =>
    `gave ${name ?? 'a partner'} ${after.kind === 'bonus' ? 'a bonus' : 'an adjustment'}: ${String(after.reason)}`,
  'commission.approved': (event) =>
    `approved ${several(event, 'commission', 'commissions')}${event.after.reason === 'hold_ended' ? ' at the end of the hold' : ''}`,
  'commission.rejected': (event) => `rejected ${several(event, 'commission', 'commissions')}`,
  'commission.restored': (event) => `undid the rejection of ${several(event, 'commission', 'commissions')}`,
  'coupon.changed': (event) => `switched the coupon ${nameOf(event)} ${event.after.active ? 'on' : 'off'}`,
  'coupon.created': (event) => `created the coupon ${nameOf(event)}`,
  'creative.added': (event) => `added the creative ${nameOf(event)}`,
  'creative.changed': (event) => `changed the creative ${nameOf(event)}: ${fieldsIn(event.after)}`,
  'creative.deleted': (event) => `deleted the creative ${nameOf(event)}`,
  'creative.ordered': (event) => `changed the order of the creatives of ${nameOf(event)}`,
  'customer.assigned': (event) => `assigned customer ${event.subject_id} to ${String(event.after.partner_name)}`,
  'customer.erased': (event) => `erased customer ${event.subject_id}`,
  'domain.activated': (event) => `activated the link host ${nameOf(event)}`,
  'domain.added': (event) => `added the link host ${nameOf(event)}`,
  'domain.deleted': (event) => `removed the link host ${nameOf(event)}`,
  'domain.lost': (event) => `moved the link host ${nameOf(event)} to another program, whose DNS record it has`,
  'group.changed': (event) => `changed the group ${nameOf(event)}: ${fieldsIn(event.after)}`,
  'group.created': (event) => `created the group ${nameOf(event)}`,
  'group.deleted': (event) => `deleted the group ${nameOf(event)}`,
  'import.received': (event) => `imported ${importedRows(event)} from ${nameOf(event)}`,
  'import.undone': (event) => `undid the import from ${nameOf(event)}`,
  'invitation.created': (event) => `invited ${guestOf(event)} to the team as ${roleOf(event.after)}`,
  'invitation.reissued': (event) => `renewed the invitation of ${guestOf(event)} as ${roleOf(event.after)}`,
  'invitation.revoked': (event) => `revoked the invitation of ${guestOf(event)}`,
  'key.created': (event) => `created an API key of ${nameOf(event)}`,
  'key.regenerated': (event) => `regenerated the API key of ${nameOf(event)}`,
  'key.retired': (event) => `retired an API key of ${nameOf(event)}`,
  'key.rotation_required': (event) => `required the API key of ${nameOf(event)} to be replaced`,
  'link.changed': (event) => `changed the link ${nameOf(event)}: ${fieldsIn(event.after)}`,
  'link.created': (event) => `created the link ${nameOf(event)}`,
  'link.deleted': (event) => `deleted the link ${nameOf(event)}`,
  'member.joined': (event) => `joined the team as ${roleOf(event.after)}`,
  'member.left': () => 'left the team for another workspace',
  'member.removed': (event) => `removed ${nameOf(event)} from the team`,
  'member.role_changed': (event) =>
    `changed ${whose(event)} role from ${roleOf(event.before)} to ${roleOf(event.after)}`,
  'partner.account_replaced': (event) => `took over the partner ${nameOf(event)}`,
  'partner.account_replacement_invited': (event) => `invited another account to take over ${nameOf(event)}`,
  'partner.added': (event) =>
    `added ${event.after.invitation_id === undefined ? '' : 'and invited '}the partner ${nameOf(event)}`,
  'partner.applied': () => 'applied to become a partner',
  'partner.changed': (event) => `changed the ${detailsIn(event.after)} of the partner ${nameOf(event)}`,
  'partner.group_changed': (event) => `changed the ${placementIn(event.after)} of the partner ${nameOf(event)}`,
  'partner.invitation_accepted': (event) => `accepted the invitation of the partner ${nameOf(event)}`,
  'partner.invitation_revoked': (event) => `revoked the invitation of the partner ${nameOf(event)}`,
  'partner.invited': (event) => `invited the partner ${nameOf(event)}`,
  'partner.joined': () => 'became a partner through the join link',
  'partner.note_added': (event) => `added a note about ${nameOf(event)}`,
  'partner.note_deleted': (event) => `deleted a note about ${nameOf(event)}`,
  'partner.payout_method_changed': (event) =>
    `${event.before.payout_method === null ? 'added' : 'changed'} the payout method of the partner ${nameOf(event)}`,
  'partner.payout_method_removed': (event) => `removed the payout method of the partner ${nameOf(event)}`,
  'partner.payout_wait_lifted': (event) =>
    `let payouts use the changed payout method of the partner ${nameOf(event)} at once: ${String(event.after.reason)}`,
  'partner.status_changed': partnerStatus,
  'partner.viewed': (event) => `viewed the portal as ${nameOf(event)}`,
  'payout.cancelled': (event) => `canceled payout ${event.subject_id}`,
  'payout.created': (event) => `created payout ${event.subject_id}`,
  'payout.marked_failed': (event) => `marked payout ${event.subject_id} as failed`,
  'payout.marked_paid': (event) => `marked ${several(event, 'payout', 'payouts')} as paid`,
  'processor.account_assigned': (event) => `assigned the account ${String(event.after.account_id)} to the program`,
  'processor.connected': (event) => `connected ${nameOf(event)}`,
  'processor.disconnected': (event) => `disconnected ${nameOf(event)}`,
  'processor.event_replayed': ({ after }) =>
    Number(after.count) === 1 ? 'replayed a processor event' : `replayed ${String(after.count)} processor events`,
  'processor.secret_added': (event) => `added a signing secret of ${nameOf(event)}`,
  'processor.secret_removed': (event) => `removed a signing secret of ${nameOf(event)}`,
  'program.created': (event) => `created the program ${nameOf(event)}`,
  'program.deleted': (event) => `deleted the program ${nameOf(event)}`,
  'program.join_link_renewed': (event) => `renewed the join link of ${nameOf(event)}`,
  'program.join_page_changed': (event) => `changed the join page of ${nameOf(event)}: ${fieldsIn(event.after)}`,
  'program.logo_changed': (event) =>
    `${event.after.logo_name === null ? 'removed' : 'changed'} the logo of ${nameOf(event)}`,
  'program.mails_changed': (event) => `changed the email texts of ${nameOf(event)}: ${fieldsIn(event.after)}`,
  'program.settings_changed': (event) => `changed the settings of ${nameOf(event)}: ${fieldsIn(event.after)}`,
  'program.status_changed': (event) => `changed ${nameOf(event)} to ${String(event.after.status)}`,
  'program.test_chain_run': (event) => `ran a test of ${nameOf(event)}`,
  'program.test_link_created': (event) => `created the test link of ${nameOf(event)}`,
  'terms.published': (event) => `published version ${event.subject_id} of the commission rules of ${nameOf(event)}`,
  'terms.withdrawn': (event) => `withdrew version ${event.subject_id} of the commission rules of ${nameOf(event)}`,
  'token.approved': (event) => `approved a sign-in from ${event.subject_name ?? 'a terminal'}`,
  'token.created': (event) => `created the account token ${nameOf(event)}`,
  'token.revoked': (event) => `revoked the account token ${nameOf(event)}`,
  'view.deleted': (event) => `deleted the view ${nameOf(event)}`,
  'view.saved': (event) => `saved the view ${nameOf(event)}`,
  'payout.settings_changed': changedPayoutSettings,
  'payout_run.approved': (event) => `approved ${nameOf(event)}`,
  'payout_run.cancelled': (event) => `canceled ${nameOf(event)}`,
  'payout_run.file_downloaded': (event) => `downloaded ${String(event.after.file)} of ${nameOf(event)}`,
  'payout_run.made': (event) => `made ${nameOf(event)}`,
  'payout_run.report_read': (event) => `read a report about ${nameOf(event)}`,
  'payout_run.sent': (event) => `marked ${nameOf(event)} as sent`,
  'payout_run.settled': (event) => `settled payouts of ${nameOf(event)}`,
  'postback.changed': (event) => `changed the postback of ${nameOf(event)}`,
  'postback.deleted': (event) => `deleted the postback of ${nameOf(event)}`,
  'webhook.added': (event) => `added the webhook endpoint ${nameOf(event)}`,
  'webhook.changed': (event) => `changed the webhook endpoint ${nameOf(event)}`,
  'webhook.deleted': (event) => `deleted the webhook endpoint ${nameOf(event)}`,
  'webhook.disabled': (event) =>
    `disabled the webhook endpoint ${nameOf(event)}, ${event.after.reason === 'gone' ? 'which wants no more events' : 'at which nothing arrived for five days'}`,
  'webhook.replayed': (event) =>
    `sent ${event.after.count === 1 ? 'an event' : `${String(event.after.count)} events`} again to the webhook endpoint ${nameOf(event)}`,
  'webhook.secret_rotated': (event) => `rotated the secret of the webhook endpoint ${nameOf(event)}`,
  'webhook.tested': (event) => `sent a test to the webhook endpoint ${nameOf(event)}`,
  'workspace.settings_changed': (event) => `changed the workspace: ${fieldsIn(event.after)}`,
};

const WHO: Record<ActorKind, (name: string | null) => string> = {
  person: (name) => name ?? 'A former user',
  token: (name) => `${name ?? 'A former user'} (account token)`,
  key: (name) => `The API key ${name ?? ''}`.trim(),
  operator: () => 'The operator',
  job: () => 'The service',
};

/** One sentence that says who did what. */
export function sentenceOf(event: SaidEvent): string {
  const says = SAYS[event.action as AuditAction];
  // Nodes of a newer release may record what this one does not know.
  return `${WHO[event.actor_kind](event.actor_name)} ${says ? says(event) : event.action.replaceAll(/[._]/g, ' ')}`;
}
