import { stripVTControlCharacters } from 'node:util';
import { spinner } from '@clack/prompts';
import { FAILED, type Failure } from './failure.ts';

export type OutputOptions = {
  json: boolean;
  quiet: boolean;
  /** Whether a person looks on: spinners instead of lines. */
  interactive: boolean;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
};

/** The one place that writes: results to stdout, as JSON alone when asked for; everything else to stderr. */
export type Output = ReturnType<typeof createOutput>;

export function createOutput({ json, quiet, interactive, stdout, stderr }: OutputOptions) {
  let spinning: ReturnType<typeof spinner> | undefined;
  // Names and messages come from elsewhere: they must not steer the terminal.
  const say = (text: string) => void stderr.write(`${stripVTControlCharacters(text)}\n`);

  return {
    /** What the command was for. `text` is for people, `data` for programs. */
    result(data: unknown, text: string | string[]): void {
      const lines = stripVTControlCharacters([text].flat().join('\n'));
      stdout.write(json ? `${JSON.stringify(data, null, 2)}\n` : `${lines}\n`);
    },

    /** Words that help and that nobody needs. */
    note(text: string): void {
      if (quiet) return;
      if (spinning) spinning.message(text);
      else say(text);
    },

    /** Words that somebody must see, quiet or not. */
    warn(text: string): void {
      spinning?.clear();
      spinning = undefined;
      say(text);
    },

    /** Shows that something takes its time while `work` runs. */
    async during<Result>(message: string, work: () => Promise<Result>): Promise<Result> {
      if (!interactive || quiet || spinning) return work();
      const own = spinner({ output: stderr as never, indicator: 'timer' });
      spinning = own;
      own.start(message);
      try {
        const result = await work();
        own.stop(message);
        return result;
      } catch (error) {
        own.clear();
        throw error;
      } finally {
        spinning = undefined;
      }
    },

    /** Tells what went wrong, in words and, when asked for, as JSON; returns the exit code. */
    fail({ message, parts }: Failure): number {
      const { status, code, hint, requestId, retryAfterSeconds, exitCode = FAILED } = parts;
      if (json) {
        const error = { status, code, message, hint, request_id: requestId, retry_after_seconds: retryAfterSeconds };
        stdout.write(`${JSON.stringify({ error }, null, 2)}\n`);
      }
      say(message);
      if (hint) say(hint);
      if (requestId && !message.includes(requestId)) say(`Request id: ${requestId}`);
      return exitCode;
    },
  };
}

/** Rows with their columns lined up, for people. */
export function table(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
