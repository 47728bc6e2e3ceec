import { type Found, MAX_FOUND, SEARCHED_KINDS, type SearchedKind } from '@svc/contract';
import type { Context } from '../../context.ts';
import { hashEmail } from '../../customers/email.ts';
import type { ProgramScope } from '../../db/lists/list-query.ts';
import { SEARCHES } from './search-store.ts';

/** What of these kinds matches the text, a few of each, in the order of the kinds. */
export async function searchProgram(
  ctx: Context & { emailSecret: string },
  scope: ProgramScope,
  kinds: ReadonlySet<SearchedKind>,
  text: string,
): Promise<Found[]> {
  const sought = { text, ...(text.includes('@') && { emailHash: hashEmail(text, ctx.emailSecret) }) };
  const searched = SEARCHED_KINDS.filter((kind) => kinds.has(kind));
  const found = await Promise.all(
    searched.map(async (kind) => {
      const rows = await SEARCHES[kind](ctx.db, scope, sought, MAX_FOUND);
      return rows.map((row) => ({ kind, ...row }));
    }),
  );
  return found.flat();
}
