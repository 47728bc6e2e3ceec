import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Program } from '../programs/program.ts';
import type { Partner } from './partner-store.ts';

/** Records that a brand member views the portal as this partner, before they see anything. */
export async function recordView(
  ctx: Context,
  { id: programId, workspaceId }: Pick<Program, 'id' | 'workspaceId'>,
  { id, name }: Pick<Partner, 'id' | 'name'>,
  actor: Actor,
): Promise<void> {
  const subject = { type: 'partner', id, name } as const;
  await insertAuditEvent(ctx.db, { workspaceId, programId, actor, action: 'partner.viewed', subject }, ctx.now());
}
