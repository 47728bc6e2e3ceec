import type * as contract from '@svc/contract';
import type { AuditAction, RouteDefinition } from '@svc/contract';

type Contract = typeof contract;

/** The names of the routes that can change something. */
export type ChangingRoute = {
  [Name in keyof Contract]: Contract[Name] extends RouteDefinition & { method: 'POST' | 'PATCH' | 'PUT' | 'DELETE' }
    ? Name
    : never;
}[keyof Contract];

/**
 * What a success of the route leaves for good:
 * - an action: exactly one row of the audit log
 * - `click`, `decision`, `processor event`: exactly one such row, which is itself the append-only record, and no row of the
 *   audit log
 * - `nothing`: it only reads, or nothing has happened yet
 */
export type Left = AuditAction | 'click' | 'decision' | 'processor event' | 'nothing';

/** A new route does not compile until it has a row here, and `audited-routes.api.test.ts` fails until it does what its row says. */
export const LEFT_BY: Record<ChangingRoute, Left> = {
  trackClick: 'click',
  trackLead: 'decision',
  trackSale: 'decision',
  trackRefund: 'decision',
  // One for each item; the valid request has one.
  trackBatch: 'decision',
  processorWebhook: 'processor event',
  stripePlatformWebhook: 'processor event',
  // A test click, lead or sale. Test chains leave `program.test_chain_run`.
  cliTestEvent: 'click',
  // A login that nobody has approved yet gives access to nothing.
  cliAuthStart: 'nothing',
  cliAuthCallback: 'token.approved',
  // Always answers 410.
  cliStripeConnect: 'nothing',
  cliInit: 'program.created',
  manageUndoImport: 'import.undone',
  manageStartReview: 'bulk_action.started',
  manageStartMarkingPaid: 'bulk_action.started',
  manageStartPayouts: 'bulk_action.started',
  manageStartPartnerChange: 'bulk_action.started',
  manageStartInviting: 'bulk_action.started',
  manageStartResending: 'bulk_action.started',
  manageStartLinkChange: 'bulk_action.started',
  manageStartCouponChange: 'bulk_action.started',
  manageStopBulkAction: 'bulk_action.stopped',
  manageUpdateMailSettings: 'account.mail_changed',
  manageUnsubscribe: 'account.mail_changed',
  manageSendVerification: 'account.email_verification_requested',
  manageChangeEmail: 'account.email_change_requested',
  manageConfirmEmail: 'account.email_verified',
  manageLookUpInvitation: 'nothing',
  manageAskAboutOrder: 'nothing',
  manageAccept: 'partner.invitation_accepted',
  manageAddDomain: 'domain.added',
  manageAddGroup: 'group.created',
  manageAddApiKey: 'key.created',
  manageAddAdjustment: 'commission.adjusted',
  manageAddCoupon: 'coupon.created',
  manageAddLink: 'link.created',
  manageAddPartner: 'partner.added',
  manageViewAsPartner: 'partner.viewed',
  manageAddToken: 'token.created',
  manageAddPartnerNote: 'partner.note_added',
  manageAddTerms: 'terms.published',
  manageAddProcessorSecret: 'processor.secret_added',
  manageApprove: 'commission.approved',
  manageApproveMany: 'commission.approved',
  manageApprovePayoutRun: 'payout_run.approved',
  manageAssignCustomer: 'customer.assigned',
  manageCancelPayout: 'payout.cancelled',
  manageCancelPayoutRun: 'payout_run.cancelled',
  manageConnectProcessor: 'processor.connected',
  manageCreateProgram: 'program.created',
  manageDeleteGroup: 'group.deleted',
  manageDeleteLink: 'link.deleted',
  manageDeletePayoutMethod: 'account.payout_method_removed',
  manageDeletePostback: 'postback.deleted',
  manageDeletePartnerNote: 'partner.note_deleted',
  manageDeleteDomain: 'domain.deleted',
  manageDeleteProgram: 'program.deleted',
  manageDeleteView: 'view.deleted',
  manageDisconnectProcessor: 'processor.disconnected',
  manageEraseCustomer: 'customer.erased',
  manageEndOtherSessions: 'account.sessions_ended',
  manageEndSession: 'account.sessions_ended',
  manageImport: 'import.received',
  manageInvite: 'invitation.created',
  manageInvitePartner: 'partner.invited',
  manageInvitePartners: 'partner.added',
  manageLiftPayoutWait: 'partner.payout_wait_lifted',
  manageLogout: 'token.revoked',
  manageMakePayoutRun: 'payout_run.made',
  manageMakePayouts: 'payout.created',
  manageMarkFailed: 'payout.marked_failed',
  manageMarkPaid: 'payout.marked_paid',
  manageMarkPayoutsPaid: 'payout.marked_paid',
  manageRegenerateKey: 'key.regenerated',
  manageReissueInvitation: 'invitation.reissued',
  manageReject: 'commission.rejected',
  manageRejectMany: 'commission.rejected',
  manageRemoveLogo: 'program.logo_changed',
  manageRemoveMember: 'member.removed',
  manageRemoveProcessorSecret: 'processor.secret_removed',
  manageRenewJoinLink: 'program.join_link_renewed',
  manageReplayProcessorEvent: 'processor.event_replayed',
  manageRequireRotation: 'key.rotation_required',
  manageRestore: 'commission.restored',
  manageReviewCommissions: 'commission.approved',
  manageRevokeInvitation: 'invitation.revoked',
  manageRevokePartnerInvitation: 'partner.invitation_revoked',
  manageRetireApiKey: 'key.retired',
  manageRevokeToken: 'token.revoked',
  manageReadStatusReport: 'payout_run.report_read',
  manageSavePayoutSettings: 'payout.settings_changed',
  manageSavePostback: 'postback.changed',
  manageSendPayoutRun: 'payout_run.sent',
  manageSettlePayoutRun: 'payout_run.settled',
  manageSaveView: 'view.saved',
  manageSetLogo: 'program.logo_changed',
  manageSetPayoutMethod: 'account.payout_method_changed',
  manageSetProgramStatus: 'program.status_changed',
  manageSimulateTerms: 'nothing',
  manageTestChain: 'program.test_chain_run',
  // Made-up values, sent to the partner's own address.
  manageTestPostback: 'nothing',
  manageTestLink: 'program.test_link_created',
  manageUpdateGroup: 'group.changed',
  manageWithdrawTerms: 'terms.withdrawn',
  manageUpdateCoupon: 'coupon.changed',
  manageUpdateJoinPage: 'program.join_page_changed',
  manageUpdateLink: 'link.changed',
  manageUpdateMe: 'account.profile_changed',
  manageUpdateMember: 'member.role_changed',
  manageUpdatePartner: 'partner.status_changed',
  manageUpdateProgram: 'program.settings_changed',
  manageUpdateWorkspace: 'workspace.settings_changed',
  manageAddWebhook: 'webhook.added',
  manageChangeWebhook: 'webhook.changed',
  manageDeleteWebhook: 'webhook.deleted',
  manageReplayWebhook: 'webhook.replayed',
  manageResendDelivery: 'webhook.replayed',
  manageRotateWebhookSecret: 'webhook.secret_rotated',
  manageTestWebhook: 'webhook.tested',
  manageVerifyDomain: 'domain.activated',
};
