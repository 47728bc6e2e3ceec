import { errors } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { addDays } from '../../time.ts';

/** Nobody should rely on the contact for longer without asking again. */
const VALID_DAYS = 180;

type Options = { baseUrl: string; securityContact: string | undefined; now: () => Date };

/** What crawlers and those who found a vulnerability look for at every address. */
export function addWellKnownFiles(app: FastifyInstance, { baseUrl, securityContact, now }: Options): void {
  app.get('/robots.txt', async (_request, reply) =>
    reply.header('Cache-Control', 'public, max-age=86400').type('text/plain; charset=utf-8').send(ROBOTS),
  );

  // RFC 9116. Only the operator knows whom to tell.
  app.get('/.well-known/security.txt', async (_request, reply) => {
    if (!securityContact) throw errors.notFound();
    const expires = addDays(now(), VALID_DAYS).toISOString().replace(/\.\d+/, '');
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${expires}`,
      `Canonical: ${baseUrl}/.well-known/security.txt`,
    ];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
}

/** Docs and join pages may be found. Links lead visitors elsewhere, and the rest is not for reading. */
const ROBOTS = `User-agent: *
Disallow: /api/
Disallow: /app
Disallow: /r/
Allow: /
`;
