import { cliStatus } from '@svc/contract';
import { Failure } from './failure.ts';
import { fetchProgramFacts } from './project/program-facts.ts';
import { PROJECT_FILES, type ProjectFiles, publicValues } from './project/project-files.ts';
import { programKey, type Session } from './session.ts';
import { withAccount } from './sign-in.ts';

/** Writes the files of an existing program. A key in `.svc/.env` is kept. */
export async function refreshProject(
  session: Session,
  files: ProjectFiles,
  { programId, relayPath }: { programId: number; relayPath: string | null },
): Promise<void> {
  const { api, out, project } = session;
  const owner = project.SVC_API_KEY ? project.SVC_PROGRAM_ID : undefined;
  if (owner !== undefined && owner !== String(programId)) {
    throw new Failure(`.svc/.env holds the key for program ${owner}, not for program ${programId}.`, {
      code: 'other_program',
      hint: 'Move .svc/.env first, or run init in another folder.',
    });
  }
  const facts = await withAccount(session, (token) =>
    fetchProgramFacts(session, token, { programId, relayPath }),
  ).catch((error) => explainMissing(session, programId, error));
  const key = project.SVC_API_KEY ? {} : await findKey(session, programId);
  await files.prepare();
  await files.writeEnv({ ...key, ...publicValues(facts) });
  await files.writeInstructions(facts);
  const hasKey = Boolean(project.SVC_API_KEY || key.SVC_API_KEY);
  if (!hasKey) {
    out.warn(
      'SVC_API_KEY in .svc/.env is empty: a key is shown only once, when it is created. Use the key you saved, or ask a workspace owner to regenerate it (dashboard, Settings, API key).',
    );
  }
  const { name, domain } = facts;
  out.result(
    {
      program_id: programId,
      name,
      domain,
      api_url: api.apiUrl,
      key_file: '.svc/.env',
      has_key: hasKey,
      ...(relayPath && { relay_path: relayPath }),
      files: PROJECT_FILES,
    },
    [
      `Refreshed the files for program ${programId}, ${name} (${domain}).`,
      `Files written: ${PROJECT_FILES.join(', ')}`,
    ],
  );
}

/** What to do about a program that the account cannot see. The service does not tell whether it exists. */
async function explainMissing({ api, credentials }: Session, programId: number, error: unknown): Promise<never> {
  if (!(error instanceof Failure) || error.parts.status !== 404) throw error;
  const email = (await credentials.find(api.apiUrl))?.email;
  throw new Failure(
    `Program ${programId} does not exist, or your account${email ? ` (${email})` : ''} has no access to it.`,
    {
      ...error.parts,
      code: 'program_not_found',
      hint: 'Run `svc programs` to list yours. For a program of another workspace, ask an owner to invite you, or run `svc login` with an account that has access.',
    },
  );
}

/** The key from the flag or the environment, which must belong to this program. */
async function findKey(session: Session, programId: number): Promise<Record<string, string>> {
  const { api, key } = session;
  if (!key) return { SVC_API_KEY: '' };
  const { data } = await api.call(cliStatus, { token: programKey(session) });
  if (data.program_id === programId) return { SVC_API_KEY: key.key };
  throw new Failure(`The key from ${key.from} belongs to program ${data.program_id}, not to program ${programId}.`);
}
