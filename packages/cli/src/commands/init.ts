import { cliInit, cliPrograms } from '@svc/contract';
import { chooseProgram } from '../choose-program.ts';
import { chooseRelay } from '../choose-relay.ts';
import { asFailure, Failure } from '../failure.ts';
import { type InitOptions, newProgram } from '../init-fields.ts';
import { fetchProgramFacts } from '../project/program-facts.ts';
import { PROJECT_FILES, ProjectFiles, publicValues } from '../project/project-files.ts';
import { refreshProject } from '../refresh-project.ts';
import type { Session } from '../session.ts';
import { withAccount } from '../sign-in.ts';

/** Creates a program, or uses an existing one, and writes its files to this folder. */
export async function init(session: Session, options: InitOptions, template: string): Promise<void> {
  const { api, out, cwd, project } = session;
  const files = new ProjectFiles(cwd, template);
  const inProject = project.SVC_API_KEY ? (project.SVC_PROGRAM_ID ?? 'unknown') : undefined;
  const listPrograms = () => withAccount(session, (token) => api.call(cliPrograms, { token }));
  const choice = await chooseProgram(session, { inProject, fromFlag: options.program, listPrograms });
  if (choice.kind === 'existing') {
    const relayPath = await chooseRelay(session, options.relay);
    return refreshProject(session, files, { programId: choice.programId, relayPath });
  }

  const fields = await newProgram(session, options);
  const relayPath = await chooseRelay(session, options.relay);
  const { data: created } = await withAccount(session, (token) =>
    files.keepOnSuccess(() =>
      out.withSpinner('Creating the program', () => api.call(cliInit, { token, body: fields })),
    ),
  );
  // The key is shown only once, so it is on disk before anything else can fail.
  const backup = inProject === undefined ? undefined : await files.backUpEnv(inProject);
  const id = String(created.program_id);
  await files.writeEnv({ SVC_API_KEY: created.api_key, SVC_PROGRAM_ID: id, SVC_API_URL: api.apiUrl });
  const facts = await withAccount(session, (token) =>
    fetchProgramFacts(session, token, { programId: created.program_id, relayPath }),
  ).catch((error) => {
    const hint = `Program ${id} was created and its key is in .svc/.env. Run \`svc init --program ${id}\` to write the other files.`;
    throw new Failure(asFailure(error).message, { ...asFailure(error).parts, hint });
  });
  await files.writeEnv(publicValues(facts));
  await files.writeInstructions(facts);

  const { program_id, name, domain, program_slug } = created;
  if (backup) out.warn(`The key for program ${inProject} is now in ${backup}.`);
  out.result(
    {
      program_id,
      name,
      domain,
      program_slug,
      api_url: api.apiUrl,
      key_file: '.svc/.env',
      previous_key_file: backup,
      ...(relayPath && { relay_path: relayPath }),
      files: PROJECT_FILES,
    },
    [
      `Created program ${program_id}, ${name} (${domain}): ${facts.commission}, ${facts.cookieDays}-day cookie.`,
      `Files written: ${PROJECT_FILES.join(', ')}`,
      'Next: follow .svc/AGENTS.md (or hand it to your coding agent), then run `svc test chain`.',
    ],
  );
}
