import { Link, useNavigate } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ApiError, type Data } from '../../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../../api/hooks.ts';
import { usePartnerName } from '../../../api/program.ts';
import { useMay } from '../../../api/rights.ts';
import { endOfDay } from '../../../rules/payout-run.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { SelectField } from '../../../ui/forms/select.tsx';
import { Allowed } from '../../../ui/layout/allowed.tsx';
import { BackLink } from '../../../ui/layout/back-link.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { useProgramId } from '../../../ui/layout/program-id.ts';
import { PartnerPicker } from '../../../ui/records/partner-picker.tsx';
import { LeftOutTable } from './left-out-table.tsx';
import { RunPreparation } from './run-preparation.tsx';
import { ShowMore, useShownRows } from './show-more.tsx';

type LeftOut = Data<'managePayoutRun'>['left_out'];
type Exclusion = { id: string; note: string };

/** Asks what a run should contain, and makes its draft. */
export function Page() {
  const programId = useProgramId();
  return (
    <>
      <BackLink>
        <Link to="/app/programs/$programId/payouts" params={{ programId }} search={{ tab: 'runs' }}>
          Payout runs
        </Link>
      </BackLink>
      <PageHeader
        title="New payout run"
        description="This makes a draft with everyone who can be paid, and a reason for everyone who can’t. Nothing is paid until the draft is approved."
      />
      <Allowed route="manageMakePayoutRun" to="make payout runs">
        <NewRunForm programId={programId} />
      </Allowed>
    </>
  );
}

function NewRunForm({ programId }: { programId: number }) {
  const toast = useToast();
  const navigate = useNavigate();
  const params = { program_id: programId };
  const [currency, setCurrency] = useState('');
  const [isChosen, setChosen] = useState(false);
  const [partnerIds, setPartnerIds] = useState<string[]>([]);
  const [exclusions, setExclusions] = useState<Exclusion[]>([]);
  const settings = useApiQuery(
    'managePayoutSettings',
    { params },
    { enabled: useMay(programId, 'managePayoutSettings') },
  );
  const balances = useApiQuery('manageBalances', { params, query: { payable: 'true', totals: 'true', limit: 1 } });
  const making = useApiMutation('manageMakePayoutRun', ({ id, number }) => {
    toast(`Payout run ${number} made`);
    return navigate({
      to: '/app/programs/$programId/payouts/runs/$runId',
      params: { programId, runId: String(id) },
      replace: true,
    });
  });
  const leftOut = leftOutOf(making.error);
  const make = (cutoff: string) =>
    making.mutate({
      params,
      body: {
        ...(cutoff && { cutoff_at: endOfDay(cutoff) }),
        ...(currency && { currency }),
        ...(isChosen && { partner_ids: partnerIds.map(Number) }),
        excluded_partner_ids: exclusions.map(({ id }) => Number(id)),
        exclusion_notes: Object.fromEntries(
          exclusions.flatMap(({ id, note }) => (note.trim() ? [[id, note.trim()]] : [])),
        ),
      },
    });
  const currencies = (balances.data?.meta.totals ?? []).map((total) => total.currency);
  return (
    <div className="max-w-3xl space-y-6">
      <RunPreparation programId={programId} isAwaited={making.isPending} />
      <TitledCard title="What to pay">
        <Form
          error={leftOut ? null : making.error}
          onSubmit={({ cutoff_at: cutoff = '' }) => make(cutoff)}
          className="space-y-5"
        >
          <TextField
            label="Commissions approved until"
            name="cutoff_at"
            type="date"
            className="max-w-56"
            hint={`The last day, in UTC. ${usualCutoff(settings.data?.data.net_days)} What partners owe is always deducted.`}
          />
          <div className="max-w-56">
            <SelectField
              label="Currency"
              options={[['', 'All currencies'], ...currencies.map((code) => [code, code] as const)]}
              value={currency}
              onValueChange={setCurrency}
            />
          </div>
          <fieldset className="space-y-3">
            <legend className="mb-1.5 text-sm font-medium">Partners</legend>
            <Radio isChecked={!isChosen} onCheck={() => setChosen(false)}>
              Everyone who can be paid
            </Radio>
            <Radio isChecked={isChosen} onCheck={() => setChosen(true)}>
              Only partners I choose
            </Radio>
            {isChosen && (
              <div className="space-y-2 pl-6.5">
                <PartnerRows>
                  {partnerIds.map((id) => (
                    <PartnerRow
                      key={id}
                      programId={programId}
                      partnerId={id}
                      onRemove={() => setPartnerIds(partnerIds.filter((other) => other !== id))}
                    />
                  ))}
                </PartnerRows>
                <div className="max-w-72">
                  <PartnerPicker
                    programId={programId}
                    label="Add a partner to pay"
                    isLabelHidden
                    value={undefined}
                    placeholder="Add a partner…"
                    onValueChange={(id) => id && setPartnerIds([...new Set([...partnerIds, id])])}
                  />
                </div>
              </div>
            )}
          </fieldset>
          <fieldset className="space-y-2">
            <legend className="mb-1.5 text-sm font-medium">Leave out</legend>
            <PartnerRows>
              {exclusions.map(({ id, note }) => (
                <PartnerRow
                  key={id}
                  programId={programId}
                  partnerId={id}
                  note={note}
                  onNote={(text) =>
                    setExclusions(exclusions.map((each) => (each.id === id ? { id, note: text } : each)))
                  }
                  onRemove={() => setExclusions(exclusions.filter((each) => each.id !== id))}
                />
              ))}
            </PartnerRows>
            <div className="max-w-72">
              <PartnerPicker
                programId={programId}
                label="Add a partner to leave out"
                isLabelHidden
                value={undefined}
                placeholder="Leave out a partner…"
                onValueChange={(id) =>
                  id && !exclusions.some((each) => each.id === id) && setExclusions([...exclusions, { id, note: '' }])
                }
              />
            </div>
            <p className="text-caption text-quiet">They keep their balance, and the run says why they are not in it.</p>
          </fieldset>
          <Button
            type="submit"
            variant="primary"
            isBusy={making.isPending}
            disabled={isChosen && partnerIds.length === 0}
          >
            Make draft
          </Button>
        </Form>
      </TitledCard>
      {leftOut && <NobodyToPay programId={programId} leftOut={leftOut} />}
    </div>
  );
}

