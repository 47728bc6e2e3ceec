import type { Db, Queryable } from '../db/db.ts';
import { type ProgramDay, RESULT_COLUMNS } from './count-store.ts';

/** The days on which something could not be counted. */
export function listDueRecounts(db: Queryable): Promise<ProgramDay[]> {
  return db.query<ProgramDay>(
    'select distinct program_id as "programId", day::text from recounts_due order by 1, 2',
    [],
  );
}

const KEY = 'program_id, partner_id, link_id, currency';
const COLUMNS = RESULT_COLUMNS.join(', ');
const NEGATED = RESULT_COLUMNS.map((column) => `-${column}`).join(', ');
const START = `$2::date::timestamp at time zone 'UTC'`;
const OF_THE_DAY = `program_id = $1 and hour >= ${START} and hour < ($2::date + 1)::timestamp at time zone 'UTC'`;

// One statement reads rows, counts and deltas as they are at one moment, whatever is written meanwhile.
const APPEND_DIFFERENCE = `
  insert into count_deltas (hour, ${KEY}, ${COLUMNS})
  select ${START}, ${KEY}, ${RESULT_COLUMNS.map((column) => `sum(${column})`).join(', ')}
  from (
    select ${KEY}, ${COLUMNS} from results where ${OF_THE_DAY.replaceAll('hour', 'at')}
    union all
    select ${KEY}, ${NEGATED} from counts where program_id = $1 and span = 'link_day' and day = $2::date
    union all
    select ${KEY}, ${NEGATED} from count_deltas where ${OF_THE_DAY}) found
  group by ${KEY} having ${RESULT_COLUMNS.map((column) => `sum(${column}) <> 0`).join(' or ')}`;

/** Appends what the leads, sales and commissions of a day say that its counts do not. */
export async function recountDay(db: Db, { programId, day }: ProgramDay): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query('delete from recounts_due where program_id = $1 and day = $2::date', [programId, day]);
    await tx.query(APPEND_DIFFERENCE, [programId, day]);
  });
}
