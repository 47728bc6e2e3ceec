import { mapInner } from './map-inner.ts';
import { type JsonSchema, PLACE } from './schemas.ts';

type Named = Record<string, JsonSchema>;

/**
 * The names of what replies and bodies contain, and where each is found: `[]` is a row of a list, a number one of several forms.
 * What looks the same has the same name. Generated clients call their types by these names, so they stay.
 */
export const PARTS: Record<string, string> = {
  // Tracking.
  TestEvent: 'TrackClickReply.data',
  TrackedSale: 'TrackSaleReply.data',
  TrackedRefund: 'TrackRefundReply.data',
  BatchResults: 'TrackBatchReply.data',
  BatchResult: 'TrackBatchReply.data.results[]',
  AdditionalData: 'TrackSaleRequest.additional_data',
  Amount: 'TrackLeadReply.customer_credit',
  ReadinessGates: 'Readiness.gates',
  ReadinessGate: 'Readiness.gates.profile',
  TrackingGate: 'Readiness.gates.tracking',
  PayoutGate: 'Readiness.gates.payout',
  LiveGate: 'Readiness.gates.live',
  TestChainVerdict: 'TestChain.verdict',
  LastEventTimes: 'Readiness.last_event_at',
  EventCounts: 'Readiness.counts_24h',
  PollAdvice: 'Readiness.poll',
  // Events and webhooks.
  EventWithSentence: 'ManageFeedEventsReply.data[]',
  EventWithDeliveries: 'ManageFeedEventReply.data',
  WebhookWithSecret: 'ManageAddWebhookReply.data',
  WebhookSecret: 'ManageRotateWebhookSecretReply.data',
  MissedEvents: 'ManageMissedEventsReply.data',
  StartedReplay: 'ManageReplayWebhookReply.data',
  DeliveryDetails: 'ManageDeliveryReply.data',
  CustomerEventData: 'LeadCreatedEvent.data',
  CommissionEventData: 'CommissionCreatedEvent.data',
  PayoutEventData: 'PayoutCreatedEvent.data',
  PartnerEventData: 'PartnerAppliedEvent.data',
  LinkEventData: 'LinkCreatedEvent.data',
  AlertEventData: 'AlertOpenedEvent.data',
  EventDecision: 'LeadCreatedEvent.data.decision',
  // The command line.
  CliLoginStatus: 'CliAuthCallbackReply.data',
  CliLogin: 'CliAuthPollReply.data',
  StartedCliLogin: 'CliAuthStartReply.data',
  CreatedProgram: 'CliInitReply.data',
  ProgramSummary: 'CliProgramsReply.data[]',
  ProgramStatus: 'CliStatusReply.data',
  SentTestEvent: 'CliTestEventReply.data.0',
  // Accounts and teams.
  Account: 'ManageMeReply.data',
  Membership: 'ManageMeReply.data.partner_of[]',
  PayoutMethodSummary: 'ManageMeReply.data.payout_method',
  OwnProgram: 'ManageProgramsReply.data[]',
  Application: 'ManageApplicationsReply.data[]',
  UnsubscribedMail: 'ManageUnsubscribeReply.data',
  MailSettings: 'ManageMailSettingsReply.data',
  MailSetting: 'ManageMailSettingsReply.data.kinds[]',
  ConfirmedEmail: 'ManageConfirmEmailReply.data',
  SecondFactors: 'ManageSecondFactorsReply.data',
  Session: 'ManageSessionsReply.data[]',
  EndedSessions: 'ManageEndOtherSessionsReply.data',
  AccountToken: 'ManageTokensReply.data[]',
  AccountTokenWithSecret: 'ManageAddTokenReply.data',
  Workspace: 'ManageWorkspaceReply.data',
  ProgramOverview: 'ManageWorkspaceOverviewReply.data[]',
  Invitation: 'ManageInvitationsReply.data[]',
  InvitationWithLink: 'ManageInviteReply.data',
  InvitationDetails: 'ManageLookUpInvitationReply.data',
  AcceptedInvitation: 'ManageAcceptReply.data',
  AccountExport: 'ManageExportMeReply.data',
  // Programs.
  ProgramWithKey: 'ManageCreateProgramReply.data',
  NewApiKey: 'ManageRegenerateKeyReply.data',
  KeyRotation: 'ManageRequireRotationReply.data',
  ApiKeyWithSecret: 'ManageAddApiKeyReply.data',
  ProgramState: 'ManageSetProgramStatusReply.data',
  RefusedCalls: 'ManageRefusedCallsReply.data[]',
  SetupProgress: 'ManageSetupReply.data',
  TestLink: 'ManageTestLinkReply.data',
  JoinQuestion: 'JoinPage.questions[]',
  JoinAnswer: 'ManageAcceptRequest.answers[]',
  SignatureProblems: 'Processor.signature_mismatches',
  Payer: 'CustomEvent.0.payer',
  // Terms.
  Terms: 'ManageTermsReply.data[]',
  TermsRule: 'ManageTermsReply.data[].rules[]',
  TermsRuleFor: 'ManageTermsReply.data[].rules[].for',
  TermsRuleWhen: 'ManageTermsReply.data[].rules[].when',
  TermsRulePays: 'ManageTermsReply.data[].rules[].pays',
  TermsRuleCaps: 'ManageTermsReply.data[].rules[].caps',
  TermsRuleCredit: 'ManageTermsReply.data[].rules[].credit',
  NewTermsRule: 'ManageAddTermsRequest.rules[]',
  TermsSimulation: 'ManageSimulateTermsReply.data',
  PartnerGroup: 'ManageGroupsReply.data[]',
  GroupTier: 'ManageGroupsReply.data[].tier',
  NewGroupTier: 'ManageAddGroupRequest.tier',
  PartnerTerms: 'ManagePartnerTermsReply.data',
  TierMove: 'ManagePartnerHistoryReply.data[].tier',
  // Partners, links and coupons.
  PartnerWithNumbers: 'ManagePartnersReply.data[]',
  PartnerWithLink: 'ManageAddPartnerReply.data',
  PartnerDetails: 'ManagePartnerReply.data',
  PartnerInvitation: 'ManageInvitePartnerReply.data',
  InvitedPartner: 'ManageInvitePartnersReply.data[]',
  PartnerHistoryEntry: 'ManagePartnerHistoryReply.data[]',
  PartnerView: 'ManageViewAsPartnerReply.data',
  PostbackSettings: 'ManagePostbackReply.data',
  LinkWithNumbers: 'ManageLinksReply.data[]',
  LinkDetails: 'ManageAddLinkReply.data',
  Coupon: 'ManageCouponsReply.data[]',
  SavedCoupon: 'ManageAddCouponReply.data',
  UpsertedPartner: 'ManageUpsertPartnerReply.data',
  PartnerFilter: 'ManageStartPartnerChangeRequest.filter',
  ListedSale: 'ManageSalesReply.data[]',
  ListedCustomer: 'ManageCustomersReply.data[]',
  ListedCommission: 'ManageCommissionsReply.data[]',
  ListedPayout: 'ManagePayoutsReply.data[]',
  ImportResult: 'ManageImportReply.data',
  ImportDetails: 'ManageImportDetailsReply.data',
  ImportCounts: 'Import.created',
  OpeningBalance: 'ManageOpeningBalancesReply.data[]',
  // Sales, customers and commissions.
  TrackedEvent: 'ManageEventsReply.data[]',
  CustomerDetails: 'ManageCustomerReply.data',
  CustomerExport: 'ManageExportCustomerReply.data',
  ErasedCustomer: 'ManageEraseCustomerReply.data',
  Decision: 'ManageExplainReply.data[]',
  SearchHit: 'ManageSearchReply.data[]',
  ReviewedCommission: 'ManageApproveManyReply.data[]',
  CommissionReview: 'ManageReviewCommissionsReply.data',
  CommissionFilter: 'ManageStartReviewRequest.filter',
  // Numbers.
  Page: 'ManageAuditReply.meta',
  PageWithCount: 'ManageCustomersReply.meta',
  PageWithNumbers: 'ManagePartnersReply.meta',
  NextPage: 'ManageMarkPayoutsPaidReply.meta',
  Numbers: 'ManagePartnersReply.data[].numbers',
  Money: 'ManagePartnersReply.data[].numbers.money[]',
  Totals: 'ManagePerformanceReply.data.totals',
  TotalMoney: 'ManagePerformanceReply.data.totals.money[]',
  Performance: 'ManagePerformanceReply.data',
  Breakdown: 'ManageBreakdownReply.data',
  BreakdownMoney: 'ManageBreakdownReply.data.totals.money[]',
  ClickAges: 'ManageClickAgesReply.data',
  Cohorts: 'ManageCohortsReply.data',
  CohortTotals: 'ManageCohortsReply.data.totals',
  CohortMoney: 'ManageCohortsReply.data.totals.money[]',
  // Payouts.
  Balance: 'ManageBalancesReply.data[]',
  Earnings: 'ManageEarningsReply.data[]',
  PayoutDetails: 'ManagePayoutReply.data',
  PayoutFilter: 'ManageStartMarkingPaidRequest.filter',
  PayableTotal: 'ManageStartPayoutsRequest.totals[]',
  MarkedPayouts: 'ManageMarkPayoutsPaidReply.data',
  PayoutRunSummary: 'ManagePayoutRunsReply.data[]',
  PayoutRunTotal: 'PayoutRun.totals[]',
  PayoutRunMember: 'PayoutRun.made_by',
  StatusReport: 'ManageReadStatusReportReply.data',
  PayoutSettings: 'ManagePayoutSettingsReply.data',
  PayoutSchedule: 'ManagePayoutSettingsReply.data.schedule',
  Books: 'ManageBooksReply.data',
  OrderAnswers: 'ManageAskAboutOrderReply.data',
  UpcomingPayouts: 'ManageUpcomingReply.data[]',
};

