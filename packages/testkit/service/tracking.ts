import { platformError, type TestProgram, type TestService } from './service.ts';

/** The management API also says which field the message is about. */
export const badRequest = (message: string, field?: string) =>
  platformError(400, 'BadRequestError', message, field === undefined ? {} : { field });

/** The stored row of the customer that a click id names. */
export async function customerOf(service: TestService, clickId: string): Promise<Record<string, unknown>> {
  const [customer] = await service.sql('select * from customers where id = $1', [Number(clickId.split('_')[1])]);
  return customer ?? {};
}

/** The decisions of the program, oldest first. */
export function decisionsOf(service: TestService, { program }: TestProgram): Promise<Record<string, unknown>[]> {
  return service.sql('select * from decisions where program_id = $1 order by id', [program.id]);
}

/** Makes the database refuse new rows of the table, or changes of them (those that match `when`), while `work` runs. */
export async function whileRefused<Result>(
  service: TestService,
  table: string,
  work: () => Promise<Result>,
  when = 'true',
  what: 'insert' | 'update' = 'insert',
): Promise<Result> {
  const { db } = service.ctx;
  await db.query(`
    create function refuse_row() returns trigger language plpgsql as
      $$ begin raise exception 'refused by a test'; end $$;
    create trigger refuse before ${what} on ${table} for each row when (${when}) execute function refuse_row()`);
  try {
    return await work();
  } finally {
    await db.query('drop function refuse_row cascade');
  }
}

/** Makes the table unavailable while `work` runs. */
export async function whileMissing<Result>(
  service: TestService,
  table: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const { db } = service.ctx;
  await db.query(`alter table ${table} rename to ${table}_away`);
  try {
    return await work();
  } finally {
    await db.query(`alter table ${table}_away rename to ${table}`);
  }
}
