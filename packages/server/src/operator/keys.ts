import { findProgram } from '../programs/program-store.ts';
import { regenerateKey } from '../programs/regenerate-key.ts';
import { requireRotation } from '../programs/require-rotation.ts';
import { type OperatorCommand, OperatorError, wholeNumber } from './command.ts';

const programOption = { flags: '--program <id>', description: 'id of the program', required: true };

export const regenerateKeyCommand: OperatorCommand = {
  name: 'regenerate-key',
  description: 'make the key of a program anew; the old one stops at once',
  options: [programOption],
  async run(ctx, options) {
    const programId = wholeNumber(options.program, '--program');
    if (!(await findProgram(ctx.db, programId))) throw new OperatorError(`There is no program ${programId}`);
    const { apiKey, masked } = await regenerateKey(ctx, programId);
    return {
      data: { program_id: programId, api_key: apiKey, api_key_masked: masked },
      text: `The new key of program ${programId}, shown this one time:\n\n  ${apiKey}`,
    };
  },
};

export const requireRotationCommand: OperatorCommand = {
  name: 'require-rotation',
  description: 'mark the key of a program: it warns until the deadline and is refused afterwards',
  options: [programOption, { flags: '--by <time>', description: 'the deadline, ISO 8601', required: true }],
  async run(ctx, options) {
    const programId = wholeNumber(options.program, '--program');
    const rotateBy = new Date(options.by ?? '');
    if (Number.isNaN(rotateBy.getTime()) || rotateBy <= ctx.now()) {
      throw new OperatorError('--by must be a time in the future, like 2030-01-31T12:00:00Z');
    }
    const key = await requireRotation(ctx, programId, rotateBy);
    if (!key) throw new OperatorError(`Program ${programId} has no key in force`);
    return {
      data: { api_key_masked: key.masked, marked_at: key.markedAt, rotate_by: key.rotateBy },
      text: `The key ${key.masked} must be rotated by ${rotateBy.toISOString()}.`,
    };
  },
};
