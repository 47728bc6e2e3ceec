import { type CheckoutWay, checkoutGuides, type ProcessorName, type Snippet } from '@svc/contract';
import { useState } from 'react';
import { useApiQuery } from '../../api/hooks.ts';
import { settings } from '../../api/settings.ts';
import { CodeBlock } from '../../ui/forms/copy.tsx';
import { TabPanels } from '../../ui/forms/tabs.tsx';

/** The code that puts the three fields on a checkout, by what is sold and by framework. */
export function CheckoutCode({ programId, provider }: { programId: number; provider: ProcessorName }) {
  const program = useApiQuery('manageProgram', { params: { program_id: programId } });
  const { shared, ways } = checkoutGuides[provider](programId, settings.base_url, program.data?.data);
  const [way, setWay] = useState<string>();
  // Kept here, so that it stays selected when another way is.
  const [framework, setFramework] = useState<string>();
  return (
    <TabPanels
      label="Kind of checkout"
      selected={way}
      onSelect={setWay}
      tabs={ways.map((each) => ({
        name: each.name,
        title: each.title,
        content: <Way way={each} {...{ shared, framework }} onFramework={setFramework} />,
      }))}
    />
  );
}

type WayProps = {
  way: CheckoutWay;
  shared: Snippet[];
  framework: string | undefined;
  onFramework: (framework: string) => void;
};

function Way({ way: { about, snippets }, shared, framework, onFramework }: WayProps) {
  const isOnServer = snippets.some(({ language }) => language !== 'html');
  return (
    <>
      <p className="text-sm">{about}</p>
      {isOnServer &&
        shared.map((snippet) => <Code key={snippet.file} snippet={snippet} label={`Copy ${snippet.file}`} />)}
      {isOnServer ? (
        <TabPanels
          label="Framework"
          selected={framework}
          onSelect={onFramework}
          tabs={snippets.map((snippet) => ({
            name: snippet.framework,
            title: snippet.framework,
            content: <Code snippet={snippet} />,
          }))}
        />
      ) : (
        snippets.map((snippet) => <Code key={snippet.file} snippet={snippet} />)
      )}
    </>
  );
}

function Code({ snippet: { file, code }, label = 'Copy code' }: { snippet: Snippet; label?: string }) {
  return (
    <div>
      <p className="mb-1.5 text-caption text-quiet">{file}</p>
      <CodeBlock text={code.trimEnd()} label={label} />
    </div>
  );
}
