import type { Command } from './command.ts';
import type { Person, Service } from './service.ts';

/** Signs up a user and signs the command in as them, in this home folder. */
export async function signedIn(
  command: Command,
  service: Service,
  home: string,
  apiUrl = service.url,
): Promise<Person> {
  const login = async (...args: string[]) => {
    const { code, json, stderr } = await command.run(['login', ...args, '--json', '--api-url', apiUrl], { home });
    if (code !== 0) throw new Error(`The login exited with ${code}:\n${stderr}`);
    return json;
  };
  const person = await service.signUp();
  const { state } = await login('--start');
  await service.approve(person, state);
  await login('--state', state);
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
