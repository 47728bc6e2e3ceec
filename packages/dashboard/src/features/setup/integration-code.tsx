import type { IntegrationWay } from '@svc/contract';
import { useState } from 'react';
import { CodeBlock } from '../../ui/forms/copy.tsx';
import { TabPanels } from '../../ui/forms/tabs.tsx';

/** The code of one step, by framework. */
export function IntegrationCode({ label, ways }: { label: string; ways: IntegrationWay[] }) {
  const [selected, setSelected] = useState<string>();
  return (
    <TabPanels
      label={label}
      selected={selected}
      onSelect={setSelected}
      tabs={ways.map(({ name, title, about, snippets }) => ({
        name,
        title,
        content: (
          <div className="space-y-3">
            <p className="text-sm">{about}</p>
            {snippets.map(({ file, code }) => (
              <div key={file}>
                <p className="mb-1.5 text-[0.8125rem] text-quiet">{file}</p>
                <CodeBlock text={code.trimEnd()} label={`Copy the code for ${file}`} />
              </div>
            ))}
          </div>
        ),
      }))}
    />
  );
}
