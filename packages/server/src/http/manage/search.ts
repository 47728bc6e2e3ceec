import { manageSearch, SEARCHED_KINDS, type SearchedKind } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { searchProgram } from '../../reporting/search/search-program.ts';
import { queryOf } from '../body.ts';
import { addProgramRoute } from '../callers/program-access.ts';
import { scopeOf } from '../lists/list-filters.ts';
import type { ServiceContext } from '../service-context.ts';

const ALL = new Set<SearchedKind>(SEARCHED_KINDS);
/** The start of a key or of a transaction id would tell partners who signed up and what others sold. */
const OF_PARTNERS = new Set<SearchedKind>(['link', 'coupon']);

export function addManageSearchRoute(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageSearch, async (access, request) => {
    const { q = '' } = queryOf(manageSearch, request);
    const kinds = access.role === 'partner' ? OF_PARTNERS : ALL;
    return { data: await searchProgram(ctx, scopeOf(access, {}), kinds, q.trim()) };
  });
}
