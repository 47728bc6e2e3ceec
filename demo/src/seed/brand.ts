import { randomBytes } from 'node:crypto';
import { ACCOUNT_TOKEN_PREFIX } from '@svc/contract';
import { insertAccountToken } from '@svc/server/accounts/account-token-store';
import { newSecretToken } from '@svc/server/accounts/secret-token';
import { findWorkspaceMember } from '@svc/server/accounts/workspaces/workspace-store';
import type { Service } from '@svc/server/app';
import { OPERATOR } from '@svc/server/audit/audit-store';
import { addMember } from '@svc/server/partners/add-partner';
import { insertLink } from '@svc/server/partners/links/link-store';
import { updatePartnerUser } from '@svc/server/partners/partner-account-store';
import { createProgram } from '@svc/server/programs/create-program';

export type Brand = {
  /** The largest program comes first. */
  programIds: number[];
  partnerId: number;
  owner: { email: string; password: string; token: string };
  partner: { email: string; password: string };
};

const PROGRAMS = [
  { name: 'Northwind Notes', domain: 'northwind.example', partners: 40, currency: 'USD' },
  { name: 'Kettle & Crumb', domain: 'kettle.example', partners: 10, currency: 'EUR' },
];
const LINKS_EACH = 2;
const FIRST = 'Ada Ben Cleo Dan Eve Finn Gia Hugo Iris Jon Kai Lena Milo Nora Otto Pia Quin Rosa Sam Tess'.split(' ');
const LAST = 'Abbott Bauer Costa Dietz Ellis Faber Grant Hahn Ito Jensen Klein Lopez'.split(' ');

/** Creates a workspace with an owner who can sign in, programs, partners with links, and one partner who can sign in. */
export async function createBrand({ ctx }: Service, startedAt: Date): Promise<Brand> {
  const run = randomBytes(3).toString('hex');
  const owner = await signUp(ctx, 'Olivia Owner', `owner-${run}@example.com`);
  const member = await findWorkspaceMember(ctx.db, owner.userId);
  if (!member) throw new Error('The owner has no workspace');
  const { workspaceId } = member;
  const programIds: number[] = [];
  const partnerIds: number[] = [];
  for (const { partners, ...about } of PROGRAMS) {
    const terms = { commissionType: 'recurring_percent', commissionRate: '20' } as const;
    const { program } = await createProgram(ctx, { ...about, ...terms, workspaceId }, OPERATOR);
    programIds.push(program.id);
    for (let index = 0; index < partners; index += 1) {
      const name = `${FIRST[index % FIRST.length]} ${LAST[(index * 7) % LAST.length]}`;
      const handle = `${name.toLowerCase().replace(' ', '-')}-${index}-${run}`;
      const partner = { workspaceId, programId: program.id, name, email: `${handle}@partners.example` };
      const { id: partnerId } = await ctx.db.transaction((tx) =>
        addMember(tx, { ...ctx, now: () => startedAt }, partner),
      );
      partnerIds.push(partnerId);
      for (let link = 0; link < LINKS_EACH; link += 1) {
        const shortLink = `${handle}-p${program.id}-${link}`;
        const newLink = { programId: program.id, partnerId, shortLink, destinationUrl: null };
        await insertLink(ctx.db, newLink, startedAt);
      }
    }
  }
  const partnerId = partnerIds[0] ?? 0;
  const partner = await signUp(ctx, 'Ada Abbott', `partner-${run}@example.com`);
  await updatePartnerUser(ctx.db, partnerId, partner.userId, startedAt);
  return { programIds, partnerId, owner, partner };
}

async function signUp(ctx: Service['ctx'], name: string, email: string) {
  const password = randomBytes(12).toString('base64url');
  const { user } = await ctx.signIn.api.signUpEmail({ body: { name, email, password } });
  const { token, hash } = newSecretToken(ACCOUNT_TOKEN_PREFIX);
  const expiresAt = new Date(ctx.now().getTime() + 86_400_000);
  await insertAccountToken(ctx.db, { userId: user.id, hash, expiresAt }, ctx.now());
  return { email, password, token, userId: user.id };
}
