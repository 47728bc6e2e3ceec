import { mayCall, type WorkspaceRole } from '@svc/contract';
import { type RouteName, routeOf } from './client.ts';
import { useApiQuery } from './hooks.ts';
import { viewing } from './viewing.ts';

/** Whether the user may call the route, for this program of their workspace or as a partner of it. */
export function useMay(programId: number, name: RouteName): boolean {
  const programs = useApiQuery('managePrograms').data?.data ?? [];
  if (viewing() && routeOf(name).method !== 'GET') return false;
  return programs.some(({ id, role }) => id === programId && mayCall(role, routeOf(name)));
}

/** Whether the user may call the route, in their workspace. */
export function useMayInWorkspace(name: RouteName): boolean {
  const role = useApiQuery('manageMe').data?.data.role ?? null;
  return role !== null && mayCall(role, routeOf(name));
}

const WHO: Record<WorkspaceRole, string> = {
  owner: 'Only owners can',
  member: 'Only owners and admins can',
  finance: 'Only owners, admins and finance can',
  viewer: 'Only your team can',
};

/** Who in the workspace may call the route, as the beginning of a sentence. */
export const whoMay = (name: RouteName) => WHO[routeOf(name).role ?? 'viewer'];
