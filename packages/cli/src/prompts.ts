import { type CANCEL_SYMBOL, confirm, isCancel, select, text } from '@clack/prompts';
import { CANCELLED, Failure, wrongUsage } from './failure.ts';

type Choice<Value> = { value: Value; label: string; hint?: string };

export type Question = {
  message: string;
  /** The flag that answers it without asking. */
  flag: string;
  initialValue?: string;
  placeholder?: string;
  check?: (answer: string) => string | undefined;
};

/** Asks a person. Where nobody can be asked, says which flag answers instead. */
export type Prompts = ReturnType<typeof createPrompts>;

export function createPrompts(interactive: boolean, output: NodeJS.WritableStream) {
  const at = { output: output as never };
  const insist = (flag: string, message: string) => {
    if (!interactive) throw wrongUsage(`Nobody can be asked here: ${message}`, `Give ${flag}.`);
  };

  return {
    interactive,

    async text({ message, flag, initialValue, placeholder, check }: Question): Promise<string> {
      insist(flag, message);
      const validate = (answer: string | undefined) => check?.((answer ?? '').trim());
      return answered(await text({ ...at, message, initialValue, placeholder, validate })).trim();
    },

    async choose<Value extends string | number>(
      flag: string,
      message: string,
      options: Choice<Value>[],
    ): Promise<Value> {
      insist(flag, message);
      return answered(await select<Value>({ ...at, message, options: options as never }));
    },

    async agree(flag: string, message: string): Promise<boolean> {
      insist(flag, message);
      return answered(await confirm({ ...at, message, initialValue: false }));
    },
  };
}

function answered<Value>(answer: Value | typeof CANCEL_SYMBOL): Value {
  if (isCancel(answer)) throw new Failure('Stopped.', { exitCode: CANCELLED });
  return answer as Value;
}
