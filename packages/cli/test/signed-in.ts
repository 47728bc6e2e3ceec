import type { Binary } from './binary.ts';
import { type Service, stateOf, type Visitor } from './service.ts';

/** Signs somebody up and the command in as them, in this home folder. */
export async function signedIn(binary: Binary, service: Service, home: string, apiUrl = service.url): Promise<Visitor> {
  const visitor = await service.signUp();
  const login = binary.start(['login', '--json', '--api-url', apiUrl], { home });
  const [, authUrl = ''] = await login.says(/Sign in at\s+(\S+)/);
  await service.approve(visitor, stateOf(authUrl));
  const { code, stderr } = await login.ended;
  if (code !== 0) throw new Error(`The login ended with ${code}:\n${stderr}`);
  return visitor;
}

/** The flags of init for a program like any other. */
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
