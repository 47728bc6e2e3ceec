import { settings } from '../../api/settings.ts';
import { CodeBlock } from '../../ui/forms/copy.tsx';
import { Tabs } from '../../ui/forms/tabs.tsx';

/** The ways to add the tracker to a site, filled in for this program. */
export function Snippets({ programId }: { programId: number }) {
  const { base_url: baseUrl } = settings;
  const scriptTag = `<script async src="${baseUrl}/js/svc-tracker.js"\n  data-svc-program-id="${programId}"></script>`;
  const installCommand = `npm install ${baseUrl}/packages/tracker.tgz`;
  const code = `import { init } from '@svc/tracker';\n\ninit({ programId: ${programId} });`;
  const cliCommand = `npx --yes ${baseUrl}/packages/cli.tgz init --program ${programId}`;
  return (
    <Tabs
      label="Installation method"
      tabs={[
        {
          name: 'script',
          title: 'Script tag',
          content: (
            <>
              <p className="mb-2 text-sm">
                Add this to the <code className="font-mono">&lt;head&gt;</code> of every page:
              </p>
              <CodeBlock label="Copy script tag" text={scriptTag} />
            </>
          ),
        },
        {
          name: 'package',
          title: 'npm package',
          content: (
            <div className="space-y-3">
              <CodeBlock label="Copy install command" text={installCommand} />
              <CodeBlock label="Copy code" text={code} />
            </div>
          ),
        },
        {
          name: 'command',
          title: 'CLI',
          content: (
            <>
              <p className="mb-2 text-sm">
                Signs you in and writes <code className="font-mono">.svc/AGENTS.md</code>, with instructions for a
                coding agent:
              </p>
              <CodeBlock label="Copy command" text={cliCommand} />
            </>
          ),
        },
      ]}
    />
  );
}
