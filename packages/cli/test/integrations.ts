import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Snippets } from './snippets.ts';

/** A project that somebody integrates by following AGENTS.md: what they add, and how the site is started. */
export type Integration = {
  /** What the project depends on before anything is added. */
  packages: string[];
  /** Adds the snippets where the instructions say. `run` runs their commands. */
  build: (folder: string, snippets: Snippets, run: (command: string) => Promise<void>) => Promise<void>;
  /** Commands that prepare the site, and the one that serves it; none for plain files. */
  prepare?: string;
  serve?: (port: number) => string[];
  signup?: string;
  pay?: string;
};

const PAGE = (head: string, body = '<h1>Shop</h1>') =>
  `<!doctype html>\n<html lang="en">\n<head>\n<title>Shop</title>\n${head}</head>\n<body>\n${body}\n</body>\n</html>\n`;
const CREATE_USER = 'const createUser = async ({ id, email }) => ({ id, email });\n';
const CREATE_TYPED_USER =
  'const createUser = async ({ id, email }: { id: string; email: string }) => ({ id, email });\n';

export const INTEGRATIONS: Record<string, Integration> = {
  'a static site': {
    packages: [],
    async build(folder, snippets) {
      const [tracker = ''] = snippets.under('Plain HTML');
      const [signup = ''] = snippets.under('No backend: signup from the browser');
      await writeFile(join(folder, 'index.html'), PAGE(tracker));
      await writeFile(join(folder, 'welcome.html'), PAGE(tracker, signup));
    },
  },

  Express: {
    packages: ['express'],
    async build(folder, snippets, run) {
      await installPackage(snippets, run);
      const [tracker = ''] = snippets.under('Plain HTML');
      const [signup = ''] = snippets.under('Express: signup');
      const [paid = ''] = snippets.under('Any payment provider, Node');
      await writeFile(join(folder, 'paid.js'), paid);
      await writeFile(
        join(folder, 'server.js'),
        `import express from 'express';
import { orderPaid } from './paid.js';
const app = express();
app.use(express.json());
${CREATE_USER}${signup}
app.post('/pay', async (req, res) => res.json(await orderPaid(req.body)));
app.get('/', (req, res) => res.type('html').send(${JSON.stringify(PAGE(tracker))}));
app.listen(Number(process.env.PORT), 'localhost');
`,
      );
    },
    serve: () => ['node', '--env-file=.svc/.env', 'server.js'],
    signup: '/signup',
    pay: '/pay',
  },

  'Next.js': {
    packages: ['next', 'react', 'react-dom', 'typescript', '@types/react', '@types/node'],
    async build(folder, snippets, run) {
      await installPackage(snippets, run);
      // In Next.js, the variables belong into .env.local.
      await copyFile(join(folder, '.svc/.env'), join(folder, '.env.local'));
      const [layout = ''] = snippets.under('Next.js: tracker');
      const [signup = ''] = snippets.under('Next.js: signup');
      const [paid = ''] = snippets.under('Any payment provider, Node');
      for (const path of ['app/api/signup', 'app/api/pay']) await mkdir(join(folder, path), { recursive: true });
      await writeFile(join(folder, 'paid.js'), paid);
      await writeFile(join(folder, 'app/layout.tsx'), layout);
      await writeFile(join(folder, 'app/page.tsx'), 'export default function Page() {\n  return <h1>Shop</h1>;\n}\n');
      await writeFile(join(folder, 'app/api/signup/route.ts'), `${signup}\n${CREATE_TYPED_USER}`);
      await writeFile(
        join(folder, 'app/api/pay/route.js'),
        `import { orderPaid } from '../../../paid.js';
export const POST = async (request) => Response.json(await orderPaid(await request.json()));
`,
      );
    },
    prepare: 'npx next build',
    serve: (port) => ['npx', 'next', 'start', '--hostname', 'localhost', '--port', String(port)],
    signup: '/api/signup',
    pay: '/api/pay',
  },
};

/** What the backend calls the service with. */
async function installPackage(snippets: Snippets, run: (command: string) => Promise<void>) {
  const [install = ''] = snippets.under('Node: the package for all calls');
  await run(install.trim());
}
