import { useState } from 'react';
import { useApiMutation, useApiQuery } from '../../../api/hooks.ts';
import { countOf } from '../../../rules/bulk.ts';
import { type DayRange, datePresets, formatRange, todayOf } from '../../../rules/calendar.ts';
import { dayAfter } from '../../../rules/day.ts';
import { EVERY_TYPE } from '../../../rules/event-types.ts';
import { ErrorNotice } from '../../../ui/feedback/notice.tsx';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ChoiceList } from '../../../ui/forms/choice-list.tsx';
import { DateRange } from '../../../ui/forms/date-range.tsx';
import { Dialog, DialogActions } from '../../../ui/forms/dialog.tsx';
import { ALL_TYPES, choicesOf, type Webhook } from './webhook-words.ts';

type ReplayDialogProps = { programId: number; webhook: Webhook; onClose: () => void };

/** Sends the events of some days again. It says how many these are, and sends just those. */
export function ReplayDialog({ programId, webhook, onClose }: ReplayDialogProps) {
  const toast = useToast();
  const presets = datePresets(todayOf(new Date())).slice(0, 3);
  const [range, setRange] = useState<DayRange>(() => presets[0]?.[1] ?? { from: '', to: '' });
  const [types, setTypes] = useState<string[]>([EVERY_TYPE]);
  const params = { program_id: programId, webhook_id: webhook.id };
  const body = {
    from: range.from,
    to: dayAfter(range.to) ?? range.to,
    ...(!types.includes(EVERY_TYPE) && { types }),
  };
  const counted = useApiQuery(
    'manageReplayWebhook',
    { params, body: { ...body, dry_run: true } },
    { enabled: types.length > 0 },
  );
  const replaying = useApiMutation('manageReplayWebhook', ({ deliveries }) => {
    toast(`Sending ${countOf(deliveries, 'events')} again`);
    onClose();
  });
  const isCounting = types.length > 0 && (counted.isPending || counted.isPlaceholderData || counted.isFetching);
  const found = types.length > 0 && !isCounting ? counted.data?.data : undefined;
  const wanted = webhook.types.includes(EVERY_TYPE) ? ALL_TYPES : webhook.types;
  return (
    <Dialog
      title="Send events again"
      description="Your server gets them under the same IDs, so it can tell which ones it has seen before."
      isOpen
      onClose={onClose}
    >
      <div className="space-y-4">
        <DateRange
          label="Days"
          text={presets.find(([, each]) => each.from === range.from && each.to === range.to)?.[0] ?? formatRange(range)}
          range={range}
          presets={presets.map(([title, each]) => ({
            title,
            isSelected: each.from === range.from && each.to === range.to,
            onSelect: () => setRange(each),
          }))}
          onChange={setRange}
        />
        <ChoiceList
          label="Events"
          all={{ value: EVERY_TYPE, label: 'All events that this webhook gets' }}
          groups={choicesOf(wanted)}
          searchLabel="Search events"
          value={types}
          onValueChange={setTypes}
        />
        <p role="status" className="text-sm">
          {isCounting && 'Counting…'}
          {types.length === 0 && 'Select at least one event.'}
          {found && (found.deliveries === 0 ? 'There are no such events in this period.' : summaryOf(found.deliveries))}
        </p>
        <ErrorNotice error={replaying.error ?? counted.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            isBusy={replaying.isPending}
            disabled={!found || found.deliveries === 0}
            onClick={() => found && replaying.mutate({ params, body: { ...body, to: found.to } })}
          >
            {found && found.deliveries > 0 ? `Send ${countOf(found.deliveries, 'events')}` : 'Send'}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}

const summaryOf = (count: number) => `${countOf(count, 'events')} will be sent again, oldest first.`;
