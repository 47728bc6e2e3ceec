import type { cliPrograms, ReplyOf } from '@svc/contract';
import { CANCELLED, Failure, wrongUsage } from './failure.ts';
import type { Session } from './session.ts';

type Choice = { is: 'new' } | { is: 'existing'; programId: number };
type Known = {
  /** The program whose key `.svc/.env` holds. */
  known: string | undefined;
  /** The program that was asked for by flag. */
  named: string | undefined;
  listed: () => Promise<ReplyOf<typeof cliPrograms>>;
};

/** Whether init makes a program or takes one that exists. A key that is there is never replaced without a word. */
export async function chooseProgram(session: Session, { known, named, listed }: Known): Promise<Choice> {
  const { ask, flags } = session;
  if (named !== undefined) return { is: 'existing', programId: idOf(named) };
  if (known !== undefined) return secondProgram(session, known);
  if (!ask.interactive || flags.yes) return { is: 'new' };
  const { data: programs } = await listed();
  if (programs.length === 0) return { is: 'new' };
  const picked = await ask.choose('--program <id>', 'Which program is this project for?', [
    { value: 0, label: 'A new program' },
    ...programs.map(({ id, name, domain, commission }) => ({
      value: id,
      label: `${id}  ${name} (${domain})`,
      hint: commission,
    })),
  ]);
  return picked === 0 ? { is: 'new' } : { is: 'existing', programId: picked };
}

async function secondProgram({ ask, flags, out }: Session, known: string): Promise<Choice> {
  const message = `.svc/.env already holds the key of program ${known}: this would make a second program.`;
  if (flags.yes) {
    out.warn(message);
    return { is: 'new' };
  }
  if (!ask.interactive) {
    throw new Failure(message, {
      code: 'second_program',
      hint: `Run \`svc init --program ${known}\` to refresh its files and keep the key, or add --yes for a second program.`,
    });
  }
  const picked = await ask.choose('--yes', message, [
    { value: 'refresh', label: `Refresh the files of program ${known}`, hint: 'the key stays' },
    { value: 'second', label: 'Make a second program', hint: 'the present key is put aside' },
    { value: 'stop', label: 'Stop' },
  ]);
  if (picked === 'stop') throw new Failure('Stopped. Nothing was changed.', { exitCode: CANCELLED });
  return picked === 'second' ? { is: 'new' } : { is: 'existing', programId: idOf(known) };
}

function idOf(text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text)) throw wrongUsage(`"${text}" is not the id of a program.`, 'Give --program <id>.');
  return Number(text);
}
