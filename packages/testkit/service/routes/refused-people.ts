import { type RouteDefinition, rightOf, WORKSPACE_ROLES, type WorkspaceRole } from '@svc/contract';
import { platformError } from '../service.ts';
import { BY_LOWEST_ROLE } from './rights.ts';

export const NOT_FOUND = platformError(404, 'NotFoundError', 'Not Found');
const ROLE_REQUIRED: Record<WorkspaceRole, string> = {
  owner: 'Only a workspace owner can do this',
  member: 'Only a workspace owner or admin can do this',
  finance: 'Only a workspace owner, an admin or someone in finance can do this',
  viewer: 'Only someone in the workspace can do this',
};
const OF_ANOTHER = platformError(
  404,
  'NotFoundError',
  'This link belongs to another account. Sign in to that account and open the link again, or ask for a new one under Account settings.',
);
const NO_WORKSPACE = platformError(403, 'ForbiddenError', 'No advertiser found for this account');

/** People who are signed in: with a role in the workspace, as a partner of its program, or with no relation to it. */
export const PEOPLE = [...WORKSPACE_ROLES, 'partner', 'outsider'] as const;
export type Person = (typeof PEOPLE)[number];

const isInWorkspace = (person: Person): person is WorkspaceRole =>
  (WORKSPACE_ROLES as readonly string[]).includes(person);

/** Whether the route admits people like this. What names a thing of one account admits no other account. */
export function admits(route: RouteDefinition, person: Person): boolean {
  if (rightOf(route) === 'own') return false;
  if (route.role === undefined) return true;
  if (person === 'partner') return route.partners === true;
  return isInWorkspace(person) && BY_LOWEST_ROLE[route.role][person] === 'yes';
}

/** People in the workspace lack the role; the others cannot see the program, have no workspace, or name a stranger's thing. */
export function refusalOf(route: RouteDefinition, person: Person) {
  if (route.id === 'manageConfirmEmail') return { status: 404, body: OF_ANOTHER };
  if (rightOf(route) === 'own') return { status: 404, body: NOT_FOUND };
  if (isInWorkspace(person) && route.role) {
    return { status: 403, body: platformError(403, 'ForbiddenError', ROLE_REQUIRED[route.role]) };
  }
  const isOfAccount = !route.path.includes(':program_id');
  return isOfAccount ? { status: 403, body: NO_WORKSPACE } : { status: 404, body: NOT_FOUND };
}
