import type { PackageUrls } from './packages.ts';
import type { IntegrationWay } from './snippet.ts';

/** The ways to load the tracker, which reports clicks. */
export function trackerWays(baseUrl: string, programId: number, packages: PackageUrls): IntegrationWay[] {
  return [
    scriptTag(baseUrl, programId),
    nextTracker(baseUrl, programId),
    npmPackage(packages, programId),
    commandLine(baseUrl, programId),
  ];
}

const scriptTag = (baseUrl: string, programId: number): IntegrationWay => ({
  name: 'script',
  title: 'Script tag',
  about: 'In the <head> of every page that visitors can land on.',
  snippets: [
    {
      file: 'every page',
      language: 'html',
      code: `<script async src="${baseUrl}/js/svc-tracker.js" data-svc-program-id="${programId}"></script>\n`,
    },
  ],
});

const nextTracker = (baseUrl: string, programId: number): IntegrationWay => ({
  name: 'next',
  title: 'Next.js',
  about: 'In the layout that all pages share.',
  snippets: [
    {
      file: 'app/layout.jsx',
      language: 'jsx',
      code: `import Script from 'next/script';

export default function RootLayout({ children }) {
  return (
    <html lang="en">
      <body>
        {children}
        <Script src="${baseUrl}/js/svc-tracker.js" data-svc-program-id="${programId}" />
      </body>
    </html>
  );
}
`,
    },
  ],
});

const npmPackage = ({ tracker }: PackageUrls, programId: number): IntegrationWay => ({
  name: 'package',
  title: 'npm package',
  about: 'For single-page apps that bundle everything. Call it once, in the browser.',
  snippets: [
    { file: 'in a terminal', language: 'sh', code: `npm install ${tracker}\n` },
    {
      file: 'where your app starts',
      language: 'js',
      code: `import { init } from '@svc/tracker';

init({ programId: ${programId} });
`,
    },
  ],
});

const commandLine = (baseUrl: string, programId: number): IntegrationWay => ({
  name: 'cli',
  title: 'CLI',
  about: 'Signs you in and writes .svc/AGENTS.md, with instructions for all steps that you can hand to a coding agent.',
  snippets: [
    {
      file: 'in a terminal',
      language: 'sh',
      code: `npx --yes ${baseUrl}/packages/cli.tgz init --program ${programId}\n`,
    },
  ],
});
