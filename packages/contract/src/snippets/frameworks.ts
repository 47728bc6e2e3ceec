import type { Snippet } from './snippet.ts';

/** The same route of a shop, by how a handler reads the request and replies. */
export function routeSnippets(code: { web: string; express: string; fastify: string }): (Snippet & {
  framework: string;
})[] {
  return [
    {
      framework: 'Next.js, Remix, Hono',
      file: 'a route handler with a standard Request',
      language: 'ts',
      code: code.web,
    },
    { framework: 'Express', file: 'where the routes of your app are', language: 'js', code: code.express },
    { framework: 'Fastify', file: 'where the routes of your app are', language: 'js', code: code.fastify },
  ];
}
