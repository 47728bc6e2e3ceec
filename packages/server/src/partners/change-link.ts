import { errors } from '@svc/contract';
import type { Context } from '../context.ts';
import type { Program } from '../programs/program.ts';
import { requireDestination } from './add-link.ts';
import { type LinkChanges, type ListedLink, updateLink, updateLinkDeleted } from './link-store.ts';

/** Whose link it is: with a `partnerId`, only links of that partner are found. */
export type LinkOf = { program: Program; linkId: number; partnerId: number | null };

/** Changes what is given. Its short link stays, because it may be printed somewhere. */
export async function changeLink(
  ctx: Context,
  { program, linkId, partnerId }: LinkOf,
  changes: LinkChanges,
): Promise<ListedLink> {
  const { destinationUrl } = changes;
  const destination =
    destinationUrl === undefined ? {} : { destinationUrl: requireDestination(program, destinationUrl) };
  const link = await updateLink(ctx.db, program.id, linkId, partnerId, { ...changes, ...destination });
  if (!link) throw errors.notFound();
  return link;
}

/** Deletes a link for good. Its row stays, so that its results are explained and its short link is never given out again. */
export async function deleteLink(ctx: Context, { program, linkId, partnerId }: LinkOf): Promise<void> {
  if (!(await updateLinkDeleted(ctx.db, program.id, linkId, partnerId, ctx.now()))) throw errors.notFound();
}
