import type { Queryable } from '../db/db.ts';

type Named = { id: number; name: string };

/** The names of those of the groups and partners that the program has. */
export async function listRuleNames(
  db: Queryable,
  programId: number,
  { groupIds, partnerIds }: { groupIds: number[]; partnerIds: number[] },
): Promise<{ groups: Map<number, string>; partners: Map<number, string> }> {
  const [groups, partners] = await Promise.all([
    db.query<Named>('select id, name from partner_groups where program_id = $1 and id = any ($2::bigint[])', [
      programId,
      groupIds,
    ]),
    db.query<Named>(
      `select p.id, p.name from memberships m join partners p on p.id = m.partner_id
       where m.program_id = $1 and m.partner_id = any ($2::bigint[]) and not p.is_test`,
      [programId, partnerIds],
    ),
  ]);
  return { groups: namesById(groups), partners: namesById(partners) };
}

const namesById = (rows: Named[]) => new Map(rows.map(({ id, name }) => [id, name]));
