import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useToast } from '../feedback/toast.tsx';
import { Button } from './button.tsx';

const SHOWN_MS = 2_000;

/** Puts the text into the clipboard and says so. */
export function CopyButton({ text, label, isIconOnly = false }: { text: string; label: string; isIconOnly?: boolean }) {
  const [isCopied, setCopied] = useState(false);
  const say = useToast();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), SHOWN_MS);
      say('Copied');
    } catch {
      say('This browser does not let the page copy. Select the text and copy it yourself.', 'bad');
    }
  };
  const Icon = isCopied ? Check : Copy;
  return (
    <Button size="small" look={isIconOnly ? 'quiet' : 'plain'} onClick={copy} aria-label={label} title={label}>
      <Icon size={15} aria-hidden className={isCopied ? 'text-good' : ''} />
      {!isIconOnly && (isCopied ? 'Copied' : 'Copy')}
    </Button>
  );
}

/** Text to take over as it is: a snippet, a command, an address. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex items-start gap-2 rounded-lg border border-line bg-sunken py-2 pr-2 pl-3.5">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="min-w-0 flex-1 overflow-x-auto py-1 font-mono text-[0.8125rem] leading-relaxed">
        {text}
      </pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}
