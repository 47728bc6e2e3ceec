import { randomBytes } from 'node:crypto';
import { insertAdvertiser } from '@svc/server/accounts/advertiser-store';
import type { Service } from '@svc/server/app';
import { insertLink } from '@svc/server/partners/link-store';
import { insertPartner } from '@svc/server/partners/partner-store';
import { createProgram } from '@svc/server/programs/create-program';

export type Seed = { programId: number; apiKey: string; shortLink: string };

/** A program that pays 20 % on every sale, with a partner and their link, for the shop at this address. */
export async function seed({ ctx }: Service, shopUrl: string): Promise<Seed> {
  const now = ctx.now();
  const advertiserId = await insertAdvertiser(ctx.db, 'Kettle & Grain', now);
  const { program, apiKey } = await createProgram(ctx, {
    advertiserId,
    name: 'Kettle & Grain partners',
    domain: 'kettle-and-grain.example',
    commissionType: 'percent',
    commissionRate: '20',
    allowedOrigins: [shopUrl],
  });
  const partner = { name: 'Jane Miller', email: 'jane@coffee-notes.example', advertiserId, programId: program.id };
  const partnerId = await insertPartner(ctx.db, partner, now);
  // New in every run: a browser that still holds the cookie of the last one reports the click again.
  const shortLink = `jane-${randomBytes(3).toString('hex')}`;
  await insertLink(ctx.db, { programId: program.id, partnerId, shortLink, destinationUrl: shopUrl }, now);
  return { programId: program.id, apiKey, shortLink };
}
