import { stripVTControlCharacters } from 'node:util';
import { spinner } from '@clack/prompts';
import { FAILED, type Failure } from './failure.ts';
import { asInvoked } from './invocation.ts';

/** A stream for output, which has columns if it is a terminal. */
export type Screen = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };

export type OutputOptions = {
  json: boolean;
  quiet: boolean;
  /** Show spinners instead of lines. */
  interactive: boolean;
  /** The command line that started this command, for hints. */
  invocation: string;
  stdout: Screen;
  stderr: Screen;
};

const ADVICE = ['hint', 'next_action'];

/** The only place that writes output: results go to stdout (with --json, nothing but JSON), everything else to stderr. */
export type Output = ReturnType<typeof createOutput>;

export function createOutput({ json, quiet, interactive, invocation, stdout, stderr }: OutputOptions) {
  let activeSpinner: ReturnType<typeof spinner> | undefined;
  // Names and messages come from outside and must not send control sequences to the terminal.
  const clean = (text: string) => asInvoked(stripVTControlCharacters(text), invocation);
  const writeLine = (text: string) => void stderr.write(`${clean(text)}\n`);
  const toJson = (data: unknown) => {
    // Only what the command and the service advise. Data of others stays as it is.
    const advise = (name: string, value: unknown) =>
      ADVICE.includes(name) && typeof value === 'string' ? asInvoked(value, invocation) : value;
    return `${JSON.stringify(data, advise, 2)}\n`;
  };

  return {
    /** Prints the result of the command: `data` with --json, otherwise `text`. */
    result(data: unknown, text: string | string[]): void {
      stdout.write(json ? toJson(data) : `${clean([text].flat().join('\n'))}\n`);
    },

    /** Prints one of many results, as they come: with --json, a line of JSON. */
    item(data: unknown, text: string): void {
      stdout.write(json ? `${JSON.stringify(data)}\n` : `${clean(text)}\n`);
    },

    /** Prints progress that --quiet leaves out. */
    note(text: string): void {
      if (quiet) return;
      if (activeSpinner) activeSpinner.message(text);
      else writeLine(text);
    },

    /** Prints a warning, even with --quiet. */
    warn(text: string): void {
      activeSpinner?.clear();
      activeSpinner = undefined;
      writeLine(text);
    },

    /** Shows a spinner while `work` runs. */
    async withSpinner<Result>(message: string, work: () => Promise<Result>): Promise<Result> {
      if (!interactive || quiet || activeSpinner) return work();
      const own = spinner({ output: stderr as never, indicator: 'timer' });
      activeSpinner = own;
      own.start(message);
      try {
        const result = await work();
        own.stop(message);
        return result;
      } catch (error) {
        own.clear();
        throw error;
      } finally {
        activeSpinner = undefined;
      }
    },

    /** Prints a failure, with --json also as JSON, and returns the exit code. */
    fail({ message, parts }: Failure): number {
      const { status, code, hint, requestId, retryAfterSeconds, exitCode = FAILED } = parts;
      if (json) {
        const error = { status, code, message, hint, request_id: requestId, retry_after_seconds: retryAfterSeconds };
        stdout.write(toJson({ error }));
      }
      writeLine(message);
      if (hint) writeLine(hint);
      if (requestId && !message.includes(requestId)) writeLine(`Request id: ${requestId}`);
      return exitCode;
    },
  };
}

/** Aligns the columns of rows. */
export function table(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
