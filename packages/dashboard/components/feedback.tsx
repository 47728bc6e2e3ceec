import { Handshake } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ApiError } from '../src/api/client.ts';
import { Badge } from '../src/ui/feedback/badge.tsx';
import ConfirmIdentity from '../src/ui/feedback/confirm-identity.tsx';
import { ErrorNotice, Notice } from '../src/ui/feedback/notice.tsx';
import { ErrorState, NotFound, QueryState, Skeleton } from '../src/ui/feedback/query-state.tsx';
import { StatusBadge } from '../src/ui/feedback/status-badge.tsx';
import { ToastProvider, useToast } from '../src/ui/feedback/toast.tsx';
import { Button } from '../src/ui/forms/button.tsx';
import type { Example } from './example.tsx';
import { useFailedQuery, useLoadedQuery, useLoadingQuery } from './query-states.ts';
import { LONG_WORD } from './sample-records.ts';

const TONES = ['neutral', 'accent', 'good', 'warn', 'bad'] as const;
const NOTICES = ['info', 'good', 'warn', 'bad'] as const;
/** Every status that a row can have, and one that the pages do not know. */
const STATUSES =
  'active applied blocked removed click lead conversion recorded partially_refunded refunded pending delivered disabled approved paid reversed partially_reversed rejected open cancelled owner member finance viewer partner sent_back'.split(
    ' ',
  );
const OFFLINE = new ApiError(0, { message: 'Can’t reach the server. Check your connection and try again.' });
const MISSING = new ApiError(404, { message: 'Not found' });
const nothing = () => undefined;

export const feedback: readonly Example[] = [
  {
    name: 'Badge: tones, with and without an icon',
    show: () => (
      <div className="row">
        {TONES.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
        {TONES.map((tone) => (
          <Badge key={tone} tone={tone} icon={Handshake}>
            {tone}
          </Badge>
        ))}
      </div>
    ),
  },
  {
    name: 'StatusBadge: every status',
    show: () => (
      <div className="row">
        {STATUSES.map((status) => (
          <StatusBadge key={status} status={status} />
        ))}
      </div>
    ),
  },
  {
    name: 'Notice: tones, long',
    show: () => (
      <div className="stack">
        {NOTICES.map((tone) => (
          <Notice key={tone} tone={tone}>
            Something about {tone}.
          </Notice>
        ))}
        <Notice>
          A notice can be longer than a line. Then it goes on below, with the same distance to its border on all sides.
        </Notice>
      </div>
    ),
  },
  {
    name: 'ErrorNotice: an error, none',
    show: () => (
      <div className="stack">
        <ErrorNotice error={OFFLINE} />
        <ErrorNotice error={null} />
      </div>
    ),
  },
  { name: 'Skeleton', show: () => <Skeleton /> },
  { name: 'ErrorState', show: () => <ErrorState error={OFFLINE} onRetry={nothing} /> },
  { name: 'ErrorState without a way to repeat', show: () => <ErrorState error={OFFLINE} /> },
  { name: 'ErrorState, not found', frameHeight: 300, show: () => <ErrorState error={MISSING} /> },
  { name: 'NotFound', frameHeight: 300, show: NotFound },
  { name: 'QueryState, loading', show: LoadingState },
  { name: 'QueryState, loaded', show: LoadedState },
  { name: 'QueryState, failed', until: '[role=alert] p', show: FailedState },
  { name: 'QueryState, not found', until: 'em', show: MissingState },
  { name: 'Toast: good, bad, long', frameHeight: 260, until: 'li [aria-label=Dismiss]', show: Toasts },
  {
    name: 'ConfirmIdentity',
    frameHeight: 380,
    until: '[role=dialog] form',
    show: () => <ConfirmIdentity proof="anything" onClose={nothing} />,
  },
  {
    name: 'ConfirmIdentity, with a second factor',
    frameHeight: 380,
    until: '[role=dialog] form',
    show: () => <ConfirmIdentity proof="second factor" onClose={nothing} />,
  },
];

function LoadingState() {
  return <QueryState query={useLoadingQuery<string>()}>{(text) => <p>{text}</p>}</QueryState>;
}

function LoadedState() {
  return <QueryState query={useLoadedQuery('text', 'What was loaded')}>{(text) => <p>{text}</p>}</QueryState>;
}

function FailedState() {
  return <QueryState query={useFailedQuery<string>('offline', OFFLINE)}>{(text) => <p>{text}</p>}</QueryState>;
}

function MissingState() {
  const query = useFailedQuery<string>('missing', MISSING);
  return (
    <QueryState query={query} notFound={<em>What the page shows instead</em>}>
      {(text) => <p>{text}</p>}
    </QueryState>
  );
}

function Toasts() {
  return (
    <ToastProvider>
      <ToastButton />
    </ToastProvider>
  );
}

/** Toasts stay while the window is in the background, which these are told again and again. */
function ToastButton() {
  const toast = useToast();
  const [count, setCount] = useState(1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: shown once, and again for each press
  useEffect(() => {
    toast('Link copied');
    toast('Your browser blocked copying. Select the text and copy it manually.', 'bad');
    toast(`Saved ${LONG_WORD}`);
    const background = setInterval(() => window.dispatchEvent(new Event('blur')), 50);
    return () => clearInterval(background);
  }, [count]);
  return <Button onClick={() => setCount(count + 1)}>Show again</Button>;
}
