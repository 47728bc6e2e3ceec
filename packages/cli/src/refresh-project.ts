import { cliStatus } from '@svc/contract';
import { Failure } from './failure.ts';
import { fetchFacts } from './project/facts.ts';
import { type ProjectFiles, publicValues, WRITTEN } from './project/project-files.ts';
import type { Session } from './session.ts';
import { withAccount } from './sign-in.ts';

/** Writes the files of a program that exists. A key in `.svc/.env` is left as it is. */
export async function refreshProject(session: Session, files: ProjectFiles, programId: number): Promise<void> {
  const { api, out, project } = session;
  const owner = project.SVC_API_KEY ? project.SVC_PROGRAM_ID : undefined;
  if (owner !== undefined && owner !== String(programId)) {
    throw new Failure(`.svc/.env holds the key of program ${owner}, not of program ${programId}.`, {
      code: 'other_program',
      hint: 'Move .svc/.env away first, or run init in another folder.',
    });
  }
  const facts = await withAccount(session, (token) => fetchFacts(session, token, programId));
  const key = project.SVC_API_KEY ? {} : await givenKey(session, programId);
  await files.prepare();
  await files.writeEnv({ ...key, ...publicValues(facts) });
  await files.writeInstructions(facts);
  const hasKey = Boolean(project.SVC_API_KEY || key.SVC_API_KEY);
  if (!hasKey) {
    out.warn(
      'SVC_API_KEY in .svc/.env is empty: a key is shown only when it is made. Use the one you kept, or have a workspace owner regenerate it (dashboard, Settings, API key).',
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
      files: WRITTEN,
    },
    [`Refreshed the files of program ${programId}, ${name} (${domain}).`, `Written: ${WRITTEN.join(', ')}`],
  );
}

/** The key from flag or environment, when it is this program's. */
async function givenKey({ api, key }: Session, programId: number): Promise<Record<string, string>> {
  if (!key) return { SVC_API_KEY: '' };
  const { data } = await api.call(cliStatus, { token: key.key });
  if (data.program_id === programId) return { SVC_API_KEY: key.key };
  throw new Failure(`The key from ${key.from} is of program ${data.program_id}, not of program ${programId}.`);
}