function usualCutoff(netDays: number | undefined): string {
  if (netDays === undefined) return 'Leave it empty for the usual day.';
  if (netDays === 0) return 'Leave it empty to include everything that is approved by now.';
  return `Leave it empty to include what was approved at least ${netDays} ${netDays === 1 ? 'day' : 'days'} ago, as your settings say.`;
}

function leftOutOf(error: Error | null): LeftOut | null {
  const found = error instanceof ApiError ? error.details.left_out : undefined;
  return Array.isArray(found) ? (found as LeftOut) : null;
}

/** Why no run was made. */
function NobodyToPay({ programId, leftOut }: { programId: number; leftOut: LeftOut }) {
  const { shown, more, onMore } = useShownRows(leftOut);
  return (
    <TitledCard title="Nobody would be paid">
      <div role="alert" className="mb-4">
        <Notice tone="warn">
          No run was made.{' '}
          {leftOut.length === 0
            ? 'No partner has anything due for these choices.'
            : 'Everyone with something due is left out, for these reasons:'}
        </Notice>
      </div>
      {leftOut.length > 0 && (
        <div className="overflow-hidden rounded-lg border border-line">
          <LeftOutTable programId={programId} rows={shown} />
          <ShowMore more={more} onMore={onMore} />
        </div>
      )}
    </TitledCard>
  );
}

function Radio({ isChecked, onCheck, children }: { isChecked: boolean; onCheck: () => void; children: ReactNode }) {
  return (
    <label className="flex items-center gap-2.5 text-sm">
      <input
        type="radio"
        name="partners"
        className="size-4 shrink-0 accent-accent"
        checked={isChecked}
        onChange={onCheck}
      />
      {children}
    </label>
  );
}

function PartnerRows({ children }: { children: ReactNode[] }) {
  if (children.length === 0) return null;
  return <ul className="divide-y divide-line rounded-lg border border-line text-sm">{children}</ul>;
}

type PartnerRowProps = {
  programId: number;
  partnerId: string;
  note?: string;
  onNote?: (note: string) => void;
  onRemove: () => void;
};

function PartnerRow({ programId, partnerId, note, onNote, onRemove }: PartnerRowProps) {
  const name = usePartnerName(programId, partnerId) ?? '…';
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-2">
      <span className="min-w-32 flex-1 font-medium">{name}</span>
      {onNote && (
        <div className="min-w-48 flex-2">
          <TextField
            label={`Why ${name} is left out`}
            isLabelHidden
            placeholder="Why? (optional)"
            maxLength={500}
            value={note}
            onChange={(event) => onNote(event.target.value)}
          />
        </div>
      )}
      <Button size="small" variant="ghost" aria-label={`Remove ${name}`} onClick={onRemove}>
        <X size={16} aria-hidden />
      </Button>
    </li>
  );
}
