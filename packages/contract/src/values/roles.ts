/** The roles in a workspace, from the one with the fewest rights to the one with all of them. */
export const WORKSPACE_ROLES = ['viewer', 'finance', 'member', 'owner'] as const;

/** A role in a workspace. Each one may do everything that the roles before it may. */
export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number];

/** What people read about a role: its name, and what it may do. `member` is called admin everywhere but on the wire. */
export const ROLES: Record<WorkspaceRole, { name: string; may: string }> = {
  owner: { name: 'Owner', may: 'Everything' },
  member: { name: 'Admin', may: 'Everything except API keys, the team, payment processors and handing partners over' },
  finance: { name: 'Finance', may: 'Commissions, payouts and exports. Sees everything else, but changes no settings' },
  viewer: { name: 'Viewer', may: 'Sees everything. Changes and exports nothing' },
};

/** Whether the role has all rights of the other one. */
export function isAtLeast(role: WorkspaceRole, other: WorkspaceRole): boolean {
  return WORKSPACE_ROLES.indexOf(role) >= WORKSPACE_ROLES.indexOf(other);
}
