import { errors } from '@svc/contract';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import { type ImportedMember, insertMembers } from '../partners/imported-partner-store.ts';
import type { Program } from '../programs/program.ts';
import { addressOf, connectRepeats, type RowInProgress, refusedRow } from './import-row.ts';
import { type FoundImport, insertImportItems, listPartnersByExternalId } from './import-store.ts';

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
  { id: importId, source }: Pick<FoundImport, 'id' | 'source'>,
  sent: RowInProgress[],
): Promise<number[]> {
  const rows = await withOneAddressEach(tx, { programId: program.id, source }, sent);
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

/**
 * Refuses rows that give a partner another address than the one that they were imported with: they would become a second partner,
 * who is paid the same again. Returns the other rows.
 */
async function withOneAddressEach(
  tx: Transaction,
  imports: { programId: number; source: string },
  rows: RowInProgress[],
): Promise<RowInProgress[]> {
  const ids = rows.flatMap(({ data }) => data.partner.external_id ?? []);
  const known = new Map<string, { address: string; message: string }>();
  for (const { externalId, email, name } of await listPartnersByExternalId(tx, imports, ids)) {
    const message = `${name} was imported with this external_id and another email address. Send that one, or undo the import.`;
    known.set(externalId, { address: email.toLowerCase(), message });
  }
  const accepted = rows.filter((row) => {
    const [address, externalId] = [addressOf(row), row.data.partner.external_id];
    if (externalId === undefined) return true;
    const before = known.get(externalId);
    if (!before) {
      known.set(externalId, { address, message: `Row ${row.row} has this external_id with another email address.` });
    } else if (before.address !== address) {
      refusedRow(row.result, { field: 'partner.external_id', message: before.message });
      return false;
    }
    return true;
  });
  connectRepeats(accepted);
  return accepted;
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
