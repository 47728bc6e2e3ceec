import type { WorkspaceRole } from '@svc/contract';

const IN_A_SENTENCE: Record<WorkspaceRole, string> = {
  owner: 'an owner',
  member: 'an admin',
  finance: 'a finance member',
  viewer: 'a viewer',
};

/** A role in a workspace as a part of a sentence, or what someone is whose role is not known. */
export function roleInSentence(role: string | null | undefined): string {
  return IN_A_SENTENCE[role as WorkspaceRole] ?? 'a member';
}
