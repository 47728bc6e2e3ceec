import { cliInit, cliPrograms } from '@svc/contract';
import { chooseProgram } from '../choose-program.ts';
import { asFailure, Failure } from '../failure.ts';
import { type InitOptions, newProgram } from '../init-fields.ts';
import { fetchFacts } from '../project/facts.ts';
import { ProjectFiles, publicValues, WRITTEN } from '../project/project-files.ts';
import { refreshProject } from '../refresh-project.ts';
import type { Session } from '../session.ts';
import { withAccount } from '../sign-in.ts';

/** Makes a program, or takes one that exists, and writes its files into this folder. */
export async function init(session: Session, options: InitOptions, template: string): Promise<void> {
  const { api, out, cwd, project } = session;
  const files = new ProjectFiles(cwd, template);
  const known = project.SVC_API_KEY ? (project.SVC_PROGRAM_ID ?? 'unknown') : undefined;
  const listed = () => withAccount(session, (token) => api.call(cliPrograms, { token }));
  const choice = await chooseProgram(session, { known, named: options.program, listed });
  if (choice.is === 'existing') return refreshProject(session, files, choice.programId);

  const fields = await newProgram(session, options);
  await files.prepare();
  const { data: created } = await withAccount(session, (token) =>
    out.during('Creating the program', () => api.call(cliInit, { token, body: fields })),
  );
  // The key is told this once: it is on disk before anything else can fail.
  const aside = known === undefined ? undefined : await files.putAside(known);
  const id = String(created.program_id);
  await files.writeEnv({ SVC_API_KEY: created.api_key, SVC_PROGRAM_ID: id, SVC_API_URL: api.apiUrl });
  const facts = await withAccount(session, (token) => fetchFacts(session, token, created.program_id)).catch((error) => {
    const hint = `Program ${id} exists and its key is in .svc/.env. Run \`svc init --program ${id}\` to write the other files.`;
    throw new Failure(asFailure(error).message, { ...asFailure(error).parts, hint });
  });
  await files.writeEnv(publicValues(facts));
  await files.writeInstructions(facts);

  const { program_id, name, domain, program_slug } = created;
  if (aside) out.warn(`The key of program ${known} is now in ${aside}.`);
  out.result(
    {
      program_id,
      name,
      domain,
      program_slug,
      api_url: api.apiUrl,
      key_file: '.svc/.env',
      previous_key_file: aside,
      files: WRITTEN,
    },
    [
      `Program ${program_id}, ${name} (${domain}): ${facts.commission}, cookie ${facts.cookieDays} days.`,
      `Written: ${WRITTEN.join(', ')}`,
      'Next: follow .svc/AGENTS.md (or give it to your coding agent), then run `svc test chain`.',
    ],
  );
}
