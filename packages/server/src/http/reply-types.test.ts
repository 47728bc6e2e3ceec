import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Ignored by version control and by the other checks. */
const OUTPUT = join(import.meta.dirname, '../../dist');

const HEAD = `
import { cliAuthCallback, manageExportSales, manageSales, type RouteDefinition } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { Readable } from 'node:stream';
import { addRoute } from '../../src/http/add-route.ts';
import { addProgramRoute } from '../../src/http/callers/program-access.ts';
import { pageOf } from '../../src/http/manage/page-of.ts';
import { toSaleReply } from '../../src/http/manage/lists/sales.ts';
import type { ServiceContext } from '../../src/http/service-context.ts';
import type { ListedSale } from '../../src/reporting/lists/sale-list-store.ts';
declare const app: FastifyInstance;
declare const ctx: ServiceContext;
declare const sales: ListedSale[];
declare const declared: RouteDefinition;
`;

/** Handlers by what is right or wrong with their reply, and the compiler error that each gives. */
const handlers: Record<string, { code: string; error?: RegExp }> = {
  'the declared reply': {
    code: `addRoute(app, cliAuthCallback, async () => ({ data: { status: 'complete' as const } }));`,
  },
  'the declared page': {
    code: 'addProgramRoute(app, ctx, manageSales, async () => pageOf(sales, 25, toSaleReply));',
  },
  'a declared file': { code: `addProgramRoute(app, ctx, manageExportSales, async () => Readable.from(['a']));` },
  'a value that is not one of the declared ones': {
    code: `addRoute(app, cliAuthCallback, async () => ({ data: { status: 'done' as const } }));`,
    error: /"done"' is not assignable to type '"complete"/,
  },
  'a missing envelope': {
    code: `addRoute(app, cliAuthCallback, async () => ({ status: 'complete' as const }));`,
    error: /Property 'data' is missing/,
  },
  'rows without a declared field': {
    code: `addProgramRoute(app, ctx, manageSales, async () =>
      pageOf(sales, 25, (sale) => { const { currency, ...row } = toSaleReply(sale); return row; }));`,
    error: /Property 'currency' is missing/,
  },
  'JSON where a file is declared': {
    code: 'addProgramRoute(app, ctx, manageExportSales, async () => ({ data: [] }));',
    error: /not assignable to type 'Readable'|missing the following properties from type 'Readable'/,
  },
  'a route whose reply is not declared': {
    code: 'addRoute(app, declared, async () => ({ data: {} }));',
    error: /not assignable to type '(Promise<)?never/,
  },
};

describe('the compiler', () => {
  const names = Object.keys(handlers);
  let folder: string;
  let errors: string[];

  beforeAll(() => {
    mkdirSync(OUTPUT, { recursive: true });
    folder = mkdtempSync(join(OUTPUT, 'reply-types-'));
    const options = { noEmit: true, composite: false, incremental: false };
    const imports = { allowImportingTsExtensions: true, rewriteRelativeImportExtensions: false };
    const files = names.map((_, index) => `handler-${index}.ts`);
    for (const [index, { code }] of Object.values(handlers).entries()) {
      writeFileSync(join(folder, `handler-${index}.ts`), `${HEAD}${code}\n`);
    }
    const compilerOptions = { ...options, ...imports, noUnusedLocals: false };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: '../../../../tsconfig.base.json', compilerOptions, files }),
    );
    const typescript = createRequire(import.meta.url).resolve('@typescript/native/package.json');
    const compiler = join(dirname(typescript), 'bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], { encoding: 'utf8' });
    errors = stdout.split(/^(?=\S)/m);
  }, 120_000);

  afterAll(() => rmSync(folder, { recursive: true }));

  const errorsOf = (name: string) => errors.filter((text) => text.includes(`handler-${names.indexOf(name)}.ts(`));

  it.each(names.filter((name) => !handlers[name]?.error))('accepts %s', (name) => {
    expect(errorsOf(name)).toEqual([]);
  });

  it.each(names.filter((name) => handlers[name]?.error))('refuses %s', (name) => {
    expect(errorsOf(name)).toEqual([expect.stringMatching(handlers[name]?.error ?? /^$/)]);
  });
});
