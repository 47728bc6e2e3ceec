import { errors } from '@svc/contract';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import { type ImportedMember, insertMembers } from '../partners/imported-partner-store.ts';
import type { Program } from '../programs/program.ts';
import { type RowInProgress, refusedRow } from './import-row.ts';
import { insertImportItems } from './import-store.ts';

const INACTIVE = {
  applied: 'The partner has applied and was not approved yet. Approve them under Partners first.',
  blocked: 'The partner is blocked in this program.',
  removed: 'The partner was removed from this program.',
} as const;

/** Makes the partners of the rows members of the program, and returns the ids of those who are new in it. */
export async function importPartners(
  tx: Transaction,
  ctx: Context,
  program: Pick<Program, 'id' | 'workspaceId'>,
  importId: number,
  rows: RowInProgress[],
): Promise<number[]> {
  const first = rows.filter(({ repeats }) => repeats === null);
  const scope = { workspaceId: program.workspaceId, programId: program.id };
  const asked = first.map(({ data: { partner } }) => ({ name: partner.name, email: partner.email }));
  const members = await insertMembers(tx, scope, asked, ctx.now());
  const found = new Map(members.map((member) => [first[member.position], member]));
  const taken = first.filter((row) => isTaken(found.get(row)));
  const items = taken.map((row) => {
    const { id, isNewMember, hasAccount } = found.get(row) as ImportedMember;
    const externalId = row.data.partner.external_id ?? null;
    return { itemId: id, isNew: isNewMember, hadAccount: hasAccount, externalId };
  });
  const added = await insertImportItems(tx, importId, 'partner', items);
  for (const row of rows) settlePartner(row, found.get(row.repeats ?? row), added);
  return members.filter(({ isNewMember }) => isNewMember).map(({ id }) => id);
}

const isTaken = (member: ImportedMember | undefined) => member?.status === 'active' && !member.joinedItself;

function settlePartner(row: RowInProgress, member: ImportedMember | undefined, added: Set<number>): void {
  const { result, repeats } = row;
  if (!member || !isTaken(member)) {
    refusedRow(result, { field: 'partner.email', message: refusalOf(member) });
    return;
  }
  const { id, membershipId, isNewMember } = member;
  row.partner = { id, membershipId };
  result.partner_id = id;
  if (repeats) {
    result.messages.push({
      field: 'partner.email',
      message: `Row ${repeats.row} has the same email address. This row adds to its partner.`,
    });
  } else if (isNewMember) result.outcome = 'created';
  else if (added.has(id)) result.outcome = 'merged';
}

function refusalOf(member: ImportedMember | undefined): string {
  if (member?.joinedItself) return errors.partnerJoinedItself().message;
  return member && member.status !== 'active' ? INACTIVE[member.status] : errors.notFound().message;
}
