import { type CANCEL_SYMBOL, isCancel, password, select, text } from '@clack/prompts';
import { CANCELLED, Failure, wrongUsage } from './failure.ts';

export type Input = NodeJS.ReadableStream & { isTTY?: boolean };

type Choice<Value> = { value: Value; label: string; hint?: string };

export type Question = {
  message: string;
  /** The flag that gives the answer instead. */
  flag: string;
  initialValue?: string;
  placeholder?: string;
  check?: (answer: string) => string | undefined;
};

/** Prompts for input. In non-interactive mode, fails and names the flag to pass. */
export type Prompts = ReturnType<typeof createPrompts>;

export function createPrompts(interactive: boolean, input: Input, output: NodeJS.WritableStream) {
  const streams = { input: input as never, output: output as never };
  const requireInteractive = (flag: string, message: string) => {
    if (!interactive) throw wrongUsage(`Missing input in non-interactive mode: ${message}`, `Pass ${flag}.`);
  };

  return {
    interactive,

    async text({ message, flag, initialValue, placeholder, check }: Question): Promise<string> {
      requireInteractive(flag, message);
      const validate = (answer: string | undefined) => check?.((answer ?? '').trim());
      return unlessCancelled(await text({ ...streams, message, initialValue, placeholder, validate })).trim();
    },

    /** Something that is not shown while it is typed. It comes from a variable otherwise, never from the command line. */
    async secret({ message, variable }: { message: string; variable: string }): Promise<string> {
      if (!interactive) throw wrongUsage(`Missing input in non-interactive mode: ${message}`, `Set ${variable}.`);
      const validate = (answer: string | undefined) => (answer?.trim() ? undefined : 'It must not be empty.');
      return unlessCancelled(await password({ ...streams, message, validate })).trim();
    },

    async choose<Value extends string | number>(
      flag: string,
      message: string,
      options: Choice<Value>[],
    ): Promise<Value> {
      requireInteractive(flag, message);
      return unlessCancelled(await select<Value>({ ...streams, message, options: options as never }));
    },
  };
}

function unlessCancelled<Value>(answer: Value | typeof CANCEL_SYMBOL): Value {
  if (isCancel(answer)) throw new Failure('Cancelled.', { exitCode: CANCELLED });
  return answer as Value;
}
