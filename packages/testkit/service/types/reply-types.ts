import { Readable } from 'node:stream';
import { cliAuthCallback, manageExportSales, manageSales, type RouteDefinition, type SaleRow } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { addRoute } from '../../../server/src/http/add-route.ts';
import { addProgramRoute } from '../../../server/src/http/callers/program-access.ts';
import { pageOf } from '../../../server/src/http/lists/page-of.ts';
import type { ServiceContext } from '../../../server/src/http/service-context.ts';

declare const app: FastifyInstance;
declare const ctx: ServiceContext;
declare const sales: SaleRow[];
declare const withoutCurrency: Omit<SaleRow, 'currency'>[];
declare const undeclared: RouteDefinition;

// Never run: the check of types compiles it, and fails where a handler with a wrong reply compiles.

addRoute(app, cliAuthCallback, async () => ({ data: { status: 'complete' as const } }));
addProgramRoute(app, ctx, manageSales, async () => pageOf(sales, 25, ({ id }) => [id]));
addProgramRoute(app, ctx, manageExportSales, async () => Readable.from(['a']));

// @ts-expect-error The value is not one of the declared ones.
addRoute(app, cliAuthCallback, async () => ({ data: { status: 'done' as const } }));

// @ts-expect-error The envelope is missing.
addRoute(app, cliAuthCallback, async () => ({ status: 'complete' as const }));

// @ts-expect-error The rows lack a declared field.
addProgramRoute(app, ctx, manageSales, async () => pageOf(withoutCurrency, 25, ({ id }) => [id]));

// @ts-expect-error JSON, where a file is declared.
addProgramRoute(app, ctx, manageExportSales, async () => ({ data: [] }));

// @ts-expect-error The route does not declare its reply.
addRoute(app, undeclared, async () => ({ data: {} }));