/** The schemas with a name for every row of a reply and for every part that occurs twice, and references in their places. */
export function withNamedParts(named: Named): Named {
  const parts = new Map<string, { name: string; schema: JsonSchema }>();
  const rows = Object.keys(named).flatMap((name) => (name.endsWith('Reply') ? rowOf(name, named) : []));
  for (const [name, path] of [...Object.entries(PARTS), ...rows]) {
    const schema = partAt(path, named);
    if (isPart(schema) && !(name in named) && !parts.has(textOf(schema))) parts.set(textOf(schema), { name, schema });
  }
  const refer = (schema: JsonSchema): JsonSchema => {
    const part = isPart(schema) && parts.get(textOf(schema));
    if (!part) return mapInner(schema, refer);
    return { $ref: `${PLACE}${part.name}`, ...(schema.description && { description: schema.description }) };
  };
  const added = [...parts.values()].map(({ name, schema: { description, ...schema } }) => [name, schema] as const);
  const all = [...Object.entries(named), ...added];
  return Object.fromEntries(all.map(([name, schema]) => [name, mapInner(schema, refer)]));
}

/** The row of a reply that nobody has named better. */
function rowOf(reply: string, named: Named): [string, string][] {
  const name = `${reply.slice(0, -'Reply'.length)}Data`;
  return [`${reply}.data`, `${reply}.data[]`].flatMap((path): [string, string][] =>
    isPart(partAt(path, named)) ? [[name, path]] : [],
  );
}

const isPart = (schema?: JsonSchema): schema is JsonSchema =>
  schema?.type === 'object' && Object.keys(schema.properties ?? {}).length > 0;

/** What makes two parts the same: everything but what is said about them where they are used. */
const textOf = ({ description: _, ...schema }: JsonSchema) => JSON.stringify(schema);

function partAt(path: string, named: Named): JsonSchema | undefined {
  const [name = '', ...steps] = path.replaceAll('[]', '.[]').split('.');
  return steps.reduce<JsonSchema | undefined>((schema, step) => {
    if (step === '[]') return orNothing(schema?.items as JsonSchema | undefined);
    const choices = (schema?.oneOf ?? schema?.anyOf) as JsonSchema[] | undefined;
    return orNothing(choices?.[Number(step)] ?? (schema?.properties as Named | undefined)?.[step]);
  }, named[name]);
}

/** Of what may be null, the rest. */
function orNothing(schema: JsonSchema | undefined): JsonSchema | undefined {
  const choices = schema?.anyOf as JsonSchema[] | undefined;
  return choices?.length === 2 && choices[1]?.type === 'null' ? choices[0] : schema;
}
