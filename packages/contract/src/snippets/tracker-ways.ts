import type { ProgramTracker } from '../values/link-parameters.ts';
import { exampleCode } from './example-code.ts';
import type { PackageUrls } from './packages.ts';
import type { IntegrationWay } from './snippet.ts';

/** The ways to load the tracker, which reports clicks. */
export function trackerWays(
  baseUrl: string,
  programId: number,
  packages: PackageUrls,
  tracker?: ProgramTracker,
): IntegrationWay[] {
  const code = exampleCode(baseUrl, programId, tracker);
  return [
    {
      name: 'script',
      title: 'Script tag',
      about: 'In the <head> of every page that visitors can land on.',
      snippets: [{ file: 'every page', language: 'html', code: code('html/index.html#tracker') }],
    },
    {
      name: 'next',
      title: 'Next.js',
      about: 'In the layout that all pages share.',
      snippets: [{ file: 'app/layout.tsx', language: 'tsx', code: code('nextjs/app/layout.tsx') }],
    },
    {
      name: 'package',
      title: 'npm package',
      about: 'For single-page apps that bundle everything. Call it once, in the browser.',
      snippets: [
        { file: 'in a terminal', language: 'sh', code: `npm install ${packages.tracker}\n` },
        { file: 'where your app starts', language: 'js', code: code('single-page/main.js') },
      ],
    },
    {
      name: 'cli',
      title: 'CLI',
      about:
        'Signs you in and writes .svc/AGENTS.md, with instructions for all steps that you can hand to a coding agent.',
      snippets: [
        {
          file: 'in a terminal',
          language: 'sh',
          code: `npx --yes ${baseUrl}/packages/cli.tgz init --program ${programId}\n`,
        },
      ],
    },
  ];
}
