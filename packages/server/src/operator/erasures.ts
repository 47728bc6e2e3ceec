import { readFile, rename, writeFile } from 'node:fs/promises';
import { MAX_ERASURE_REASON_CHARS } from '@svc/contract';
import { OPERATOR } from '../audit/audit-store.ts';
import { findCustomerByKey } from '../customers/erased-customer-store.ts';
import type { Queryable } from '../db/db.ts';
import { applyErasures } from '../privacy/apply-erasures.ts';
import { eraseAccount } from '../privacy/erase-account.ts';
import { eraseCustomer } from '../privacy/erase-customer.ts';
import { formatErasures, parseErasures } from '../privacy/erasure-file.ts';
import { type Erasure, listErasures } from '../privacy/erasure-store.ts';
import { findProgram } from '../programs/program-store.ts';
import { requireUser } from './accounts.ts';
import { type CommandOptions, OperatorError, type RunCommand, wholeNumber } from './command.ts';

export const eraseAccountOf: RunCommand = async (ctx, { email }) => {
  const user = await requireUser(ctx.db, email);
  await eraseAccount(ctx, user.id, OPERATOR);
  return { data: { user_id: user.id, erased: true }, text: `The account ${user.email} is deleted.` };
};

export const eraseCustomerOf: RunCommand = async (ctx, options) => {
  const programId = wholeNumber(options.program, '--program');
  const program = await findProgram(ctx.db, programId);
  if (!program) throw new OperatorError(`There is no program ${programId}`);
  if ((options.reason ?? '').length > MAX_ERASURE_REASON_CHARS) {
    throw new OperatorError(`--reason must be at most ${MAX_ERASURE_REASON_CHARS} characters`);
  }
  const customerId = await customerIdIn(ctx.db, programId, options);
  const request = { actor: OPERATOR, reason: options.reason?.trim() || undefined };
  const erasedAt = await eraseCustomer(await ctx.withSecrets(), program, customerId, request);
  if (!erasedAt) throw new OperatorError(`Program ${programId} has no customer ${customerId}`);
  return {
    data: { program_id: programId, customer_id: customerId, erased_at: erasedAt.toISOString() },
    text: `Customer ${customerId} of program ${programId} is erased. Their sales and what partners earned with them stay.`,
  };
};

async function customerIdIn(db: Queryable, programId: number, { customer, customerKey }: CommandOptions) {
  if ((customer === undefined) === (customerKey === undefined)) {
    throw new OperatorError('Give either --customer or --customer-key');
  }
  if (customerKey === undefined) return wholeNumber(customer, '--customer');
  const id = await findCustomerByKey(db, programId, customerKey);
  if (id === null) throw new OperatorError(`Program ${programId} has no customer with this key`);
  return id;
}

export const writeErasures: RunCommand = async (ctx, { to = '' }) => {
  const erasures = await listErasures(ctx.db);
  try {
    // The file before it stays until this one is complete.
    await writeFile(`${to}.unfinished`, formatErasures(erasures), { mode: 0o600 });
    await rename(`${to}.unfinished`, to);
  } catch (error) {
    throw new OperatorError(`${to} could not be written: ${(error as Error).message}`);
  }
  return { data: { erasures: erasures.length }, text: `Wrote ${erasures.length} erasures to ${to}.` };
};

export const repeatErasures: RunCommand = async (ctx, { from = '' }) => {
  const erasures = await readErasures(from);
  const erased = await applyErasures(await ctx.withSecrets(), erasures);
  return { data: { erasures: erasures.length, erased }, text: summaryOf(erasures.length, erased) };
};

export function summaryOf(total: number, erased: number): string {
  return `Repeated ${erased} of ${total} erasures. The others were already made, or are of people whom this store does not know.`;
}

export async function readErasures(path: string): Promise<Erasure[]> {
  const text = await readFile(path, 'utf8').catch(({ code, message }: NodeJS.ErrnoException) => {
    throw new OperatorError(code === 'ENOENT' ? `There is no file ${path}.` : `${path} could not be read: ${message}`);
  });
  const erasures = parseErasures(text);
  if (!erasures) throw new OperatorError(`${path} is not a complete list of erasures, as list-erasures writes it.`);
  return erasures;
}
