import {
  RIGHTS,
  type Right,
  ROLES,
  type RouteDefinition,
  rightOf,
  routes,
  WORKSPACE_ROLES,
  type WorkspaceRole,
} from '@svc/contract';

/** Every kind of caller, as the documentation names it. */
export const CALLERS = {
  nobody: 'no credential',
  unknownToken: 'an unknown token or cookie',
  owner: 'an owner of the workspace',
  ownerByCookie: 'an owner, by session cookie',
  member: 'an admin of the workspace',
  finance: 'someone in finance',
  viewer: 'a viewer of the workspace',
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
type Outcomes = Record<Caller, Outcome>;

const FOR_ALL = (outcome: Outcome) =>
  Object.fromEntries(Object.keys(CALLERS).map((caller) => [caller, outcome])) as Outcomes;

const NOBODY = FOR_ALL(401);

/** Signed-in accounts that are unrelated to the program do not learn that it exists. */
const SIGNED_IN_ELSEWHERE = {
  outsider: 404,
  otherOwner: 404,
  blockedPartner: 404,
  removedMember: 'refused',
} as const;

/**
 * What each role gets from a route, by the lowest role that may call it. Written out by hand: taken from the contract, a wrong
 * order of roles would change what is expected together with what is enforced.
 */
export const BY_LOWEST_ROLE: Record<WorkspaceRole, Record<WorkspaceRole, 'yes' | 403>> = {
  viewer: { viewer: 'yes', finance: 'yes', member: 'yes', owner: 'yes' },
  finance: { viewer: 403, finance: 'yes', member: 'yes', owner: 'yes' },
  member: { viewer: 403, finance: 403, member: 'yes', owner: 'yes' },
  owner: { viewer: 403, finance: 403, member: 403, owner: 'yes' },
};

/** What everyone in the workspace gets from a route that this role and those above it may call. */
const team = (lowest: WorkspaceRole) => ({ ...BY_LOWEST_ROLE[lowest], ownerByCookie: 'yes' }) as const;

const ofTeam = (lowest: WorkspaceRole): Outcomes => ({
  ...NOBODY,
  ...SIGNED_IN_ELSEWHERE,
  ...team(lowest),
  partner: 404,
});
const ofTeamAndPartners = (lowest: WorkspaceRole): Outcomes => ({ ...ofTeam(lowest), partner: 'yes' });

/** Routes about a workspace as a whole: every account has its own or none. */
const IN_WORKSPACES: Partial<Outcomes> = { otherOwner: 'own', partner: 403, blockedPartner: 403, outsider: 403 };

const byToken = (lowest: WorkspaceRole): Outcomes => ({ ...ofTeam(lowest), ...IN_WORKSPACES, ownerByCookie: 401 });

const ACCOUNT: Outcomes = {
  ...NOBODY,
  ...team('viewer'),
  partner: 'yes',
  blockedPartner: 'own',
  outsider: 'own',
  otherOwner: 'own',
  removedMember: 'refused',
};

/** What each right means for each caller, for routes about one program. */
const OUTCOMES: Record<Right, Outcomes> = {
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
  account: ACCOUNT,
  own: { ...ACCOUNT, ownerByCookie: 'own', member: 'own', finance: 'own', viewer: 'own', partner: 'own' },
  viewer: ofTeam('viewer'),
  finance: ofTeam('finance'),
  member: ofTeam('member'),
  owner: ofTeam('owner'),
  'viewer token': byToken('viewer'),
  'member token': byToken('member'),
  'partner or viewer': ofTeamAndPartners('viewer'),
  'partner or finance': ofTeamAndPartners('finance'),
  'partner or member': ofTeamAndPartners('member'),
};

/** A removed member still has an account, which is all that these routes require. */
const STILL_AN_ACCOUNT: Outcome[] = ['refused', 'own'];

/** The possible outcomes of a valid request to the route from this kind of caller. */
export function outcomesOf(route: RouteDefinition, caller: Caller): Outcome[] {
  const right = rightOf(route);
  const isOfWorkspace = route.auth === 'account' && route.role !== undefined && !route.path.includes(':program_id');
  const outcome = (isOfWorkspace ? IN_WORKSPACES[caller] : undefined) ?? OUTCOMES[right][caller];
  const needsAccount = right === 'account' || right === 'own';
  if (needsAccount && caller === 'removedMember') return STILL_AN_ACCOUNT;
  return [outcome];
}

const tableOf = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** What the documentation shows, each under its heading. */
export const DOCUMENTED = {
  'the roles': tableOf(
    ['Role', 'On the wire', 'May'],
    WORKSPACE_ROLES.toReversed().map((role) => [ROLES[role].name, `\`${role}\``, ROLES[role].may]),
  ),
  'the rights': tableOf(
    ['Right', 'Who may call the route'],
    Object.entries(RIGHTS).map((row) => [...row]),
  ),
  'the right of every route': tableOf(
    ['Route', 'Who'],
    routes.map((route) => [`\`${route.method} ${route.path}\``, rightOf(route)]),
  ),
  'what each kind of caller gets': tableOf(
    ['Caller', ...Object.keys(OUTCOMES)],
    Object.entries(CALLERS).map(([caller, name]) => [
      name,
      ...Object.values(OUTCOMES).map((outcomes) => String(outcomes[caller as Caller])),
    ]),
  ),
};
