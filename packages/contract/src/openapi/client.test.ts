import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { expect, it } from 'vitest';
import { openApiDocument } from './document.ts';

const compiler = join(dirname(createRequire(import.meta.url).resolve('@typescript/native/package.json')), 'bin/tsc');

/** What people write against the generated types. Lines that must not compile say so. */
const USE = `
import type { components, paths } from './api.ts';

type Post<Path extends keyof paths> = paths[Path] extends { post: infer Operation } ? Operation : never;
type Body<Path extends keyof paths> =
  Post<Path> extends { requestBody: { content: { 'application/json': infer Content } } } ? Content : never;
type Reply<Path extends keyof paths> =
  Post<Path> extends { responses: { 200: { content: { 'application/json': infer Content } } } } ? Content : never;

export const sale: Body<'/api/v1/track/sale'> = { transaction_id: 'order_1', amount_cents: 4900, customer_key: '42' };
export const testSale: Body<'/api/v1/track/sale'> = { ...sale, additional_data: { test_mode: true, program_id: 1 } };
// @ts-expect-error The amount is missing.
export const wrongSale: Body<'/api/v1/track/sale'> = { transaction_id: 'order_1' };
export const lead: Body<'/api/v1/track/lead'> = { customer_key: 'user_42', program_id: 1 };
// @ts-expect-error The id of a program is a number.
export const wrongLead: Body<'/api/v1/track/lead'> = { customer_key: 'user_42', program_id: true };
export const batch: Body<'/api/v1/track/batch'> = {
  items: [
    { type: 'lead', click_id: 'cust_1_1' },
    { type: 'sale', transaction_id: 'order_1', amount_cents: 4900 },
    { type: 'refund', transaction_id: 'order_1' },
  ],
};

export function read(reply: Reply<'/api/v1/track/sale'>): (number | string | null | undefined)[] {
  return [reply.data.sale_id, reply.data.commission_cents, reply.warnings?.[0]?.rotate_by];
}
export function advise({ error }: components['schemas']['Error']): (number | string | undefined)[] {
  return [error.retry_after_seconds, error.hint, error.docs_url, error.code, error.name, error.details?.request_id];
}
type Limited = Post<'/api/v1/track/sale'>['responses'][429]['headers'];
export const wait = (headers: Limited) => [headers['Retry-After'], headers['X-RateLimit-Reset'], headers['X-Request-ID']];
export const replayed = (headers: Post<'/api/v1/track/sale'>['responses'][200]['headers']) => headers['Idempotent-Replayed'];
export const program = ({ id, commission_rate }: components['schemas']['Program']): number => id * commission_rate;
// @ts-expect-error A retired route has no success.
export type Retired = Post<'/api/v1/cli/stripe-connect'>['responses'][200];
`;

it('gives a generated client types that compile under strict settings', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-client-'));
  try {
    const document = JSON.stringify(openApiDocument('https://track.test', '1.0.0'));
    const types = astToString(await openapiTypescript(document, { defaultNonNullable: false }));
    await writeFile(join(folder, 'api.ts'), types);
    await writeFile(join(folder, 'use.ts'), USE);
    const compilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true, types: [] },
      ...{ module: 'nodenext', moduleResolution: 'nodenext', target: 'es2022', allowImportingTsExtensions: true },
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
    const compiling = promisify(execFile)(process.execPath, [compiler, '-p', folder]);
    const { stdout } = await compiling.catch((failed: { stdout: string }) => failed);
    expect(stdout).toBe('');
  } finally {
    await rm(folder, { recursive: true });
  }
  // Two compilers run here, each as long as the machine lets it.
}, 120_000);
