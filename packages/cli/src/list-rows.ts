import { type CallOf, MAX_LIST, type manageLinks, type ReplyRow, type RouteDefinition } from '@svc/contract';
import { accountToken, programOf, type Session } from './session.ts';

export type ListOptions = { program?: string; all?: boolean };

/** The newest rows of a list of the program; with --all, every row, page by page. Says when there are more. */
export async function listRows<Route extends RouteDefinition>(
  session: Session,
  route: Route,
  options: ListOptions,
): Promise<ReplyRow<Route>[]> {
  const access = { params: programOf(session, options), token: await accountToken(session) };
  const rows: unknown[] = [];
  for (let cursor: string | undefined; ; ) {
    const query: CallOf<typeof manageLinks>['query'] = { limit: MAX_LIST, ...(cursor && { cursor }) };
    // Every list takes these, and has pages of this shape.
    const { data, meta } = await session.api.call(route as unknown as typeof manageLinks, { ...access, query });
    rows.push(...data);
    if (meta.next_cursor === null) break;
    cursor = meta.next_cursor;
    if (!options.all) {
      session.out.note(`These are the newest ${rows.length}. Pass --all for all of them.`);
      break;
    }
  }
  return rows as ReplyRow<Route>[];
}
