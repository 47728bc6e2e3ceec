import { OPERATOR } from '../../../../server/src/audit/audit-store.ts';
import { importRows } from '../../../../server/src/imports/import-rows.ts';
import type { TestProgram, TestService } from '../../service.ts';
import { newId } from '../../sold.ts';
import type { RequestParts } from './parts.ts';

export const IMPORT_REQUESTS: RequestParts = {
  bodies: { manageImport: () => ({ source: 'rewardful', rows: [fullRow()] }) },
  params: { import_id: importIdOf },
};

/** The id of an import of the program that has rows of everything, of a source of its own. */
export async function importIdOf(service: TestService, { program }: TestProgram): Promise<number> {
  const request = { source: newId('tool').slice(0, 32), rows: [fullRow()], payApproved: false, dryRun: false };
  const { import: imported } = await importRows(service.ctx, program, request, OPERATOR);
  return imported?.id as number;
}

/** A row of an import with one of everything. */
function fullRow(): object {
  return {
    partner: { email: `${newId('joan')}@partner.test`, name: 'Joan' },
    links: [{ parameter: 'via', code: newId('code') }],
    coupons: [newId('code')],
    customers: [{ external_id: newId('user') }],
    balances: [{ currency: 'USD', pending_cents: 1, approved_cents: 2, paid_cents: 3 }],
  };
}
