import type { Context } from '../context.ts';

export type CommandResult = { text: string; data: unknown };

export type CommandOption = {
  flags: string;
  description: string;
  required?: boolean;
  default?: string;
  /** A file, relative to where the operator stands, which need not be where the service runs. */
  isPath?: boolean;
};

/** Something an operator can do on the installation. It says what it did in words and as data. */
export type OperatorCommand = {
  name: string;
  description: string;
  options: CommandOption[];
  run: (ctx: Context, options: Record<string, string | undefined>, baseUrl: string) => Promise<CommandResult>;
};

/** What an operator did wrong, told without a stack trace. */
export class OperatorError extends Error {}

export function wholeNumber(value: string | undefined, flag: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 1) throw new OperatorError(`${flag} must be a whole number above 0`);
  return number;
}
