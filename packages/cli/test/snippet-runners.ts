/** Stands in for the project's own code that a snippet calls. */
const CREATE_USER = 'const createUser = async (body) => body;\n';

const LISTEN = `
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

/** A complete script around the signup snippet of each framework; it prints the port it listens on. */
export const SIGNUP_PROGRAMS: Record<string, (snippet: string) => string> = {
  Express: (snippet) => `
import { createServer } from 'node:http';
import express from 'express';
const app = express();
app.use(express.json());
${CREATE_USER}${snippet}
const server = createServer(app);
${LISTEN}`,

  Fastify: (snippet) => `
import Fastify from 'fastify';
const app = Fastify();
${CREATE_USER}${snippet}
await app.listen({ port: 0, host: '127.0.0.1' });
console.log(app.server.address().port);
`,

  // A route handler gets a standard Request and returns a standard Response, so this replaces Next.js.
  'Next.js': (snippet) => `
import { createServer } from 'node:http';
${CREATE_USER}${snippet}
const server = createServer(async (incoming, outgoing) => {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const request = new Request('http://localhost' + incoming.url, {
    method: incoming.method,
    headers: incoming.headers,
    body: Buffer.concat(chunks),
  });
  const response = await POST(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(await response.text());
});
${LISTEN}`,
};

/** Calls one function of a module with arguments passed as JSON. */
export const callOf = (module: string, name: string) => `
import { ${name} } from './${module}';
await ${name}(...JSON.parse(process.argv[2]));
`;

/** A Stripe client that prints what it was asked to create. */
export const STRIPE_CLIENT = `
const create = async (options) => {
  console.log(JSON.stringify(options));
  return { url: 'https://checkout.stripe.com/c/pay/cs_1' };
};
export const stripe = { checkout: { sessions: { create } } };
`;

/** Calls the route of a checkout snippet with a user and a request. */
export const checkoutProgram = (module: string) => `
const { user, req } = JSON.parse(process.argv[2]);
globalThis.currentUser = async () => user;
globalThis.app = { post: (path, handler) => handler(req, { redirect() {} }) };
await import('./${module}');
`;
