import { MAX_DOMAINS } from '@svc/contract';
import { OPERATOR } from '../../../../server/src/audit/audit-store.ts';
import { insertDomain } from '../../../../server/src/domains/domain-store.ts';
import { addKey } from '../../../../server/src/programs/add-key.ts';
import { changeLogo } from '../../../../server/src/programs/change-join-page.ts';
import { createProgram } from '../../../../server/src/programs/create-program.ts';
import { newHost, setRecord } from '../../dns.ts';
import type { TestProgram, TestService } from '../../service.ts';
import type { RequestParts } from './parts.ts';

/** A join page with something of everything. */
export const JOIN_PAGE = {
  brand_color: '#1a7f5a',
  questions: [
    { label: 'Where will you recommend us?', kind: 'choice' as const, required: true, options: ['Blog', 'Newsletter'] },
  ],
  agreement: 'No ads on our name.',
};

/** The smallest PNG file. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const PROGRAM_REQUESTS: RequestParts = {
  bodies: {
    manageCreateProgram: () => ({
      name: 'Acme',
      domain: 'acme.test',
      allowed_origins: ['https://acme.test'],
      link_parameters: ['via'],
    }),
    manageUpdateProgram: () => ({ name: 'Acme Inc' }),
    manageSetProgramStatus: () => ({ status: 'paused' }),
    manageUpdateJoinPage: () => JOIN_PAGE,
    manageSetLogo: () => ({ image: PNG }),
    manageRequireRotation: (service) => ({ rotate_by: new Date(service.time.getTime() + 86_400_000).toISOString() }),
    manageAddDomain: () => ({ host: newHost() }),
  },
  first: {
    manageRemoveLogo: (service, { program }) => changeLogo(service.ctx, program.id, PNG, OPERATOR),
    manageDomains: domainIdOf,
  },
  params: {
    program_id: (service, created, routeId) =>
      routeId === 'manageDeleteProgram' ? emptyProgram(service, created) : created.program.id,
    key_id: async (service, { program }) => (await addKey(service.ctx, program, 'test', OPERATOR)).key.id,
    domain_id: domainIdOf,
  },
};

/** The id of a program of the same workspace that nobody takes part in. */
async function emptyProgram(service: TestService, { workspaceId }: TestProgram): Promise<number> {
  const created = await createProgram(
    { ...service.ctx, maxPrograms: 1_000 },
    { workspaceId, name: 'Empty', domain: 'empty.test' },
    OPERATOR,
  );
  return created.program.id;
}

/** The id of a pending host of the program whose record is set. There is room for the next one. */
export async function domainIdOf(service: TestService, { program }: TestProgram): Promise<number> {
  const host = newHost();
  await service.sql('delete from link_domains where program_id = $1', [program.id]);
  const domain = (await insertDomain(service.ctx.db, { programId: program.id, host }, MAX_DOMAINS, service.time))!;
  await setRecord(service, { program }, host);
  return domain.id;
}
