import type { Binary } from './binary.ts';
import { type Person, type Service, stateOf } from './service.ts';

/** Signs up a user and signs the command in as them, in this home folder. */
export async function signedIn(binary: Binary, service: Service, home: string, apiUrl = service.url): Promise<Person> {
  const person = await service.signUp();
  const login = binary.start(['login', '--json', '--api-url', apiUrl], { home });
  const [, authUrl = ''] = await login.says(/Sign in at\s+(\S+)/);
  await service.approve(person, stateOf(authUrl));
  const { code, stderr } = await login.ended;
  if (code !== 0) throw new Error(`The login exited with ${code}:\n${stderr}`);
  return person;
}

/** Flags of init for an ordinary program. */
export const TERMS = [
  '--name',
  'Acme',
  '--domain',
  'acme.test',
  '--commission-type',
  'percent',
  '--commission-rate',
  '20',
];
