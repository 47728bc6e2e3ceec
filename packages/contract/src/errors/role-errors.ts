import type { WorkspaceRole } from '../values/roles.ts';
import { refuse, ServiceError } from './service-error.ts';

/** Who has the rights of a role, in a sentence. */
const WHO_MAY: Record<WorkspaceRole, string> = {
  owner: 'a workspace owner',
  member: 'a workspace owner or admin',
  finance: 'a workspace owner, an admin or someone in finance',
  viewer: 'someone in the workspace',
};

/** What can go wrong with roles in a workspace. */
export const roleErrors = {
  partnerNotExpanded: refuse(403, 'Only the brand can expand partner', 'expand'),
  roleRequired: (role: WorkspaceRole) => new ServiceError(403, `Only ${WHO_MAY[role]} can do this`),
};
