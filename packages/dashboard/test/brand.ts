import type { TestProgram } from '@svc/testkit/service/service.ts';
import type { Person } from './person.ts';
import type { Stage } from './stage.ts';

export type Brand = TestProgram & { owner: Person; path: (page: string) => string };

/** A program with a partner and a link, and its owner in a browser. */
export async function openBrand(
  stage: Stage,
  settings: Parameters<Stage['service']['program']>[0] = {},
): Promise<Brand> {
  const owner = await stage.person();
  const program = await stage.service.program({ ...settings, workspaceId: await workspaceOf(stage, owner) });
  return { ...program, owner, path: (page) => `/app/programs/${program.program.id}/${page}` };
}

/** The workspace that every new account has. */
export async function workspaceOf(stage: Stage, { userId }: Person): Promise<number> {
  const [workspace] = await stage.service.sql<{ id: number }>(
    'select advertiser_id as id from workspace_members where user_id = $1',
    [userId],
  );
  if (!workspace) throw new Error('The person has no workspace');
  return workspace.id;
}

/** A person in a browser, signed in as the partner. */
export async function partnerPerson(stage: Stage, partnerId: number): Promise<Person> {
  const person = await stage.person();
  await stage.service.sql('update partners set user_id = $2 where id = $1', [partnerId, person.userId]);
  return person;
}
