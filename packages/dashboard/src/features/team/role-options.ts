import { ROLES, type WorkspaceRole } from '@svc/contract';

/** From all rights to the fewest. */
export const ROLE_NAMES = ['owner', 'member', 'finance', 'viewer'] as const satisfies WorkspaceRole[];

/** The roles with what they may do, as options of a select field. */
export const ROLE_OPTIONS = ROLE_NAMES.map(
  (role) => [role, `${ROLES[role].name}: ${startLow(ROLES[role].may)}`] as const,
);

function startLow(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
