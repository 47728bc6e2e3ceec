import {
  type CallOf,
  errors,
  manageAddProcessorSecret,
  manageChangeEmail,
  manageConnectProcessor,
  manageEraseCustomer,
  manageInvite,
  manageInvitePartner,
  manageMarkPaid,
  manageMarkPayoutsPaid,
  manageRegenerateKey,
  manageReissueInvitation,
  manageRemoveMember,
  manageRequireRotation,
  manageUpdateMe,
  manageUpdateMember,
  manageUpdateWorkspace,
  type RouteDefinition,
} from '@svc/contract';
import type { FastifyRequest } from 'fastify';
import type { BrowserSession } from './browser-session.ts';

/** How long a password, a code or a passkey proves who uses a session. */
const PROOF_MS = 10 * 60_000;

/**
 * The routes that a session may call only with a recent proof: who gets money, who gets access, secrets, and what cannot be
 * undone. Some do only when a request has a certain field.
 */
const SENSITIVE = [
  always(manageRegenerateKey),
  always(manageRequireRotation),
  always(manageConnectProcessor),
  always(manageAddProcessorSecret),
  always(manageMarkPaid),
  always(manageMarkPayoutsPaid),
  always(manageInvite),
  always(manageReissueInvitation),
  always(manageUpdateMember),
  always(manageRemoveMember),
  always(manageChangeEmail),
  always(manageEraseCustomer),
  withField(manageUpdateWorkspace, 'second_factor_required'),
  withField(manageUpdateMe, 'payout_details'),
  withField(manageInvitePartner, 'replace_account'),
];

type SensitiveRoute = { route: RouteDefinition; field: string | null };

/** The sensitive routes by their ids, as the documentation lists them. */
export const sensitiveRoutes: ReadonlyMap<string, SensitiveRoute> = new Map(
  SENSITIVE.map((sensitive) => [sensitive.route.id, sensitive]),
);

function always(route: RouteDefinition): SensitiveRoute {
  return { route, field: null };
}

function withField<Route extends RouteDefinition>(
  route: Route,
  field: keyof NonNullable<CallOf<Route>['body']> & string,
): SensitiveRoute {
  return { route, field };
}

/** Refuses a sensitive request of a session without a recent proof. */
export function askAgain(request: FastifyRequest, session: BrowserSession, now: Date): void {
  const sensitive = sensitiveRoutes.get(request.routeOptions.config.definition?.id ?? '');
  if (sensitive && isMeant(sensitive, request.body)) requireRecentProof(session, now);
}

export function requireRecentProof({ provedAt }: BrowserSession, now: Date): void {
  if (now.getTime() - provedAt.getTime() > PROOF_MS) throw errors.confirmationRequired();
}

function isMeant({ field }: SensitiveRoute, body: unknown): boolean {
  if (field === null) return true;
  const value = (body as Record<string, unknown> | null | undefined)?.[field];
  // Requiring no second factor anymore is sensitive too; a partner is handed over only with `true`.
  return value !== undefined && (value !== false || field === 'second_factor_required');
}
