import { type RouteDefinition, routes } from '@svc/contract';

/**
 * Who may call a route:
 * - `anyone`: no credential is checked
 * - `page or key`: a web page without a credential, or a server with a program key
 * - `program key`: a server with the program's key
 * - `workspace token`: a member of a workspace, with an account token
 * - `account`: any signed-in account
 * - `own token`: the user whose account token or session it is
 * - `partner`, `member`, `owner`: this role or a higher one, each in their own program or workspace
 * - `signature`: anyone who signs the body with the payment processor's secret
 */
export type Right =
  | 'anyone'
  | 'page or key'
  | 'program key'
  | 'workspace token'
  | 'account'
  | 'own token'
  | 'partner'
  | 'member'
  | 'owner'
  | 'signature';

/** The one table of rights. A route without a row fails the test of all routes. */
export const RIGHTS: Record<string, Right> = {
  trackClick: 'anyone',
  trackLead: 'page or key',
  trackSale: 'program key',
  trackRefund: 'program key',
  readiness: 'program key',
  cliAuthStart: 'anyone',
  cliAuthCallback: 'anyone',
  cliAuthPoll: 'anyone',
  cliInit: 'workspace token',
  cliPrograms: 'workspace token',
  cliStatus: 'program key',
  cliTestEvent: 'program key',
  cliStripeConnect: 'anyone',
  manageMe: 'account',
  manageUpdateMe: 'account',
  manageLogout: 'account',
  manageSecondFactors: 'account',
  manageSessions: 'account',
  manageEndSession: 'own token',
  manageEndOtherSessions: 'account',
  manageTokens: 'account',
  manageRevokeToken: 'own token',
  managePrograms: 'account',
  manageAccept: 'account',
  manageLookUpInvitation: 'anyone',
  manageMembers: 'member',
  manageUpdateMember: 'owner',
  manageRemoveMember: 'owner',
  manageWorkspace: 'member',
  manageUpdateWorkspace: 'owner',
  manageInvitations: 'owner',
  manageInvite: 'owner',
  manageReissueInvitation: 'owner',
  manageRevokeInvitation: 'owner',
  manageCreateProgram: 'member',
  manageProgram: 'member',
  manageUpdateProgram: 'member',
  manageSetProgramStatus: 'owner',
  manageDeleteProgram: 'owner',
  manageJoinPage: 'member',
  manageUpdateJoinPage: 'member',
  manageSetLogo: 'member',
  manageRemoveLogo: 'member',
  manageTerms: 'member',
  manageRegenerateKey: 'owner',
  manageRequireRotation: 'owner',
  manageRenewJoinLink: 'member',
  manageReadiness: 'member',
  manageRefusedCalls: 'member',
  manageTestChain: 'member',
  manageSetup: 'member',
  manageTestLink: 'member',
  managePartners: 'member',
  manageAddPartner: 'member',
  managePartner: 'member',
  manageUpdatePartner: 'member',
  manageInvitePartner: 'member',
  manageRevokePartnerInvitation: 'member',
  manageInvitePartners: 'member',
  managePartnerNotes: 'member',
  manageAddPartnerNote: 'member',
  manageDeletePartnerNote: 'member',
  managePartnerHistory: 'member',
  manageLinks: 'partner',
  manageAddLink: 'partner',
  manageUpdateLink: 'partner',
  manageDeleteLink: 'partner',
  manageEvents: 'partner',
  manageSales: 'partner',
  manageCustomers: 'partner',
  manageCustomer: 'partner',
  manageExplain: 'member',
  manageCommissions: 'partner',
  manageApprove: 'member',
  manageReject: 'member',
  manageApproveMany: 'member',
  manageRejectMany: 'member',
  manageRestore: 'member',
  manageReviewCommissions: 'member',
  managePerformance: 'partner',
  manageBreakdown: 'partner',
  manageBalances: 'partner',
  manageEarnings: 'partner',
  manageUpcoming: 'partner',
  manageAskAboutOrder: 'partner',
  managePayouts: 'partner',
  managePayout: 'partner',
  manageMakePayouts: 'member',
  manageMarkPaid: 'member',
  manageCancelPayout: 'member',
  manageMarkPayoutsPaid: 'member',
  manageExportSales: 'partner',
  manageExportCommissions: 'partner',
  manageExportCustomers: 'partner',
  manageExportPayouts: 'partner',
  manageExportPerformance: 'partner',
  manageExportBreakdown: 'partner',
  manageViews: 'member',
  manageSaveView: 'member',
  manageDeleteView: 'member',
  manageProcessor: 'owner',
  manageConnectProcessor: 'owner',
  manageDisconnectProcessor: 'owner',
  manageAddProcessorSecret: 'owner',
  manageRemoveProcessorSecret: 'owner',
  manageProcessorEvents: 'owner',
  manageReplayProcessorEvent: 'owner',
  processorWebhook: 'signature',
  stripePlatformWebhook: 'signature',
};

