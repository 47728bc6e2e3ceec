import { isAtLeast, type WorkspaceRole } from '../values/roles.ts';
import type { RouteAuth, RouteDefinition } from './route.ts';

/** Every right that a route can require, and who has it. */
export const RIGHTS = {
  anyone: 'anyone; no credential is checked',
  signature: 'anyone who signs the body with the payment processor’s secret',
  'page or key': 'a web page without a credential, or a server with the program key',
  'program key': 'a server with the program key',
  account: 'any signed-in account, by account token or session cookie',
  own: 'the account to which the thing in the path, or the link in the body, belongs',
  viewer: 'everyone in the workspace',
  finance: 'finance, admins and owners of the workspace',
  member: 'admins and owners of the workspace',
  owner: 'owners of the workspace',
  'viewer token': 'everyone in the workspace, by account token only',
  'member token': 'admins and owners of the workspace, by account token only',
  'partner or viewer': 'partners, for what is theirs, and everyone in the workspace',
  'partner or finance': 'partners, for what is theirs, and finance, admins and owners of the workspace',
  'partner or member': 'partners, for what is theirs, and admins and owners of the workspace',
} as const;

export type Right = keyof typeof RIGHTS;

/** The right of routes that no role decides about. */
const BY_CREDENTIAL: Record<RouteAuth, Right> = {
  none: 'anyone',
  browser: 'anyone',
  'optional-key': 'page or key',
  'program-key': 'program key',
  'account-token': 'viewer token',
  account: 'account',
};

/** The right that the route requires, as its definition says. */
export function rightOf(route: RouteDefinition): Right {
  const { auth, role, partners, signed } = route;
  if (signed) return 'signature';
  if (role === undefined) return auth === 'account' && namesOne(route) ? 'own' : BY_CREDENTIAL[auth];
  const right = auth === 'account-token' ? `${role} token` : partners ? `partner or ${role}` : role;
  if (!(right in RIGHTS)) throw new Error(`${route.id} requires “${right}”, which is not in the table of rights`);
  return right as Right;
}

/** Whether the route names something that belongs to one account. */
export const namesOne = ({ path, namesLink }: RouteDefinition) => path.includes(':') || namesLink === true;

/** Whether someone with this role in the workspace, or a partner of the program, may call the route. */
export function mayCall(role: WorkspaceRole | 'partner', route: Pick<RouteDefinition, 'role' | 'partners'>): boolean {
  if (role === 'partner') return route.partners === true;
  return route.role === undefined || isAtLeast(role, route.role);
}
