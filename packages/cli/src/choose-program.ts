import type { cliPrograms, ReplyOf } from '@svc/contract';
import { CANCELLED, Failure, wrongUsage } from './failure.ts';
import type { Session } from './session.ts';

type Choice = { kind: 'new' } | { kind: 'existing'; programId: number };
type Candidates = {
  /** The program whose key is in `.svc/.env`. */
  inProject: string | undefined;
  /** The program named with `--program`. */
  fromFlag: string | undefined;
  listPrograms: () => Promise<ReplyOf<typeof cliPrograms>>;
};

/** Decides whether init creates a program or uses an existing one. An existing key is never replaced silently. */
export async function chooseProgram(
  session: Session,
  { inProject, fromFlag, listPrograms }: Candidates,
): Promise<Choice> {
  const { prompts, flags } = session;
  if (fromFlag !== undefined) return { kind: 'existing', programId: parseProgramId(fromFlag) };
  if (inProject !== undefined) return confirmSecondProgram(session, inProject);
  if (!prompts.interactive || flags.yes) return { kind: 'new' };
  const { data: programs } = await listPrograms();
  if (programs.length === 0) return { kind: 'new' };
  const picked = await prompts.choose('--program <id>', 'Which program is this project for?', [
    { value: 0, label: 'Create a new program' },
    ...programs.map(({ id, name, domain, commission }) => ({
      value: id,
      label: `${id}  ${name} (${domain})`,
      hint: commission,
    })),
  ]);
  return picked === 0 ? { kind: 'new' } : { kind: 'existing', programId: picked };
}

async function confirmSecondProgram({ prompts, flags, out }: Session, inProject: string): Promise<Choice> {
  const message = `.svc/.env already holds the key for program ${inProject}: this would create a second program.`;
  if (flags.yes) {
    out.warn(message);
    return { kind: 'new' };
  }
  if (!prompts.interactive) {
    throw new Failure(message, {
      code: 'second_program',
      hint: `Run \`svc init --program ${inProject}\` to refresh its files and keep the key, or add --yes to create a second program.`,
    });
  }
  const picked = await prompts.choose('--yes', message, [
    { value: 'refresh', label: `Refresh the files for program ${inProject}`, hint: 'keeps the key' },
    { value: 'second', label: 'Create a second program', hint: 'backs up the current key' },
    { value: 'cancel', label: 'Cancel' },
  ]);
  if (picked === 'cancel') throw new Failure('Cancelled. Nothing was changed.', { exitCode: CANCELLED });
  return picked === 'second' ? { kind: 'new' } : { kind: 'existing', programId: parseProgramId(inProject) };
}

function parseProgramId(text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text)) throw wrongUsage(`"${text}" is not a program id.`, 'Pass --program <id>.');
  return Number(text);
}
