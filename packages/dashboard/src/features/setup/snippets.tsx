import { settings } from '../../api/settings.ts';
import { CodeBlock } from '../../ui/forms/copy.tsx';
import { Tabs } from '../../ui/forms/tabs.tsx';

/** The ways to put the tracker on a site, with this program's values filled in. */
export function Snippets({ programId }: { programId: number }) {
  const { base_url: base } = settings;
  const script = `<script async src="${base}/js/svc-tracker.js"\n  data-svc-program-id="${programId}"></script>`;
  const install = `npm install ${base}/packages/tracker.tgz`;
  const use = `import { init } from '@svc/tracker';\n\ninit({ programId: ${programId} });`;
  const command = `npx --yes ${base}/packages/cli.tgz init --program ${programId}`;
  return (
    <Tabs
      label="Ways to add the tracker"
      tabs={[
        {
          name: 'script',
          title: 'Script tag',
          content: (
            <>
              <p className="mb-2 text-sm">Into the head of every page:</p>
              <CodeBlock label="Copy the script tag" text={script} />
            </>
          ),
        },
        {
          name: 'package',
          title: 'Package',
          content: (
            <div className="space-y-3">
              <CodeBlock label="Copy the install command" text={install} />
              <CodeBlock label="Copy the code" text={use} />
            </div>
          ),
        },
        {
          name: 'command',
          title: 'Command line',
          content: (
            <>
              <p className="mb-2 text-sm">
                Signs you in and writes <code className="font-mono">.svc/AGENTS.md</code>, instructions that a coding
                agent can follow:
              </p>
              <CodeBlock label="Copy the command" text={command} />
            </>
          ),
        },
      ]}
    />
  );
}
