import { Download, Square } from 'lucide-react';
import { type MouseEvent, useRef, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { download, type Progress } from '../../api/download.ts';
import { formatCount } from '../../rules/money.ts';
import { useToast } from '../feedback/toast.tsx';
import { Button, buttonClass } from '../forms/button.tsx';

type FileLinkProps = {
  href: string;
  /** A verb, and what the file is. */
  label: string;
  /** Whether only what the file is can be seen, beside other files of the same list. */
  isShort?: boolean;
  /** Whether only the verb can be seen, beside the name of the file; on phones only the icon. */
  isNamedBeside?: boolean;
  size?: 'small';
  /** What it is saved as, if the service gives it no name. */
  fileName?: string;
  /** Why the viewer cannot download it. */
  refusal?: string | undefined;
};

/** Downloads a file, says how much of it has arrived, and can be stopped. It goes on when the page is left. */
export function FileLink({ href, label, isShort, isNamedBeside, size, fileName, refusal }: FileLinkProps) {
  const toast = useToast();
  const [progress, setProgress] = useState<Progress | null>(null);
  const running = useRef<AbortController>(undefined);
  const start = async (event: MouseEvent) => {
    event.preventDefault();
    const stop = new AbortController();
    running.current = stop;
    setProgress({ rows: null, bytes: 0 });
    try {
      await download(href, { signal: stop.signal, onProgress: setProgress, fileName });
    } catch (error) {
      const wasStopped = stop.signal.aborted;
      toast(wasStopped ? 'Export stopped. No file was saved.' : failureOf(error as Error), wasStopped ? 'good' : 'bad');
    } finally {
      setProgress(null);
    }
  };
  const text = <FileLabel {...{ label, isShort, isNamedBeside, size }} />;
  if (refusal) {
    return (
      <Button disabled title={refusal} size={size}>
        {text}
      </Button>
    );
  }
  if (progress) {
    return (
      <Button onClick={() => running.current?.abort()} size={size}>
        <Square size={14} aria-hidden /> <span className="sr-only">Stop: {label}. </span>
        <span role="status">{describeProgress(progress)}</span>
      </Button>
    );
  }
  return (
    <a href={href} download onClick={(event) => void start(event)} className={buttonClass({ size })}>
      {text}
    </a>
  );
}

type FileLabelProps = Pick<FileLinkProps, 'label' | 'isShort' | 'isNamedBeside' | 'size'>;

function FileLabel({ label, isShort, isNamedBeside, size }: FileLabelProps) {
  const [verb, ...kind] = label.split(' ');
  return (
    <>
      <Download size={size === 'small' ? 14 : 16} aria-hidden />
      <span className={isNamedBeside ? 'max-sm:sr-only' : ''}>
        <span className={isShort ? 'sr-only' : ''}>{verb} </span>
        <span className={isNamedBeside ? 'sr-only' : ''}>{kind.join(' ')}</span>
      </span>
    </>
  );
}

function describeProgress({ rows, bytes }: Progress): string {
  if (rows !== null) return `${formatCount(rows)} rows…`;
  return bytes === 0 ? 'Starting…' : `${formatCount(Math.ceil(bytes / 1_000))} KB…`;
}

/** A file that breaks off is not saved: half of it would look like all of it. */
function failureOf(error: Error): string {
  return error instanceof ApiError
    ? error.message
    : 'The export broke off, and no file was saved. Check your connection and try again.';
}
