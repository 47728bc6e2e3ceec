import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useToast } from '../feedback/toast.tsx';
import { Button } from './button.tsx';

const CONFIRMATION_MS = 2_000;

type CopyProps = { text: string; label: string };

/** Copies a text to the clipboard, says so, and returns whether it could. */
export function useCopy(): (text: string) => Promise<boolean> {
  const toast = useToast();
  return async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      toast('Copied to clipboard');
      return true;
    } catch {
      toast('Your browser blocked copying. Select the text and copy it manually.', 'bad');
      return false;
    }
  };
}

type CopyButtonProps = CopyProps & {
  isIconOnly?: boolean;
  /** Only the icon on phones, where the text that is copied needs the room. */
  isShortOnPhones?: boolean;
};

/** Copies the text to the clipboard and confirms it. */
export function CopyButton({ text, label, isIconOnly = false, isShortOnPhones = false }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const copyText = useCopy();
  const copy = async () => {
    if (!(await copyText(text))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), CONFIRMATION_MS);
  };
  const Icon = isCopied ? Check : Copy;
  return (
    <Button
      size="small"
      variant={isIconOnly ? 'ghost' : 'secondary'}
      className={isIconOnly ? 'px-2!' : ''}
      onClick={copy}
      aria-label={label}
      title={label}
    >
      <Icon size={15} aria-hidden className={isCopied ? 'text-good' : ''} />
      {!isIconOnly && <span className={isShortOnPhones ? 'max-sm:hidden' : ''}>{isCopied ? 'Copied' : 'Copy'}</span>}
    </Button>
  );
}

type CodeBlockProps = CopyProps & {
  /** The text as it is easier to read, such as JSON with line breaks. The text itself is what is copied. */
  shown?: string;
};

/** A snippet, command or URL with a copy button. A URL or key is shown in full, code keeps its lines. */
export function CodeBlock({ text, label, shown = text }: CodeBlockProps) {
  const wrapping = /\s/.test(shown) ? '' : 'wrap-anywhere whitespace-pre-wrap';
  return (
    <div className="flex items-start gap-2 rounded-lg border border-line bg-sunken py-2 pr-2 pl-3.5">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
        className={`min-w-0 flex-1 overflow-x-auto py-1 font-mono text-caption leading-relaxed ${wrapping}`}
      >
        {shown}
      </pre>
      <CopyButton text={text} label={label} isShortOnPhones />
    </div>
  );
}
