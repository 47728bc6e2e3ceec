import { type Actor, insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import type { Program } from '../../programs/program.ts';
import { ensureTestFixture, type TestFixture } from '../test-fixture-store.ts';

/** The program's test link, which is created the first time it is asked for. */
export function openTestLink(ctx: Context, program: Program, actor: Actor): Promise<TestFixture> {
  const { id: programId, workspaceId, name } = program;
  return ctx.db.transaction(async (tx) => {
    const { fixture, isNew } = await ensureTestFixture(tx, program, ctx.now());
    if (isNew) {
      const subject = { type: 'program', id: programId, name } as const;
      const action = 'program.test_link_created';
      await insertAuditEvent(tx, { workspaceId, programId, actor, action, subject }, ctx.now());
    }
    return fixture;
  });
}
