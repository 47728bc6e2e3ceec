import { errors } from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CLIENT_ADDRESS_HEADER, type SignIn } from '../../accounts/sign-in.ts';

/** Passes everything under `/api/auth` to the sign-in library. */
export function addSignInRoutes(app: FastifyInstance, signIn: SignIn, baseUrl: string): void {
  app.route({
    method: ['GET', 'POST'],
    url: '/api/auth/*',
    handler: async (request, reply) => {
      const response = await signIn.handler(webRequest(request, baseUrl));
      reply.code(response.status);
      for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value);
      const cookies = response.headers.getSetCookie();
      if (cookies.length > 0) reply.header('set-cookie', cookies);
      reply.header('Cache-Control', 'no-store');
      return reply.send(Buffer.from(await response.arrayBuffer()));
    },
  });
}

/** The headers in the form the library expects, with the client address as this service determined it. */
export function webHeaders(request: FastifyRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && name !== 'content-length') headers.set(name, [value].flat().join(', '));
  }
  headers.set(CLIENT_ADDRESS_HEADER, request.ip);
  return headers;
}

function webRequest(request: FastifyRequest, baseUrl: string): Request {
  const hasBody = request.method !== 'GET' && request.body !== undefined;
  return new Request(new URL(request.url, baseUrl), {
    method: request.method,
    headers: webHeaders(request),
    ...(hasBody && { body: asJson(request.body) }),
  });
}

/** A body that is nested too deeply can be parsed, but not written again. */
function asJson(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch {
    throw errors.invalidJson();
  }
}
