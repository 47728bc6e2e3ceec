import { randomBytes } from 'node:crypto';
import { OPERATOR } from '../../server/src/audit/audit-store.ts';
import { addDomain, verifyDomain } from '../../server/src/domains/change-domains.ts';
import { recordOf } from '../../server/src/domains/domain.ts';
import { type DnsServer, startDns } from '../src/index.ts';
import type { TestProgram, TestService } from './service.ts';

/** A host that no other test has. */
export const newHost = () => `go-${randomBytes(5).toString('hex')}.acme.test`;

let shared: Promise<DnsServer> | undefined;

/** The DNS server that the services of all test files of this process ask. Nothing is asked for outside of it. */
export function sharedDns(): Promise<DnsServer> {
  shared ??= startDns();
  return shared;
}

/** Sets the record that proves that the host belongs to the program. */
export async function setRecord({ ctx }: TestService, { program }: Pick<TestProgram, 'program'>, host: string) {
  const { name, value } = recordOf(ctx.domainSecret, { programId: program.id, host });
  (await sharedDns()).set(name, value);
}

/** Lets the program have its links on a host, which is new by default. */
export async function activeHost(
  service: TestService,
  { program }: Pick<TestProgram, 'program'>,
  host = newHost(),
): Promise<string> {
  const { ctx } = service;
  const domain = await addDomain(ctx, program, host, OPERATOR);
  await setRecord(service, { program }, host);
  await verifyDomain(ctx, program, domain.id, OPERATOR);
  await ctx.lookup.hosts.reload();
  return host;
}
