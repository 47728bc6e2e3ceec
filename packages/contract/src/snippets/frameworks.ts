import { CLICK_ID_PATTERN, indented, type Snippet } from './snippet.ts';

/** What a route of a shop does: it creates something at the processor and tells the page about it. */
export type Route = {
  path: string;
  imports: string;
  /** The statement that creates it, which uses `metadata`. */
  create: string;
  /** Where the buyer is sent, or what the page gets. */
  reply: { redirect: string } | { json: string };
};

type Framework = { title: string; file: string; writeRoute(route: Route): string };

const USER = '// yours; null for a guest';

/** Frameworks by how a handler reads the request and replies. */
const FRAMEWORKS: Framework[] = [
  {
    title: 'Next.js, Remix, Hono',
    file: 'a route handler with a standard Request',
    writeRoute: ({ path, imports, create, reply }) => `${imports}

// Next.js: app${path}/route.js. Remix: action({ request }). Hono: request is c.req.raw.
export async function POST(request) {
  const user = await currentUser(request); ${USER}
  const metadata = svcMetadata(request.headers.get('cookie'), user?.id);
  ${indented(create, 2)}
  return ${'redirect' in reply ? `Response.redirect(${reply.redirect}, 303)` : `Response.json(${reply.json})`};
}
`,
  },
  {
    title: 'Express',
    file: 'where the routes of your app are',
    writeRoute: ({ path, imports, create, reply }) => `${imports}

app.post('${path}', async (req, res) => {
  const user = await currentUser(req); ${USER}
  const metadata = svcMetadata(req.headers.cookie, user?.id);
  ${indented(create, 2)}
  ${'redirect' in reply ? `res.redirect(303, ${reply.redirect})` : `res.json(${reply.json})`};
});
`,
  },
  {
    title: 'Fastify',
    file: 'where the routes of your app are',
    writeRoute: ({ path, imports, create, reply }) => `${imports}

app.post('${path}', async (request, reply) => {
  const user = await currentUser(request); ${USER}
  const metadata = svcMetadata(request.headers.cookie, user?.id);
  ${indented(create, 2)}
  return ${'redirect' in reply ? `reply.redirect(${reply.redirect}, 303)` : reply.json};
});
`,
  },
];

/** The route in every framework. */
export function routeSnippets(route: Route): (Snippet & { framework: string })[] {
  return FRAMEWORKS.map(({ title, file, writeRoute }) => ({
    framework: title,
    file,
    language: 'js',
    code: writeRoute(route),
  }));
}

/** The file that finds out who pays. All routes import it. */
export function metadataFile(programId: number): Snippet {
  return {
    file: 'svc-metadata.js',
    language: 'js',
    code: `// svc-metadata.js: who pays, and through which partner's link they came.
export function svcMetadata(cookieHeader, userId) {
  // The tracker sets this cookie when a visitor arrives through a partner's link.
  const clickId = ${CLICK_ID_PATTERN}.exec(cookieHeader ?? '')?.[1];
  return {
    program_id: '${programId}',
    ...(clickId && { svc_click_id: clickId }),
    // Your own id for the user, the same as at signup. Guests have none.
    ...(userId && { svc_customer_key: String(userId) }),
  };
}
`,
  };
}
