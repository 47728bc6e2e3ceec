import { manage } from './accounts.ts';
import type { Answer, TestProgram, TestService } from './service.ts';
import { newId } from './sold.ts';

/** An address that nobody else in the tests has. */
export const newPartnerEmail = () => `${newId('p')}@partner.test`;

/** A row of an import: a partner with a link and what else is given. */
export function importedRow({ partner = {}, ...rest }: Record<string, unknown> = {}) {
  const email = newPartnerEmail();
  return {
    partner: { email, name: 'Jane Doe', external_id: newId('ext'), ...(partner as object) },
    links: [{ parameter: 'via', code: newId('code') }],
    ...rest,
  };
}

/** A program, and a token that may import into it. */
type ImportingProgram = Pick<TestProgram, 'program'> & { owner: { token: string } };

/** Sends rows as the owner of the program. */
export const sendRows = (
  service: TestService,
  made: ImportingProgram,
  rows: unknown[],
  settings: Record<string, unknown> = {},
): Promise<Answer> =>
  service.call('POST', manage(made, '/imports'), {
    key: made.owner.token,
    body: { source: 'rewardful', rows, ...settings },
  });

export const undoImport = (service: TestService, made: ImportingProgram, importId: number): Promise<Answer> =>
  service.call('POST', manage(made, `/imports/${importId}/undo`), { key: made.owner.token });

const TABLES = {
  partners: 'select count(*) as n from partners p join programs o on o.advertiser_id = p.advertiser_id where o.id = $1',
  memberships: 'select count(*) as n from memberships where program_id = $1',
  links: 'select count(*) as n from links where program_id = $1',
  aliases: 'select count(*) as n from link_aliases where program_id = $1',
  coupons: 'select count(*) as n from coupons where program_id = $1',
  customers: 'select count(*) as n from customers where program_id = $1',
  attributions:
    'select count(*) as n from attributions a join customers c on c.id = a.customer_id where c.program_id = $1',
  identities: 'select count(*) as n from processor_identities where program_id = $1',
  balances: 'select count(*) as n from opening_balances where program_id = $1',
  commissions: 'select count(*) as n from commissions where program_id = $1',
};

/** How many rows the program has of everything that an import writes. */
export async function importedCounts(
  service: TestService,
  { program }: Pick<TestProgram, 'program'>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [name, sql] of Object.entries(TABLES)) {
    const [row] = await service.sql<{ n: number }>(sql, [program.id]);
    counts[name] = row?.n ?? 0;
  }
  return counts;
}
