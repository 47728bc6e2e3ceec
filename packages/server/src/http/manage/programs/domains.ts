import { type DomainRow, manageAddDomain, manageDeleteDomain, manageDomains, manageVerifyDomain } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { addDomain, removeDomain, verifyDomain } from '../../../domains/change-domains.ts';
import { type Domain, recordOf } from '../../../domains/domain.ts';
import { listDomains } from '../../../domains/domain-store.ts';
import { bodyOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import { idParam } from '../../id-param.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManageDomainRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  const toRow = (domain: Domain): DomainRow => ({
    id: domain.id,
    host: domain.host,
    status: domain.status,
    record: recordOf(ctx.domainSecret, domain),
  });

  addProgramRoute(app, ctx, manageDomains, async ({ program }) => ({
    data: (await listDomains(ctx.db, program.id)).map(toRow),
  }));

  addProgramRoute(app, ctx, manageAddDomain, async ({ program, actor }, request) => {
    const { host } = bodyOf(manageAddDomain, request);
    const domain = await addDomain(ctx, program, host, actor);
    await ctx.lookup.hosts.reload();
    return { data: toRow(domain) };
  });

  addProgramRoute(app, ctx, manageVerifyDomain, async ({ program, actor }, request) => {
    const domain = await verifyDomain(ctx, program, idParam(request, 'domain_id'), actor);
    await ctx.lookup.hosts.reload();
    return { data: toRow(domain) };
  });

  addProgramRoute(app, ctx, manageDeleteDomain, async ({ program, actor }, request) => {
    await removeDomain(ctx, program, idParam(request, 'domain_id'), actor);
    await ctx.lookup.hosts.reload();
    return { data: {} };
  });
}
