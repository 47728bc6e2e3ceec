import { randomBytes } from 'node:crypto';
import type { Service } from '@svc/server/app';
import { addPartner } from '@svc/server/partners/add-partner';
import { insertLink } from '@svc/server/partners/link-store';
import { createProgram } from '@svc/server/programs/create-program';
import { ApiCaller } from './api-caller.ts';

export type Seed = { programId: number; apiKey: string; shortLink: string; email: string };

/** Creates a program that pays 20 % on every sale, with a partner and their link, for the shop at this URL. */
export async function seed(service: Service, shopUrl: string): Promise<Seed> {
  const { ctx } = service;
  const now = ctx.now();
  const api = new ApiCaller(service);
  const brand = await api.signUp({ name: 'Robin Vale', email: 'robin@kettle-and-grain.example' });
  const { advertiser_id: workspaceId } = (await api.manage(brand, 'GET', '/me')).data;
  const { program, apiKey } = await createProgram(ctx, {
    workspaceId,
    name: 'Kettle & Grain partners',
    domain: 'kettle-and-grain.example',
    commissionType: 'percent',
    commissionRate: '20',
    allowedOrigins: [shopUrl],
  });
  const partner = { name: 'Jane Miller', email: 'jane@coffee-notes.example', workspaceId, programId: program.id };
  const partnerId = await addPartner(ctx.db, partner, now);
  // New in every run, so that a browser with the cookie of the last run reports the click again.
  const shortLink = `jane-${randomBytes(3).toString('hex')}`;
  await insertLink(ctx.db, { programId: program.id, partnerId, shortLink, destinationUrl: shopUrl }, now);
  return { programId: program.id, apiKey, shortLink, email: brand.email };
}