/** Every kind of caller, as the documentation names it. */
export const CALLERS = {
  nobody: 'no credential',
  unknownToken: 'an unknown token or cookie',
  owner: 'an owner of the workspace',
  ownerByCookie: 'an owner, by session cookie',
  member: 'a member of the workspace',
  partner: 'a partner of the program',
  blockedPartner: 'a blocked or removed partner',
  outsider: 'an unrelated account',
  otherOwner: 'an owner of another workspace',
  removedMember: 'a removed member of the workspace',
  suspended: 'a suspended owner, by token',
  suspendedByCookie: 'a suspended owner, by cookie',
  revokedToken: 'a revoked account token',
  expiredToken: 'an expired account token',
  idToken: 'an id token instead of an account token',
  programKey: 'the key of the program',
  otherKey: 'the key of another program',
  replacedKey: 'a replaced key of the program',
} as const;

export type Caller = keyof typeof CALLERS;

/**
 * The outcome of a call:
 * - `yes`: it succeeds
 * - `own`: it succeeds on the caller's own data; naming another account's data by its id is a 404
 * - a status
 * - `refused`: 401, 403 or 404
 */
export type Outcome = 'yes' | 'own' | 'refused' | 400 | 401 | 403 | 404;

const FOR_ALL = (outcome: Outcome) =>
  Object.fromEntries(Object.keys(CALLERS).map((caller) => [caller, outcome])) as Record<Caller, Outcome>;

const NOBODY = FOR_ALL(401);

/** Signed-in accounts that are unrelated to the program do not learn that it exists. */
const SIGNED_IN_ELSEWHERE = {
  outsider: 404,
  otherOwner: 404,
  blockedPartner: 404,
  removedMember: 'refused',
} as const;

const OWNERS = { ...NOBODY, ...SIGNED_IN_ELSEWHERE, owner: 'yes', ownerByCookie: 'yes' } as const;

/** What each right means for each caller, for routes about one program. */
const OUTCOMES: Record<Right, Record<Caller, Outcome>> = {
  anyone: FOR_ALL('yes'),
  signature: FOR_ALL(400),
  'page or key': {
    ...NOBODY,
    nobody: 'yes',
    ownerByCookie: 'yes',
    suspendedByCookie: 'yes',
    programKey: 'yes',
    otherKey: 400,
  },
  'program key': { ...NOBODY, programKey: 'yes', otherKey: 'own' },
  'workspace token': {
    ...NOBODY,
    owner: 'yes',
    member: 'yes',
    otherOwner: 'own',
    partner: 403,
    blockedPartner: 403,
    outsider: 403,
    removedMember: 'refused',
  },
  account: {
    ...NOBODY,
    owner: 'yes',
    ownerByCookie: 'yes',
    member: 'yes',
    partner: 'yes',
    blockedPartner: 'own',
    outsider: 'own',
    otherOwner: 'own',
    removedMember: 'refused',
  },
  'own token': {
    ...NOBODY,
    owner: 'yes',
    ownerByCookie: 'own',
    member: 'own',
    partner: 'own',
    blockedPartner: 'own',
    outsider: 'own',
    otherOwner: 'own',
    removedMember: 'refused',
  },
  owner: { ...OWNERS, member: 403, partner: 404 },
  member: { ...OWNERS, member: 'yes', partner: 404 },
  partner: { ...OWNERS, member: 'yes', partner: 'yes' },
};

/** Routes about a workspace as a whole: every account has its own or none. */
const IN_WORKSPACES: Partial<Record<Caller, Outcome>> = {
  otherOwner: 'own',
  partner: 403,
  blockedPartner: 403,
  outsider: 403,
};

/** A removed member still has an account, which is all that these routes require. */
const STILL_AN_ACCOUNT: Outcome[] = ['refused', 'own'];

/** The possible outcomes of a valid request to the route from this kind of caller. */
export function outcomesOf(route: RouteDefinition, caller: Caller): Outcome[] {
  const right = RIGHTS[route.id] as Right;
  const isOfWorkspace = (right === 'member' || right === 'owner') && !route.path.includes(':program_id');
  const outcome = (isOfWorkspace ? IN_WORKSPACES[caller] : undefined) ?? OUTCOMES[right][caller];
  const needsAccount = right === 'account' || right === 'own token';
  if (needsAccount && caller === 'removedMember') return STILL_AN_ACCOUNT;
  return [outcome];
}

/** The table as the documentation shows it: routes by right. */
export function rightsTable(): string {
  const rows = routes.map(({ id, method, path }) => `| \`${method} ${path}\` | ${RIGHTS[id] ?? '?'} |`);
  return ['| Route | Who |', '| --- | --- |', ...rows].join('\n');
}

/** What each kind of caller gets, as the documentation shows it, for routes about one program. */
export function outcomesTable(): string {
  const rights = Object.keys(OUTCOMES) as Right[];
  const rows = (Object.keys(CALLERS) as Caller[]).map(
    (caller) => `| ${CALLERS[caller]} | ${rights.map((right) => OUTCOMES[right][caller]).join(' | ')} |`,
  );
  return [`| Caller | ${rights.join(' | ')} |`, `| --- |${rights.map(() => ' --- |').join('')}`, ...rows].join('\n');
}
