import { OPERATOR } from '../../../../server/src/audit/audit-store.ts';
import { addView } from '../../../../server/src/views/add-view.ts';
import type { OwnedProgram } from '../../accounts.ts';
import type { TestService } from '../../service.ts';
import type { RequestParts } from './parts.ts';

export const VIEW_REQUESTS: RequestParts = {
  bodies: { manageSaveView: () => ({ list: 'commissions', name: 'To approve', query: 'status=pending' }) },
  params: { view_id: viewIdOf },
};

/** The id of a view that the program's owner saved. */
export async function viewIdOf(service: TestService, { program, owner }: OwnedProgram): Promise<number> {
  const view = { list: 'sales', name: 'All', query: '' } as const;
  const by = { workspaceId: program.workspaceId, actor: OPERATOR };
  return (await addView(service.ctx, { programId: program.id, userId: owner.userId }, view, by)).id;
}
