import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Data } from '../../api/client.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { formatCount } from '../../rules/money.ts';
import { describeRefusal, type Fix } from '../../rules/refusal.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button, buttonClass } from '../../ui/forms/button.tsx';
import { CodeBlock } from '../../ui/forms/copy.tsx';
import { ConfirmDialog } from '../../ui/forms/dialog.tsx';
import { Allowed } from '../../ui/layout/allowed.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { Time } from '../../ui/records/time.tsx';

export type Program = Data<'manageProgram'>;
type Refused = Data<'manageSetup'>['refused'][number];

/** What was refused in the last 24 hours, as it happens, each with its cause and the fix where there is one. */
export function RefusedEvents({ program, events }: { program: Program; events: Refused[] }) {
  const [origin, setOrigin] = useState<string | null>(null);
  const open = events.filter((event) => !isAllowed(program, event));
  return (
    <div aria-live="polite">
      {open.length > 0 && (
        <TitledCard
          title="Refused events"
          description="What your site or server sent in the last 24 hours and we refused."
        >
          <ul className="divide-y divide-line">
            {open.map((event) => (
              <li
                key={`${event.kind} ${event.reason} ${event.origin} ${event.at}`}
                className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 py-3 first:pt-0 last:pb-0"
              >
                <RefusedEvent event={event} program={program} onAllow={setOrigin} />
              </li>
            ))}
          </ul>
        </TitledCard>
      )}
      <AllowOrigin program={program} origin={origin} onClose={() => setOrigin(null)} />
    </div>
  );
}

type RefusedEventProps = { event: Refused; program: Program; onAllow: (origin: string) => void };

function RefusedEvent({ event, program, onAllow }: RefusedEventProps) {
  const { title, cause, fix } = describeRefusal(event, program.id);
  return (
    <>
      <div className="min-w-0 flex-1 basis-72">
        <p className="text-sm font-semibold">
          {title}
          {event.calls > 1 && `, ${formatCount(event.calls)} times`}{' '}
          <span className="font-normal text-quiet">
            <Time at={event.at} isRelative />
          </span>
        </p>
        <p className="text-sm break-words">{cause}</p>
      </div>
      {fix && <FixButton fix={fix} programId={program.id} onAllow={onAllow} />}
    </>
  );
}

type FixButtonProps = { fix: Fix; programId: number; onAllow: (origin: string) => void };

function FixButton({ fix, programId, onAllow }: FixButtonProps) {
  const style = `${buttonClass({ size: 'small' })} shrink-0`;
  switch (fix.is) {
    case 'allow':
      return (
        <Allowed route="manageUpdateProgram" to="allow this origin">
          <Button size="small" onClick={() => onAllow(fix.origin)}>
            Allow {fix.origin}
          </Button>
        </Allowed>
      );
    case 'copy':
      return (
        <div className="w-full">
          <CodeBlock text={fix.text} label={fix.label} />
        </div>
      );
    case 'settings':
      return (
        <Link to="/app/programs/$programId/settings" params={{ programId }} search={{ tab: fix.tab }} className={style}>
          {fix.label}
        </Link>
      );
    case 'links':
      return (
        <Link to="/app/programs/$programId/links" params={{ programId }} className={style}>
          {fix.label}
        </Link>
      );
    case 'step':
      return (
        <Link to="/app/programs/$programId/start" params={{ programId }} hash={fix.step} className={style}>
          {fix.label}
        </Link>
      );
  }
}

type AllowOriginProps = { program: Program; origin: string | null; onClose: () => void };

function AllowOrigin({ program, origin, onClose }: AllowOriginProps) {
  const toast = useToast();
  const update = useApiMutation('manageUpdateProgram', () => {
    toast('Origin allowed. Open your page again.');
    onClose();
  });
  return (
    <ConfirmDialog
      title={`Allow ${origin ?? ''}?`}
      description={`Pages at this address will be able to report clicks and signups to ${program.name}, and partners’ links may lead there. Anyone can send such a call, so allow only an address that you recognize. You can remove it under Settings, Origins.`}
      isOpen={origin !== null}
      onClose={onClose}
      confirmLabel="Allow"
      variant="primary"
      isBusy={update.isPending}
      error={update.error}
      onConfirm={() =>
        origin &&
        update.mutate({
          params: { program_id: program.id },
          body: { allowed_origins: [...program.allowed_origins, origin] },
        })
      }
    />
  );
}

/** Whether the cause is gone: the origin has been allowed since. */
function isAllowed({ domain, allowed_origins: allowed }: Program, { reason, origin }: Refused): boolean {
  if (reason !== 'origin_not_allowed' || origin === null) return false;
  const isOwn = origin === `https://${domain}` || (origin.startsWith('https://') && origin.endsWith(`.${domain}`));
  return isOwn || allowed.includes(origin);
}
