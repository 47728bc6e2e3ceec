import { isStorableTime } from '@svc/contract';
import { OPERATOR } from '../audit/audit-store.ts';
import { findProgram } from '../programs/program-store.ts';
import { regenerateKey } from '../programs/regenerate-key.ts';
import { requireRotation } from '../programs/require-rotation.ts';
import { OperatorError, type RunCommand, wholeNumber } from './command.ts';

export const regenerateProgramKey: RunCommand = async (ctx, options) => {
  const programId = wholeNumber(options.program, '--program');
  const program = await findProgram(ctx.db, programId);
  if (!program) throw new OperatorError(`There is no program ${programId}`);
  const { apiKey, masked } = await regenerateKey(ctx, program, OPERATOR);
  return {
    data: { program_id: programId, api_key: apiKey, api_key_masked: masked },
    text: `The new API key of program ${programId}. It is shown only once:\n\n  ${apiKey}`,
  };
};

export const requireKeyRotation: RunCommand = async (ctx, options) => {
  const programId = wholeNumber(options.program, '--program');
  const rotateBy = new Date(options.by ?? '');
  if (!isStorableTime(rotateBy) || rotateBy <= ctx.now()) {
    throw new OperatorError('--by must be a time in the future, such as 2030-01-31T12:00:00Z');
  }
  const program = await findProgram(ctx.db, programId);
  const key = program && (await requireRotation(ctx, program, rotateBy, OPERATOR));
  if (!key) throw new OperatorError(`Program ${programId} has no active API key`);
  return {
    data: { api_key_masked: key.masked, marked_at: key.markedAt, rotate_by: key.rotateBy },
    text: `The API key ${key.masked} must be replaced by ${rotateBy.toISOString()}.`,
  };
};
