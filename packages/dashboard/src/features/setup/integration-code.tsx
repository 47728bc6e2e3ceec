import type { IntegrationWay, Snippet } from '@svc/contract';
import { useState } from 'react';
import { CodeBlock } from '../../ui/forms/copy.tsx';
import { TabPanels } from '../../ui/forms/tabs.tsx';

/** The code of one step, by framework. Files that are added once are folded. */
export function IntegrationCode({ label, ways }: { label: string; ways: IntegrationWay[] }) {
  const [selected, setSelected] = useState<string>();
  return (
    <TabPanels
      label={label}
      selected={selected}
      onSelect={setSelected}
      tabs={ways.map(({ name, title, about, shared = [], snippets }) => ({
        name,
        title,
        content: (
          <div className="space-y-3">
            <p className="text-sm">{about}</p>
            {shared.map((snippet) => (
              <details key={snippet.file} className="text-sm">
                <summary className="mb-1.5 w-fit cursor-pointer">
                  Add the file <code className="font-mono">{snippet.file}</code> once
                </summary>
                <Code snippet={snippet} />
              </details>
            ))}
            {snippets.map((snippet) => (
              <div key={snippet.file}>
                <p className="mb-1.5 text-caption text-quiet">{snippet.file}</p>
                <Code snippet={snippet} />
              </div>
            ))}
          </div>
        ),
      }))}
    />
  );
}

function Code({ snippet: { file, code } }: { snippet: Snippet }) {
  return <CodeBlock text={code.trimEnd()} label={`Copy the code for ${file}`} />;
}
