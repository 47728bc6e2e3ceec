import type { Context } from '../context.ts';
import { ExpectedError } from '../expected-error.ts';
import type { PrivacyContext } from '../privacy/privacy-context.ts';

/** What a command did, as text for people and as data for scripts. */
export type CommandResult = { text: string; data: unknown };

export type CommandOptions = Record<string, string | undefined>;

/** Shows a line to the operator while the command runs. */
export type Report = (line: string) => void;

/** What commands work with. The secret is read only by those that need it. */
export type OperatorContext = Context & { withSecrets: () => Promise<PrivacyContext> };

export type RunCommand = (
  ctx: OperatorContext,
  options: CommandOptions,
  baseUrl: string,
  report: Report,
) => Promise<CommandResult>;

export type CommandOption = {
  flags: string;
  description: string;
  required?: boolean;
  default?: string;
  /** A file, relative to the operator's working directory. The service may run in another one. */
  isPath?: boolean;
};

/** Something an operator can do on the installation. */
export type OperatorCommand = {
  name: string;
  /** A shorter name for the command line. */
  alias?: string;
  description: string;
  options: CommandOption[];
  load: () => Promise<RunCommand>;
};

/** A mistake in what the operator asked for. */
export class OperatorError extends ExpectedError {}

export function wholeNumber(value: string | undefined, flag: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 1) throw new OperatorError(`${flag} must be a whole number above 0`);
  return number;
}
