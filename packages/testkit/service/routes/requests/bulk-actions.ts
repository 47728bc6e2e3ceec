import type { TestProgram, TestService } from '../../service.ts';
import type { RequestParts } from './parts.ts';

const NOBODY = { filter: { q: 'nobody' }, count: 0 };

/** Only one bulk action of each kind can run in a program. */
const stopBulkActions = (service: TestService, { program }: Pick<TestProgram, 'program'>) =>
  service.sql(
    `update bulk_actions set status = 'stopped', finished_at = $2 where program_id = $1 and status = 'running'`,
    [program.id, service.ctx.now()],
  );

export const BULK_ACTION_REQUESTS: RequestParts = {
  // Without rows: what becomes of rows would come some moments later.
  bodies: {
    manageStartReview: () => ({ action: 'approve', filter: { transaction_id: 'none' }, count: 0 }),
    manageStartMarkingPaid: () => ({ ...NOBODY, totals: [] }),
    manageStartResending: () => NOBODY,
    manageStartLinkChange: () => ({ active: true, ...NOBODY }),
    manageStartCouponChange: () => ({ active: true, ...NOBODY }),
    manageStartPartnerChange: () => ({ status: 'active', ...NOBODY }),
    manageStartPayouts: () => ({ count: 0, totals: [] }),
    // Its only row is refused, so nobody is added some moments later.
    async manageStartInviting(service, created) {
      await stopBulkActions(service, created);
      return { partners: [{ name: 'Nobody' }] };
    },
  },
  first: { manageBulkActions: bulkActionIdOf },
  params: {
    async bulk_action_id(service, created, routeId) {
      const id = await bulkActionIdOf(service, created);
      if (['manageBulkActionRows', 'manageExportBulkActionRows'].includes(routeId))
        await addBulkRow(service, id, created);
      return id;
    },
  },
};

/** The id of a bulk action that is running, and not due for a long time. */
export async function bulkActionIdOf(service: TestService, { program }: TestProgram): Promise<number> {
  const now = service.ctx.now();
  await stopBulkActions(service, { program });
  const [added] = await service.sql<{ id: number }>(
    `insert into bulk_actions (program_id, kind, change, total, skipped, actor, due_at, created_at)
     values ($1, 'review_commissions', '{"action":"approve"}', 3, '{"paid":1}', '{"requestId":null,"kind":"operator"}', '9999-01-01', $2)
     returning id`,
    [program.id, now],
  );
  return added?.id as number;
}

/** A row of the bulk action, as one that invites has them. */
async function addBulkRow(service: TestService, bulkActionId: number, { partnerId }: TestProgram): Promise<void> {
  await service.sql(
    `insert into bulk_action_rows (bulk_action_id, row_number, outcome, partner_id, created_at)
     values ($1, 0, 'already_partner', $2, $3)`,
    [bulkActionId, partnerId, service.ctx.now()],
  );
}
