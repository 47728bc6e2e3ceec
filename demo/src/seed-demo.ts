import { randomBytes } from 'node:crypto';
import type { Service } from '@svc/server/app';
import { OPERATOR } from '@svc/server/audit/audit-store';
import { addMember } from '@svc/server/partners/add-partner';
import { insertLink } from '@svc/server/partners/links/link-store';
import { createProgram } from '@svc/server/programs/create-program';
import { ApiCaller } from './api-caller.ts';
import { seedHistory } from './seed/history.ts';

export type Seed = { programId: number; apiKey: string; shortLink: string; email: string; startedAt: Date };

const DAYS = 365;
const CLICKS_EACH = 12;

/** The partners of the past year, with their links. Jane's shop link is added when the demo starts. */
const PARTNERS = [
  { name: 'Jane Miller', email: 'jane@coffee-notes.example', links: ['coffee-notes', 'jane-newsletter'] },
  { name: 'Bean There Podcast', email: 'hello@bean-there.example', links: ['bean-there'] },
  { name: 'Slow Mornings', email: 'mia@slow-mornings.example', links: ['slow-mornings', 'slow-video'] },
  { name: 'Crema Weekly', email: 'desk@crema-weekly.example', links: ['crema'] },
  { name: 'Otto Brandt', email: 'otto@filter-club.example', links: ['filter-club'] },
  { name: 'The Daily Pour', email: 'team@daily-pour.example', links: ['daily-pour'] },
];

/**
 * Creates a program that pays 20 % on every sale, for the shop at this URL: with a year of visits, sales and payouts to its
 * partners, and with a new link of one of them to follow.
 */
export async function seed(service: Service, shopUrl: string, customers: number): Promise<Seed> {
  const { ctx } = service;
  const startedAt = ctx.now();
  const api = new ApiCaller(service);
  const brand = await api.signUp({ name: 'Robin Vale', email: 'robin@kettle-and-grain.example' });
  const { advertiser_id: workspaceId } = (await api.manage(brand, 'GET', '/me')).data;
  const settings = {
    workspaceId,
    name: 'Kettle & Grain partners',
    domain: 'kettle-and-grain.example',
    commissionType: 'percent',
    commissionRate: '20',
  } as const;
  const { program, apiKey } = await createProgram(ctx, { ...settings, allowedOrigins: [shopUrl] }, OPERATOR);
  const programId = program.id;
  const aYearAgo = new Date(startedAt.getTime() - DAYS * 86_400_000);
  const partnerIds: number[] = [];
  for (const { links, ...partner } of PARTNERS) {
    const { id: partnerId } = await ctx.db.transaction((tx) =>
      addMember(tx, { ...ctx, now: () => aYearAgo }, { ...partner, workspaceId, programId }),
    );
    partnerIds.push(partnerId);
    for (const shortLink of links)
      await insertLink(ctx.db, { programId, partnerId, shortLink, destinationUrl: null }, aYearAgo);
  }
  const history = {
    programIds: [programId],
    now: startedAt,
    days: DAYS,
    customers,
    clicks: customers * CLICKS_EACH,
    foreignShare: 0,
  };
  await seedHistory({ ...ctx, db: ctx.db.untimed }, history, () => {});
  // New in every run, so that a browser with the cookie of the last run reports the click again.
  const shortLink = `jane-${randomBytes(3).toString('hex')}`;
  const [jane = 0] = partnerIds;
  await insertLink(ctx.db, { programId, partnerId: jane, shortLink, destinationUrl: shopUrl }, startedAt);
  return { programId, apiKey, shortLink, email: brand.email, startedAt };
}
